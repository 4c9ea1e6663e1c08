// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pools, and memory allocated and freed in the order of a stream: here at once, in a capture as nodes. A pool
 * counts its used bytes and a GPU's reserved bytes.
 */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/memory.h"

#include <stdlib.h>

enum { ALLOCATION_PINNED = 1, LOCATION_DEVICE = 1, LOCATION_HOST = 2, HANDLE_FILE = 1 };

static struct gp_pool *in_use[GP_CPU_DEVICES]; /* null: the default */

static struct gp_pool *pool_of(int device) { return in_use[device] ? in_use[device] : gp_pool_default(device); }

/* The pool of the thread's device. */
static struct gp_pool *current_pool(void) { return pool_of(gp_cpu_device()); }

/* A pool of another process can only be destroyed, and its pointers imported. */
static struct gp_pool *find(void *handle) {
  struct gp_pool *pool = gp_pool_find(handle);
  return pool && !pool->is_imported ? pool : NULL;
}

/* Null: no memory is left. */
static void *take_memory(struct gp_pool *pool, size_t bytes) {
  struct gp_allocation made;
  int before = gp_cpu_device_set(
      pool->properties.location.type == LOCATION_DEVICE ? pool->properties.location.id : gp_cpu_device());
  bool too_large = pool->properties.maximum_bytes && pool->used + bytes > pool->properties.maximum_bytes;
  uint64_t address = too_large ? 0 : gp_arena_allocate(bytes, GP_MEMORY_DEVICE);
  gp_cpu_device_set(before);
  if (!address || !gp_arena_find(address, &made))
    return NULL;
  made.pool = pool;
  gp_arena_note(&made);
  gp_pool_takes(pool, bytes);
  return (void *)address;
}

/* ---- Allocation ---------------------------------------------------------------------------------------- */

static int allocate(void **pointer, size_t bytes, struct gp_pool *pool, void *handle) {
  struct gp_stream *stream;
  if (!pointer || !pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  if (!bytes) {
    *pointer = NULL;
    return gp_cpu_result(0);
  }
  if (stream->capture) {
    struct gp_work work = {.kind = GP_WORK_ALLOCATE,
                           .device = gp_cpu_device(),
                           .memory = {.pointer = gp_graph_memory_reserve(bytes, gp_cpu_device()),
                                      .properties = pool->properties,
                                      .bytes = bytes}};
    error = work.memory.pointer ? gp_stream_submit(handle, &work) : GP_ERROR_MEMORY_ALLOCATION;
    if (!error)
      *pointer = work.memory.pointer;
    return gp_cpu_result(error);
  }
  if ((error = gp_capture_forbids_default(stream)))
    return gp_cpu_result(error);
  void *made = take_memory(pool, bytes);
  if (made)
    *pointer = made;
  return gp_cpu_result(made ? 0 : GP_ERROR_MEMORY_ALLOCATION);
}

int gp_cpu_cudaMallocAsync(void **pointer, size_t bytes, void *stream) {
  return allocate(pointer, bytes, current_pool(), stream);
}

int gp_cpu_cudaMallocFromPoolAsync(void **pointer, size_t bytes, void *pool, void *stream) {
  return allocate(pointer, bytes, find(pool), stream);
}

int gp_cpu_cudaFreeAsync(void *pointer, void *handle) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  if (error || gp_cpu_broken() || !pointer)
    return gp_cpu_result(error);
  if (stream->capture) {
    const struct gp_work work = {
        .kind = GP_WORK_FREE, .device = gp_cpu_device(), .memory = {.pointer = pointer}};
    return gp_cpu_result(gp_stream_submit(handle, &work));
  }
  error = gp_capture_forbids_default(stream);
  return gp_cpu_result(error ? error : gp_graph_memory_free(pointer));
}

/* ---- Pools of a device --------------------------------------------------------------------------------- */

