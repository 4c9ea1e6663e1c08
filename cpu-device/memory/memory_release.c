// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/errors.h"
#include "common/launching.h"
#include "memory/mappings.h"
#include "memory/memory.h"

#include <stddef.h>

int gp_memory_release(void *pointer, bool host) {
  struct gp_allocation found;
  if (!pointer)
    return 0;
  if (!host && gp_pool_pointer_free(pointer))
    return 0;
  if (!gp_arena_find((uint64_t)pointer, &found))
    return GP_ERROR_INVALID_VALUE;
  if (found.mapping)
    return !host && gp_mapping_free((uint64_t)pointer) ? 0 : GP_ERROR_INVALID_VALUE;
  if (found.address != (uint64_t)pointer || (found.kind == GP_MEMORY_HOST) != host)
    return GP_ERROR_INVALID_VALUE;
  gp_cpu_wait(); /* cudaFree waits for kernels possibly using the memory */
  gp_pool_gives_back(&found);
  gp_arena_release(found.address);
  return 0;
}
