// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/locks.h"
#include "base/own_cost.h"
#include "cuda/correlation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An entry lies at its correlation id modulo the number of slots. Ids rise by one an API call. Two live
 * entries therefore meet only if they are SLOTS calls apart; the older one is then given up. */
#define SLOTS (1u << 17)

enum half { EMPTY, LAUNCH, WORK };

/* A cache line. */
struct entry {
  uint32_t correlation;
  unsigned char half, kind, device;
  uint64_t a, duration; /* LAUNCH: a is its id; WORK: start and duration */
  const char *name;     /* WORK of a kernel */
  uint32_t stream, shared_bytes, local_bytes, grid[3];
  unsigned short block[3], registers;
};
_Static_assert(sizeof(struct entry) <= 64, "entries are many");

static struct entry *entries;
static uint64_t waiting;
GP_MUTEX(lock, GP_LOCK_CORRELATION)

/* The caller holds the lock. */
static struct entry *entry_of(uint32_t correlation) {
  gp_assert_held(&lock);
  if (!entries && (entries = calloc(SLOTS, sizeof *entries)))
    gp_own_memory_add(GP_OWN_HOST, SLOTS * sizeof *entries);
  return entries ? &entries[correlation % SLOTS] : NULL;
}

static struct entry entry_with(uint32_t correlation, const struct gp_device_work *work, const char *name) {
  struct entry entry = {.correlation = correlation,
                        .half = WORK,
                        .kind = (unsigned char)work->kind,
                        .device = (unsigned char)work->device,
                        .name = name,
                        .a = work->start,
                        .duration = work->end - work->start,
                        .stream = work->stream,
                        .registers = (unsigned short)work->registers,
                        .shared_bytes = work->shared_bytes,
                        .local_bytes = work->local_bytes};
  for (int i = 0; i < 3; i++) {
    entry.grid[i] = work->grid[i];
    entry.block[i] = (unsigned short)work->block[i];
  }
  return entry;
}

static struct gp_device_work work_of(const struct entry *entry) {
  struct gp_device_work work = {.kind = (enum gp_work_kind)entry->kind,
                                .source = GP_TIME_CUPTI,
                                .device = entry->device,
                                .stream = entry->stream,
                                .start = entry->a,
                                .end = entry->a + entry->duration,
                                .registers = entry->registers,
                                .shared_bytes = entry->shared_bytes,
                                .local_bytes = entry->local_bytes};
  for (int i = 0; i < 3; i++) {
    work.grid[i] = entry->grid[i];
    work.block[i] = entry->block[i];
  }
  return work;
}

static gp_correlation_taker *nobodys; /* takes work that was never tied to a launch; null: nobody does */

void gp_correlation_give(gp_correlation_taker *taker) { nobodys = taker; }

static void give_up(const struct entry *work) {
  const struct gp_device_work whole = work_of(work);
  if (nobodys && work->name)
    nobodys(&whole, work->name);
}

/* Meets the other half, or stores this one; returns 1 and the stored half in *found if they met. */
static int meet(struct entry half, struct entry *found) {
  struct entry old = {.half = EMPTY};
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
    old = *e;
    *e = half;
  }
  pthread_mutex_unlock(&lock);
  if (old.half == WORK)
    give_up(&old);
  return met;
}

int gp_correlation_launch(uint32_t correlation, uint64_t launch_id, struct gp_correlated *out) {
  struct entry work;
  if (!meet((struct entry){.correlation = correlation, .half = LAUNCH, .a = launch_id}, &work))
    return 0;
  *out = (struct gp_correlated){launch_id, work_of(&work)};
  return 1;
}

int gp_correlation_work(uint32_t correlation, const struct gp_device_work *work, const char *name, struct gp_correlated *out) {
  struct entry launch;
  if (!meet(entry_with(correlation, work, name), &launch))
    return 0;
  *out = (struct gp_correlated){launch.a, *work};
  return 1;
}

void gp_correlation_give_all(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; entries && i < SLOTS; i++)
    if (entries[i].half == WORK) {
      give_up(&entries[i]);
      entries[i].half = EMPTY;
      waiting--;
    }
  pthread_mutex_unlock(&lock);
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