int gp_cpu_cudaDeviceGetDefaultMemPool(void **pool, int device) {
  if (!pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  *pool = gp_pool_default(device);
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGetMemPool(void **pool, int device) {
  if (!pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  *pool = pool_of(device);
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceSetMemPool(int device, void *handle) {
  struct gp_pool *pool = find(handle);
  if (!pool || !gp_cpu_device_exists(device) || pool->properties.location.type != LOCATION_DEVICE ||
      pool->properties.location.id != device)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  in_use[device] = pool->is_default ? NULL : pool;
  return gp_cpu_result(0);
}

/* The same queries with a place instead of a device. */
static bool is_device(const struct gp_cuda_location *location, int type) {
  return location && type == ALLOCATION_PINNED && location->type == LOCATION_DEVICE &&
         gp_cpu_device_exists(location->id);
}

int gp_cpu_cudaMemGetDefaultMemPool(void **pool, void *location, int type) {
  if (!is_device(location, type))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_cudaDeviceGetDefaultMemPool(pool, ((struct gp_cuda_location *)location)->id);
}

int gp_cpu_cudaMemGetMemPool(void **pool, void *location, int type) {
  if (!is_device(location, type))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_cudaDeviceGetMemPool(pool, ((struct gp_cuda_location *)location)->id);
}

int gp_cpu_cudaMemSetMemPool(void *location, int type, void *pool) {
  if (!is_device(location, type))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_cudaDeviceSetMemPool(((struct gp_cuda_location *)location)->id, pool);
}

/* ---- Pools --------------------------------------------------------------------------------------------- */

int gp_cpu_cudaMemPoolCreate(void **handle, const void *properties) {
  const struct gp_cuda_pool_properties *p = properties;
  if (!handle || !p || p->allocation_type != ALLOCATION_PINNED || p->location.type < LOCATION_DEVICE ||
      (p->location.type == LOCATION_DEVICE && !gp_cpu_device_exists(p->location.id)))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (p->handle_types & ~HANDLE_FILE) /* to share it with other processes */
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_pool *pool = malloc(sizeof *pool);
  if (!pool)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *pool = gp_pool_fresh(p);
  *handle = pool;
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolDestroy(void *handle) {
  struct gp_pool *pool = gp_pool_find(handle);
  if (!pool || pool->is_default)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (int device = 0; device < GP_CPU_DEVICES; device++)
    if (in_use[device] == pool)
      in_use[device] = NULL;
  gp_pool_destroy(pool);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolTrimTo(void *handle, size_t keep) {
  struct gp_pool *pool = find(handle);
  if (!pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_pool_trim(pool, keep);
  return gp_cpu_result(0);
}

enum { /* cudaMemPoolAttr */
       FOLLOW_EVENTS = 1,
       OPPORTUNISTIC,
       INTERNAL,
       THRESHOLD,
       RESERVED,
       MOST_RESERVED,
       USED,
       MOST_USED
};

static int *reuse_of(struct gp_pool *pool, int attribute) {
  return attribute == FOLLOW_EVENTS   ? &pool->follow_events
         : attribute == OPPORTUNISTIC ? &pool->opportunistic
                                      : &pool->internal;
}

static uint64_t *amount_of(struct gp_pool *pool, int attribute) {
  switch (attribute) {
  case THRESHOLD:
    return &pool->threshold;
  case RESERVED:
    return &pool->reserved;
  case MOST_RESERVED:
    return &pool->most_reserved;
  case USED:
    return &pool->used;
  case MOST_USED:
    return &pool->most_used;
  default:
    return NULL;
  }
}

int gp_cpu_cudaMemPoolGetAttribute(void *handle, int attribute, void *value) {
  struct gp_pool *pool = find(handle);
  const uint64_t *amount = pool ? amount_of(pool, attribute) : NULL;
  if (!pool || !value || (!amount && (attribute < FOLLOW_EVENTS || attribute > INTERNAL)))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (amount)
    *(uint64_t *)value = *amount;
  else
    *(int *)value = *reuse_of(pool, attribute);
  return gp_cpu_result(0);
}

/* The high-water marks can only be set to 0; this resets them to the current use. */
int gp_cpu_cudaMemPoolSetAttribute(void *handle, int attribute, void *value) {
  struct gp_pool *pool = find(handle);
  if (!pool || !value)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (attribute >= FOLLOW_EVENTS && attribute <= INTERNAL)
    *reuse_of(pool, attribute) = *(int *)value;
  else if (attribute == THRESHOLD)
    pool->threshold = *(uint64_t *)value;
  else if (attribute == MOST_RESERVED && !*(uint64_t *)value)
    pool->most_reserved = pool->reserved;
  else if (attribute == MOST_USED && !*(uint64_t *)value)
    pool->most_used = pool->used;
  else
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(0);
}

/* ---- Access -------------------------------------------------------------------------------------------- */

struct access {
  struct gp_cuda_location location;
  int flags;
};
enum { ACCESS_NONE = 0, ACCESS_READ_WRITE = 3 };

/* A pool's own device has access and cannot lose it. */
int gp_cpu_cudaMemPoolSetAccess(void *handle, const void *list, size_t count) {
  struct gp_pool *pool = find(handle);
  const struct access *accesses = list;
  if (!pool || (count && !accesses))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < count; i++) {
    const struct access *a = &accesses[i];
    bool own = a->location.id == pool->properties.location.id;
    if (a->location.type != LOCATION_DEVICE || !gp_cpu_device_exists(a->location.id) ||
        (own && a->flags != ACCESS_READ_WRITE))
      return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
    pool->access[a->location.id] = (unsigned)a->flags;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolGetAccess(int *flags, void *handle, void *location) {
  const struct gp_pool *pool = find(handle);
  const struct gp_cuda_location *l = location;
  if (!flags || !pool || !l || l->type != LOCATION_DEVICE || !gp_cpu_device_exists(l->id))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = l->id == pool->properties.location.id ? ACCESS_READ_WRITE : (int)pool->access[l->id];
  return gp_cpu_result(0);
}
