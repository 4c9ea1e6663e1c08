// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pools: their amounts and access rights. The memory itself comes from the arena. */
#include "base/locks.h"
#include "common/devices.h"
#include "memory/memory.h"

#include <stdlib.h>

enum { POOL = 0x67706370 }; /* value of `magic` while a pool lives */
enum { ALLOCATION_PINNED = 1, LOCATION_DEVICE = 1, HANDLE_FILE = 1 };
enum { CHUNK = 2 << 20 }; /* a GPU reserves whole pages */

GP_MUTEX(lock, GP_LOCK_API_POOL)
static struct gp_pool defaults[GP_CPU_DEVICES];

struct gp_pool gp_pool_fresh(const struct gp_cuda_pool_properties *properties) {
  return (struct gp_pool){
      .magic = POOL, .properties = *properties, .follow_events = 1, .opportunistic = 1, .internal = 1};
}

struct gp_pool *gp_pool_imported(void) {
  struct gp_pool *pool = malloc(sizeof *pool);
  if (!pool)
    return NULL;
  *pool = gp_pool_fresh(&(struct gp_cuda_pool_properties){.allocation_type = ALLOCATION_PINNED,
                                                          .handle_types = HANDLE_FILE,
                                                          .location = {LOCATION_DEVICE, gp_cpu_device()}});
  pool->is_imported = true;
  return pool;
}

struct gp_pool *gp_pool_default(int device) {
  struct gp_pool *pool = &defaults[device];
  pthread_mutex_lock(&lock);
  if (!pool->magic) {
    *pool = gp_pool_fresh(&(struct gp_cuda_pool_properties){.allocation_type = ALLOCATION_PINNED,
                                                            .location = {LOCATION_DEVICE, device}});
    pool->is_default = true;
  }
  pthread_mutex_unlock(&lock);
  return pool;
}

struct gp_pool *gp_pool_find(void *handle) {
  struct gp_pool *pool = handle;
  return pool && pool->magic == POOL && !pool->destroyed ? pool : NULL;
}

/* ---- Amounts ------------------------------------------------------------------------------------------- */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

void gp_pool_takes(struct gp_pool *pool, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  pool->used += bytes;
  pool->reserved = larger(pool->reserved, (pool->used + CHUNK - 1) / CHUNK * CHUNK);
  pool->most_used = larger(pool->most_used, pool->used);
  pool->most_reserved = larger(pool->most_reserved, pool->reserved);
  pthread_mutex_unlock(&lock);
}

/* Reserved, unused memory above `keep` is given back. */
static void trim(struct gp_pool *pool, uint64_t keep) {
  uint64_t needed = (pool->used + CHUNK - 1) / CHUNK * CHUNK;
  if (pool->reserved > keep)
    pool->reserved = larger(needed, keep / CHUNK * CHUNK);
}

void gp_pool_trim(struct gp_pool *pool, uint64_t keep) {
  pthread_mutex_lock(&lock);
  trim(pool, keep);
  pthread_mutex_unlock(&lock);
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

void gp_pool_destroy(struct gp_pool *pool) {
  pthread_mutex_lock(&lock);
  pool->destroyed = true;
  bool empty = !pool->used;
  pthread_mutex_unlock(&lock);
  if (empty) {
    pool->magic = 0;
    free(pool);
  }
}
