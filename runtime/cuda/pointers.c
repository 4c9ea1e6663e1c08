// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/pointers.h"

#include "cuda/cuda_real.h"
#include "exports/cudart_types.h"

#include <pthread.h>

/* CUpointer_attribute */
enum {
  MEMORY_TYPE = 2,
  IS_MANAGED = 8,
  IS_OF_CUDA_MALLOC = 10,
  RANGE_START = 11,
  RANGE_SIZE = 12,
  POOL = 17
};
enum { HOST_MEMORY = 1, DEVICE_MEMORY }; /* CUmemorytype */

/* Pages of the host's memory may be mapped and registered twice. So may memory mapped by the program itself
 * (cuMemMap, memory of other processes and of graphics). Two addresses of one kind may therefore be the same
 * memory, unknown to the driver. Variables of modules look like the latter kind. */
enum { NOT_SHARED, SHARED_BY_HOST, SHARED_BY_MAPPING };

static int (*pointer_attributes)(unsigned count, const int *attributes, void **data, uint64_t pointer);
static void find_functions(void) { *(void **)&pointer_attributes = gp_cuda_symbol("cuPointerGetAttributes"); }

int gp_cuda_allocation(uint64_t address, struct gp_memory_range *memory) {
  static pthread_once_t looked = PTHREAD_ONCE_INIT;
  static const int attributes[] = {MEMORY_TYPE, IS_MANAGED, IS_OF_CUDA_MALLOC, RANGE_START, RANGE_SIZE, POOL};
  unsigned type = 0, managed = 0, plain = 0;
  uint64_t start = 0, pool = 0;
  size_t bytes = 0;
  void *data[] = {&type, &managed, &plain, &start, &bytes, &pool};
  pthread_once(&looked, find_functions);
  /* For an unknown address the driver returns 0 for all attributes. */
  if (!pointer_attributes ||
      pointer_attributes(sizeof attributes / sizeof *attributes, attributes, data, address) || !type ||
      address - start >= bytes)
    return GP_CUDA_ERROR_INVALID_VALUE;
  *memory = (struct gp_memory_range){.start = start,
                                     .bytes = bytes,
                                     .shared = managed               ? NOT_SHARED
                                               : type == HOST_MEMORY ? SHARED_BY_HOST
                                               : (plain & 1) || pool ? NOT_SHARED
                                                                     : SHARED_BY_MAPPING,
                                     .is_of_device = !managed && type == DEVICE_MEMORY && (plain & 1) && !pool};
  return GP_CUDA_SUCCESS;
}
