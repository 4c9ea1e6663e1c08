// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory and events of other processes (cudaIpc…). The work of a process is done when the requesting call
 * returns. An event of another process has therefore happened once the process has passed on its handle: the
 * handle needs no content.
 */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/arena.h"
#include "memory/share.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY = 0x6d637069, EVENT = 0x65637069 };
enum { LAZY_PEER_ACCESS = 1 };
enum { EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4 };

/* The content of a handle's 64 bytes. */
struct handle {
  uint32_t magic;
  int32_t process, file;
  uint64_t offset, bytes;
};
_Static_assert(sizeof(struct handle) <= sizeof(struct gp_cuda_ipc_handle),
               "a handle of CUDA's has no more bytes");

/* An opened handle, opened `uses` times. */
static struct opened {
  struct opened *next;
  struct handle handle;
  uint64_t address, allocation;
  unsigned uses;
} *all_opened;
GP_MUTEX(lock, GP_LOCK_IPC)

static void fill_handle(void *to, const struct handle *handle) {
  memset(to, 0, sizeof(struct gp_cuda_ipc_handle));
  memcpy(to, handle, sizeof *handle);
}

/* cudaErrorDeviceUninitialized: CUDA's error in the process of the handle's origin. */
static int read_handle(const struct gp_cuda_ipc_handle *from, uint32_t magic, struct handle *handle) {
  memcpy(handle, from, sizeof *handle);
  return handle->magic != magic        ? GP_ERROR_INVALID_VALUE
         : handle->process == getpid() ? GP_ERROR_DEVICE_UNINITIALIZED
                                       : 0;
}

int gp_cpu_cudaIpcGetMemHandle(void *to, void *pointer) {
  struct gp_allocation found;
  if (!to || !pointer || !gp_arena_find((uint64_t)pointer, &found) || found.kind != GP_MEMORY_DEVICE ||
      found.mapping || found.pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct handle handle = {.magic = MEMORY, .process = getpid(), .bytes = found.bytes};
  if (!gp_share_export(found.address, found.bytes, &handle.file, &handle.offset))
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  fill_handle(to, &handle);
  return gp_cpu_result(0);
}

static int open_memory(const struct handle *handle, void **pointer) {
  for (struct opened *o = all_opened; o; o = o->next)
    if (!memcmp(&o->handle, handle, sizeof *handle)) {
      o->uses++;
      *pointer = (void *)o->address;
      return 0;
    }
  struct opened *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return GP_ERROR_MEMORY_ALLOCATION;
  *fresh = (struct opened){.next = all_opened, .handle = *handle, .uses = 1};
  fresh->address =
      gp_share_open(handle->process, handle->file, handle->offset, handle->bytes, &fresh->allocation);
  if (!fresh->address) {
    free(fresh);
    return GP_ERROR_MAP_BUFFER_OBJECT_FAILED;
  }
  all_opened = fresh;
  *pointer = (void *)fresh->address;
  return 0;
}

int gp_cpu_cudaIpcOpenMemHandle(void **pointer, struct gp_cuda_ipc_handle from, unsigned flags) {
  struct handle handle;
  if (!pointer || flags != LAZY_PEER_ACCESS)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = read_handle(&from, MEMORY, &handle);
  if (error)
    return gp_cpu_result(error);
  pthread_mutex_lock(&lock);
  error = open_memory(&handle, pointer);
  pthread_mutex_unlock(&lock);
  return gp_cpu_result(error);
}

int gp_cpu_cudaIpcCloseMemHandle(void *pointer) {
  int error = GP_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  for (struct opened **link = &all_opened, *o; (o = *link); link = &o->next) {
    if (o->address != (uint64_t)pointer)
      continue;
    error = 0;
    if (--o->uses)
      break;
    *link = o->next;
    gp_share_close(o->allocation);
    free(o);
    break;
  }
  pthread_mutex_unlock(&lock);
  return gp_cpu_result(error);
}

int gp_cpu_cudaIpcGetEventHandle(void *to, void *event) {
  const struct gp_event *found = gp_event_find(event);
  if (!to || !event)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!found || !(found->flags & EVENT_INTERPROCESS))
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  fill_handle(to, &(struct handle){.magic = EVENT, .process = getpid()});
  return gp_cpu_result(0);
}

int gp_cpu_cudaIpcOpenEventHandle(void **event, struct gp_cuda_ipc_handle from) {
  struct handle handle;
  int error = event ? read_handle(&from, EVENT, &handle) : GP_ERROR_INVALID_VALUE;
  return error ? gp_cpu_result(error)
               : gp_cpu_cudaEventCreateWithFlags(event, EVENT_DISABLE_TIMING | EVENT_INTERPROCESS);
}
