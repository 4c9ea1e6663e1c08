// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pools shared with other processes: a file represents a pool. A record about each pointer lets another
 * process map allocations of the pool's owner. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/work/api.h"
#include "memory/memory.h"
#include "memory/share.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILE_OF_POOL = 0x67706366, POINTER_OF_POOL = 0x67706367, HANDLE_FILE = 1, POINTER_DATA_BYTES = 64 };

/* The content of the file. */
struct pool_file {
  uint32_t magic;
  int32_t process;
};

/* The content of cudaMemPoolPtrExportData's 64 bytes. */
struct pool_pointer {
  uint32_t magic;
  int32_t process, file;
  uint64_t offset, bytes;
};
_Static_assert(sizeof(struct pool_pointer) <= POINTER_DATA_BYTES, "the data of CUDA's has no more bytes");

static bool may_be_shared(const struct gp_pool *pool) {
  return pool && !pool->is_imported && pool->properties.handle_types & HANDLE_FILE;
}

int gp_cpu_cudaMemPoolExportToShareableHandle(void *result, void *handle, int type, unsigned flags) {
  const struct pool_file content = {FILE_OF_POOL, getpid()};
  if (!result || type != HANDLE_FILE || flags || !may_be_shared(gp_pool_find(handle)))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int file = memfd_create("gpuprof-pool", MFD_CLOEXEC);
  if (file < 0 || pwrite(file, &content, sizeof content, 0) != (ssize_t)sizeof content) {
    if (file >= 0)
      close(file);
    return gp_cpu_result(GP_ERROR_OPERATING_SYSTEM);
  }
  memcpy(result, &file, sizeof file);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolImportFromShareableHandle(void **pool, void *handle, int type, unsigned flags) {
  struct pool_file content;
  int file = (int)(intptr_t)handle;
  if (!pool || type != HANDLE_FILE || flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (file < 0)
    return gp_cpu_result(GP_ERROR_UNKNOWN);
  if (pread(file, &content, sizeof content, 0) != (ssize_t)sizeof content || content.magic != FILE_OF_POOL)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_pool *fresh = gp_pool_imported();
  if (fresh)
    *pool = fresh;
  return gp_cpu_result(fresh ? 0 : GP_ERROR_MEMORY_ALLOCATION);
}

int gp_cpu_cudaMemPoolExportPointer(void *data, void *pointer) {
  struct gp_allocation found;
  if (!data || !gp_arena_find((uint64_t)pointer, &found) || !may_be_shared(found.pool))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct pool_pointer words = {.magic = POINTER_OF_POOL, .process = getpid(), .bytes = found.bytes};
  if (!gp_share_export(found.address, found.bytes, &words.file, &words.offset))
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  memset(data, 0, POINTER_DATA_BYTES);
  memcpy(data, &words, sizeof words);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolImportPointer(void **pointer, void *handle, void *data) {
  const struct gp_pool *pool = gp_pool_find(handle);
  struct pool_pointer words;
  if (!pointer || !data || !pool || !pool->is_imported)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  memcpy(&words, data, sizeof words);
  if (words.magic != POINTER_OF_POOL)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  uint64_t allocation, address = gp_share_open(words.process, words.file, words.offset, words.bytes, &allocation);
  if (address && !gp_imported_keep(address, allocation)) {
    gp_share_close(allocation);
    address = 0;
  }
  if (!address)
    return gp_cpu_result(GP_ERROR_MAP_BUFFER_OBJECT_FAILED);
  *pointer = (void *)address;
  return gp_cpu_result(0);
}
