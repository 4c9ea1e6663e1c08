// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/host_times.h"

#include "base/own_cost.h"
#include "core/regions.h"

#include <stdlib.h>
#include <string.h>

_Atomic uint64_t gp_host_paused, gp_host_paused_since;

void gp_host_clock_stop(void) { atomic_store(&gp_host_paused_since, gp_ticks()); }

void gp_host_clock_go_on(void) {
  const uint64_t since = atomic_load(&gp_host_paused_since), now = gp_ticks();
  atomic_fetch_add(&gp_host_paused, since && now > since ? now - since : 0);
  atomic_store(&gp_host_paused_since, 0);
}

/* ---- Long executions ---- */

_Atomic uint64_t gp_host_long_ticks = UINT64_MAX;
static _Atomic(gp_host_times_listener *) told;

void gp_host_times_listen(gp_host_times_listener *listener, uint64_t least_ticks) {
  atomic_store(&told, listener);
  atomic_store(&gp_host_long_ticks, listener ? least_ticks : UINT64_MAX);
}

void gp_host_times_tell(const struct gp_context *context, uint64_t ticks) {
  gp_host_times_listener *listener = atomic_load_explicit(&told, memory_order_acquire);
  if (listener)
    listener(context, ticks);
}

/* ---- Samples ---- */

#define FIRST_CAPACITY 8u

static uint64_t next_random(struct gp_host_samples *s) { /* xorshift */
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  return s->random ^= s->random << 17;
}

/* One execution of each `stride`, at random among them. */
static uint32_t distance(struct gp_host_samples *s) {
  return s->stride == 1 ? 1 : 1 + (uint32_t)(next_random(s) % (2 * (uint64_t)s->stride - 1));
}

static void halve(struct gp_host_samples *s) {
  for (uint32_t i = 0; i < s->kept / 2; i++)
    s->ticks[i] = s->ticks[2 * i];
  s->kept /= 2;
  s->stride *= 2;
}

/* Documents read samples with the lock held. Returns null without memory: no more is kept. */
static struct gp_host_samples *grow(struct gp_host_times *times, struct gp_host_samples *s) {
  const uint32_t old = s ? s->capacity : 0, capacity = s ? 8 * old : FIRST_CAPACITY;
  gp_context_lock();
  struct gp_host_samples *grown = realloc(s, sizeof *s + capacity * sizeof *s->ticks);
  if (grown) {
    gp_own_memory_add(GP_OWN_HOST, (int64_t)((old ? 0 : sizeof *s) + (capacity - old) * sizeof *s->ticks));
    if (!s)
      *grown = (struct gp_host_samples){.skip = 1, .stride = 1, .random = 0x9e3779b97f4a7c15u};
    grown->capacity = capacity;
    atomic_store_explicit(&times->samples, grown, memory_order_release);
  }
  gp_context_unlock();
  return grown;
}

static struct gp_host_samples *make_room(struct gp_host_times *times, struct gp_host_samples *s) {
  if (s->kept < s->capacity)
    return s;
  if (s->capacity < GP_HOST_SAMPLES)
    return grow(times, s);
  gp_context_lock();
  halve(s);
  gp_context_unlock();
  return s;
}

static void keep(struct gp_host_times *times, struct gp_host_samples *s, uint64_t ticks) {
  if (!(s = make_room(times, s)))
    return;
  s->skip = distance(s);
  s->ticks[s->kept] = ticks;
  __atomic_store_n(&s->kept, s->kept + 1, __ATOMIC_RELEASE);
}

static struct gp_host_samples *begin(struct gp_host_times *times, uint64_t first) {
  struct gp_host_samples *s = grow(times, NULL);
  if (s) {
    s->minimum = s->maximum = first;
    keep(times, s, first);
  }
  return s;
}

void gp_host_times_sample(struct gp_host_times *times, uint64_t first, uint64_t ticks) {
  struct gp_host_samples *s = atomic_load_explicit(&times->samples, memory_order_relaxed);
  if (!s && !(s = begin(times, first)))
    return;
  if (ticks < s->minimum)
    __atomic_store_n(&s->minimum, ticks, __ATOMIC_RELAXED);
  if (ticks > s->maximum)
    __atomic_store_n(&s->maximum, ticks, __ATOMIC_RELAXED);
  if (!--s->skip)
    keep(times, s, ticks);
}

/* ---- Reading ---- */

/* Attempts to read between two changes by the owner, which take a few ns. */
#define ATTEMPTS 100

struct gp_host_reading gp_host_times_read(const struct gp_host_times *times, uint64_t now) {
  struct gp_host_reading r = {0};
  for (int i = 0; i < ATTEMPTS; i++) {
    const uint32_t version = atomic_load_explicit(&times->version, memory_order_acquire);
    const uint64_t since = atomic_load_explicit(&times->open_since, memory_order_acquire);
    r.count = atomic_load_explicit(&times->count, memory_order_acquire);
    r.total = atomic_load_explicit(&times->total, memory_order_acquire);
    r.open = since && now > since ? now - since : 0;
    if (!(version & 1) && atomic_load_explicit(&times->version, memory_order_relaxed) == version)
      break;
  }
  r.waiting_ns = atomic_load_explicit(&times->waiting_ns, memory_order_relaxed);
  return r;
}
