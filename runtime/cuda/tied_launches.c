// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/tied_launches.h"

#include "base/locks.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "timeline/thread_facts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 8192u /* more than CUPTI's buffer has records, and than a driver has launches under way */

/* A later thread goes on with that of an ended one. */
struct gp_tied_ring {
  struct gp_thread_heirloom heirloom; /* at the start */
  struct gp_tied_ring *next;          /* of all rings, the newest first */
  _Alignas(64) _Atomic uint64_t put;  /* written by the thread */
  uint64_t known_taken;               /* the thread's last look at `taken` */
  _Alignas(64) _Atomic uint64_t taken; /* guarded by the lock */
  _Alignas(64) struct gp_tied_launch launches[LAUNCHES];
};

static _Atomic(struct gp_tied_ring *) rings;
GP_MUTEX(lock, GP_LOCK_TIED_LAUNCHES)

static struct gp_tied_ring *left_by_another(void) {
  for (struct gp_tied_ring *ring = atomic_load(&rings); ring; ring = ring->next) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&ring->heirloom.is_owned, &nobody, 1))
      return ring;
  }
  return NULL;
}

static struct gp_tied_ring *make(void) {
  struct gp_tied_ring *ring = aligned_alloc(_Alignof(struct gp_tied_ring), sizeof *ring);
  if (!ring) {
    gp_log_exhausted("kernel times");
    return NULL;
  }
  memset(ring, 0, sizeof *ring);
  gp_own_memory_add(GP_OWN_HOST, sizeof *ring);
  atomic_init(&ring->heirloom.is_owned, 1);
  ring->next = atomic_load(&rings);
  while (!atomic_compare_exchange_weak(&rings, &ring->next, ring))
    ;
  return ring;
}

static struct gp_tied_ring *own_ring(void) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (!own || own->tied)
    return own ? own->tied : NULL;
  if (!(own->tied = left_by_another()))
    own->tied = make();
  own->left[1] = own->tied ? &own->tied->heirloom : NULL;
  return own->tied;
}

int gp_tied_launches_put(struct gp_tied_launch launch) {
  struct gp_tied_ring *ring = own_ring();
  if (!ring)
    return 0;
  const uint64_t place = atomic_load_explicit(&ring->put, memory_order_relaxed);
  if (place - ring->known_taken == LAUNCHES)
    ring->known_taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
  if (place - ring->known_taken == LAUNCHES)
    return 0;
  ring->launches[place % LAUNCHES] = launch;
  atomic_store_explicit(&ring->put, place + 1, memory_order_release);
  return 1;
}

static uint32_t take_from(struct gp_tied_ring *ring, struct gp_tied_launch *launches, uint32_t room) {
  gp_assert_held(&lock);
  const uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
  const uint64_t waiting = atomic_load_explicit(&ring->put, memory_order_acquire) - taken;
  const uint32_t count = waiting < room ? (uint32_t)waiting : room;
  for (uint32_t i = 0; i < count; i++)
    launches[i] = ring->launches[(taken + i) % LAUNCHES];
  if (count)
    atomic_store_explicit(&ring->taken, taken + count, memory_order_release);
  return count;
}

uint32_t gp_tied_launches_take(struct gp_tied_launch *launches, uint32_t room) {
  uint32_t count = 0;
  pthread_mutex_lock(&lock);
  for (struct gp_tied_ring *ring = atomic_load(&rings); ring && count < room; ring = ring->next)
    count += take_from(ring, launches + count, room - count);
  pthread_mutex_unlock(&lock);
  return count;
}

uint64_t gp_tied_launches_count(void) {
  uint64_t count = 0;
  for (struct gp_tied_ring *ring = atomic_load(&rings); ring; ring = ring->next)
    count += atomic_load_explicit(&ring->put, memory_order_relaxed);
  return count;
}
