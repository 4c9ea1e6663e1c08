// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pools, and memory that is allocated and freed in the order of a stream: here at once, in a capture as
 * nodes. A pool counts what is used and what a GPU would keep reserved; the memory itself comes from the
 * arena.
 */
#include "base/locks.h"
#include "cuda-api/runtime/api.h"
#include "cuda-api/runtime/stream.h"
#include "engine/devices.h"
#include "engine/errors.h"
#include "memory/memory.h"

#include <stdlib.h>

enum { POOL = 0x67706370 }; /* what `magic` is while a pool lives */
enum { ALLOCATION_PINNED = 1, LOCATION_DEVICE = 1, LOCATION_HOST = 2, HANDLE_FILE = 1 };
enum { CHUNK = 2 << 20 }; /* a GPU reserves whole pages */

GP_MUTEX(lock, GP_LOCK_API_POOL)
static struct gp_pool defaults[GP_CPU_DEVICES];
static struct gp_pool *in_use[GP_CPU_DEVICES]; /* null: the default */

static struct gp_pool fresh_pool(const struct gp_cuda_pool_properties *properties) {
  return (struct gp_pool){
      .magic = POOL, .properties = *properties, .follow_events = 1, .opportunistic = 1, .internal = 1};
}

static struct gp_pool *default_of(int device) {
  struct gp_pool *pool = &defaults[device];
  pthread_mutex_lock(&lock);
  if (!pool->magic) {
    *pool = fresh_pool(&(struct gp_cuda_pool_properties){.allocation_type = ALLOCATION_PINNED,
                                                         .location = {LOCATION_DEVICE, device}});
    pool->is_default = true;
  }
  pthread_mutex_unlock(&lock);
  return pool;
}

static struct gp_pool *pool_of(int device) { return in_use[device] ? in_use[device] : default_of(device); }

/* The pool of the thread's device. */
static struct gp_pool *current_pool(void) { return pool_of(gp_cpu_device()); }

struct gp_pool *gp_pool_find(void *handle) {
  struct gp_pool *pool = handle;
  return pool && pool->magic == POOL && !pool->destroyed ? pool : NULL;
}

/* A pool of another process can only be destroyed, and its pointers imported. */
static struct gp_pool *find(void *handle) {
  struct gp_pool *pool = gp_pool_find(handle);
  return pool && !pool->is_imported ? pool : NULL;
}

/* ---- Amounts ------------------------------------------------------------------------------------------- */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void take(struct gp_pool *pool, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  pool->used += bytes;
  pool->reserved = larger(pool->reserved, (pool->used + CHUNK - 1) / CHUNK * CHUNK);
  pool->most_used = larger(pool->most_used, pool->used);
  pool->most_reserved = larger(pool->most_reserved, pool->reserved);
  pthread_mutex_unlock(&lock);
}

/* What is reserved above `keep` and not used goes back. */
static void trim(struct gp_pool *pool, uint64_t keep) {
  uint64_t needed = (pool->used + CHUNK - 1) / CHUNK * CHUNK;
  if (pool->reserved > keep)
    pool->reserved = larger(needed, keep / CHUNK * CHUNK);
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
  take(pool, bytes);
  return (void *)address;
}

void gp_pool_gives_back(const struct gp_allocation *allocation) {
  struct gp_pool *pool = allocation->pool;
  if (!pool)
    return;
  pthread_mutex_lock(&lock);
  pool->used -= allocation->bytes;
  trim(pool, pool->threshold); /* a GPU does it at the next synchronization */
  bool last = pool->destroyed && !pool->used;
  pthread_mutex_unlock(&lock);
  if (last)
    free(pool);
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
  return gp_cpu_result(error ? error : gp_memory_release(pointer, false));
}

/* ---- Pools of a device --------------------------------------------------------------------------------- */

int gp_cpu_cudaDeviceGetDefaultMemPool(void **pool, int device) {
  if (!pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  *pool = default_of(device);
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

/* The same questions by a place instead of a device. */
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
  *pool = fresh_pool(p);
  *handle = pool;
  return gp_cpu_result(0);
}

struct gp_pool *gp_pool_imported(void) {
  struct gp_pool *pool = malloc(sizeof *pool);
  if (!pool)
    return NULL;
  *pool = fresh_pool(&(struct gp_cuda_pool_properties){.allocation_type = ALLOCATION_PINNED,
                                                       .handle_types = HANDLE_FILE,
                                                       .location = {LOCATION_DEVICE, gp_cpu_device()}});
  pool->is_imported = true;
  return pool;
}

int gp_cpu_cudaMemPoolDestroy(void *handle) {
  struct gp_pool *pool = gp_pool_find(handle);
  if (!pool || pool->is_default)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (int device = 0; device < GP_CPU_DEVICES; device++)
    if (in_use[device] == pool)
      in_use[device] = NULL;
  pthread_mutex_lock(&lock);
  pool->destroyed = true;
  bool empty = !pool->used;
  pthread_mutex_unlock(&lock);
  if (empty) {
    pool->magic = 0;
    free(pool);
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemPoolTrimTo(void *handle, size_t keep) {
  struct gp_pool *pool = find(handle);
  if (!pool)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  pthread_mutex_lock(&lock);
  trim(pool, keep);
  pthread_mutex_unlock(&lock);
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

/* The high-water marks can only be set to 0, which sets them to what is in use now. */
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

/* ---- Who may use it ------------------------------------------------------------------------------------ */

struct access {
  struct gp_cuda_location location;
  int flags;
};
enum { ACCESS_NONE = 0, ACCESS_READ_WRITE = 3 };

/* The device that a pool is of has access and cannot lose it. */
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
