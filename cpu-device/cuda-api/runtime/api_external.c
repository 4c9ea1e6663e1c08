// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of other interfaces, if represented by a file of cuMemExportToShareableHandle(). There are no
 * interfaces besides CUDA here, and therefore no semaphores. */
#include "base/log.h"
#include "common/errors.h"
#include "cuda-api/work/api.h"
#include "memory/mappings.h"

#include <stdlib.h>
#include <unistd.h>

enum { EXTERNAL = 0x67706378 }; /* value of `magic` while it lives */

/* cudaExternalMemoryHandleDesc and cudaExternalSemaphoreHandleDesc begin like this. */
struct description {
  int type;
  union {
    int file;
    void *room[2];
  } handle;
  unsigned long long bytes; /* of memory */
  unsigned flags;
};

/* cudaExternalMemoryBufferDesc */
struct part {
  unsigned long long offset, bytes;
  unsigned flags;
};

struct external {
  uint32_t magic;
  uint64_t memory;
};

enum { MEMORY_FILE = 1, MEMORY_DEDICATED = 1, MEMORY_TYPES = 8 };
enum { SEMAPHORE_FILE = 1, TIMELINE_FILE = 9, SEMAPHORE_TYPES = 10 };

int gp_cpu_cudaImportExternalMemory(void **result, const void *given) {
  const struct description *d = given;
  if (!result || !d || d->type < MEMORY_FILE || d->type > MEMORY_TYPES)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (d->type != MEMORY_FILE)
    return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
  if (!d->bytes || d->flags & ~(unsigned)MEMORY_DEDICATED)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct external *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  fresh->magic = EXTERNAL;
  if (gp_memory_of_file(&fresh->memory, d->handle.file)) {
    free(fresh);
    return gp_cpu_result(GP_ERROR_UNKNOWN);
  }
  close(d->handle.file); /* it is CUDA's now */
  *result = fresh;
  return gp_cpu_result(0);
}

static struct external *find(void *handle) {
  struct external *external = handle;
  return external && external->magic == EXTERNAL ? external : NULL;
}

int gp_cpu_cudaExternalMemoryGetMappedBuffer(void **pointer, void *handle, const void *description) {
  const struct external *external = find(handle);
  const struct part *part = description;
  uint64_t all = external ? gp_memory_bytes(external->memory) : 0;
  if (!pointer || !part || part->flags || !part->bytes || part->bytes > all ||
      part->offset > all - part->bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  uint64_t address = gp_mapping_of_part(external->memory, part->offset, part->bytes);
  if (address)
    *pointer = (void *)address;
  return gp_cpu_result(address ? 0 : GP_ERROR_MEMORY_ALLOCATION);
}

int gp_cpu_cudaDestroyExternalMemory(void *handle) {
  struct external *external = find(handle);
  if (!external)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  external->magic = 0;
  gp_driver_release(external->memory);
  free(external);
  return gp_cpu_result(0);
}

/* No file is a semaphore here. */
int gp_cpu_cudaImportExternalSemaphore(void *result, const void *given) {
  const struct description *d = given;
  if (!result || !d || d->type < SEMAPHORE_FILE || d->type > SEMAPHORE_TYPES)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (d->type != SEMAPHORE_FILE && d->type != TIMELINE_FILE)
    return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
  gp_log(GP_WARN, "cudaImportExternalSemaphore",
         "semaphores come from graphics interfaces, of which the CPU device has none");
  return gp_cpu_result(GP_ERROR_UNKNOWN);
}
