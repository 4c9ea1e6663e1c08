// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/locks.h"
#include "cuda/correlation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An entry lies at its correlation id modulo the number of slots. Ids rise by one an API call. Two live
 * entries therefore meet only if they are SLOTS calls apart; the older one is then given up. */
#define SLOTS (1u << 18)

enum half { EMPTY, LAUNCH, KERNEL };

struct entry {
  uint32_t correlation;
  enum half half;
  uint64_t a, b; /* LAUNCH: its id; KERNEL: start and duration */
};

static struct entry *entries;
static uint64_t waiting;
GP_MUTEX(lock, GP_LOCK_CORRELATION)

/* The caller holds the lock. */
static struct entry *entry_of(uint32_t correlation) {
  gp_assert_held(&lock);
  if (!entries)
    entries = calloc(SLOTS, sizeof *entries);
  return entries ? &entries[correlation % SLOTS] : NULL;
}

/* Meets the other half, or stores this one; returns 1 and the stored half in *found if they met. */
static int meet(struct entry half, struct entry *found) {
  int met = 0;
  pthread_mutex_lock(&lock);
  struct entry *e = entry_of(half.correlation);
  if (e && e->half != EMPTY && e->half != half.half && e->correlation == half.correlation) {
    *found = *e;
    e->half = EMPTY;
    waiting--;
    met = 1;
  } else if (e) {
    waiting += e->half == EMPTY;
    *e = half;
  }
  pthread_mutex_unlock(&lock);
  return met;
}

int gp_correlation_launch(uint32_t correlation, uint64_t launch_id, struct gp_correlated *out) {
  struct entry kernel;
  if (!meet((struct entry){correlation, LAUNCH, launch_id, 0}, &kernel))
    return 0;
  *out = (struct gp_correlated){launch_id, kernel.a, kernel.b};
  return 1;
}

int gp_correlation_kernel(uint32_t correlation, uint64_t start_ns, uint64_t duration_ns,
                          struct gp_correlated *out) {
  struct entry launch;
  if (!meet((struct entry){correlation, KERNEL, start_ns, duration_ns}, &launch))
    return 0;
  *out = (struct gp_correlated){launch.a, start_ns, duration_ns};
  return 1;
}

uint64_t gp_correlation_waiting(void) {
  pthread_mutex_lock(&lock);
  uint64_t count = waiting;
  pthread_mutex_unlock(&lock);
  return count;
}

void gp_correlation_reset(void) {
  pthread_mutex_lock(&lock);
  if (entries)
    memset(entries, 0, SLOTS * sizeof *entries);
  waiting = 0;
  pthread_mutex_unlock(&lock);
}
