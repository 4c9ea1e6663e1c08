/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host times of region paths. Each thread has its own times of a path, written by it alone; a document reads them
 * at any moment. Times are in ticks (base/ticks.h) and stand still while gpuprof is disabled.
 */
#ifndef GP_HOST_TIMES_H
#define GP_HOST_TIMES_H

#include "base/ticks.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct gp_context;

/* Executions whose times are kept; of more, a random sample of this size and half of it. */
#define GP_HOST_SAMPLES 512u

/* Known from the second execution on. */
struct gp_host_samples {
  uint64_t minimum, maximum;
  uint64_t random;
  uint32_t skip, stride; /* executions until the next one kept; their mean distance */
  uint32_t kept, capacity;
  uint64_t ticks[];
};

/* The times of a path on one thread. They outlive the thread: the next one that takes the path goes on with
 * them. Small: each path has at least one. */
struct gp_host_times {
  struct gp_host_times *next;          /* of the same context */
  struct gp_host_times *next_of_owner;
  _Atomic uint32_t owner; /* number of the thread; 0: the thread has ended */
  _Atomic uint32_t version; /* odd while the owner changes it */
  _Atomic uint64_t open_since; /* 0: not open on this thread */
  _Atomic uint64_t count, total; /* executions that have ended */
  _Atomic uint64_t waiting_ns; /* in calls that wait, outside of regions within it */
  _Atomic(struct gp_host_samples *) samples; /* null: fewer than two executions, or no memory */
};

/* ---- The clock of regions ---- */

/* Ticks that passed while gpuprof was disabled, and when it was disabled (0: it is not). */
extern _Atomic uint64_t gp_host_paused, gp_host_paused_since;

static inline uint64_t gp_host_clock(void) {
  const uint64_t since = atomic_load_explicit(&gp_host_paused_since, memory_order_relaxed);
  return (since ? since : gp_ticks()) - atomic_load_explicit(&gp_host_paused, memory_order_relaxed);
}
void gp_host_clock_stop(void);
void gp_host_clock_go_on(void);

/* ---- Executions, on the owner's thread ---- */

/* Keeps a second and later execution for the quantiles. */
void gp_host_times_sample(struct gp_host_times *times, uint64_t first, uint64_t ticks);

/* Executions of at least this many ticks are told to a listener, on their thread, at their end. One listener; null:
 * none. */
typedef void gp_host_times_listener(const struct gp_context *context, uint64_t ticks);
extern _Atomic uint64_t gp_host_long_ticks;
void gp_host_times_listen(gp_host_times_listener *listener, uint64_t least_ticks);
void gp_host_times_tell(const struct gp_context *context, uint64_t ticks);

static inline void gp_host_times_open(struct gp_host_times *times, uint64_t now) {
  atomic_store_explicit(&times->open_since, now, memory_order_relaxed);
}

/* `context`: the path. */
static inline void gp_host_times_close(struct gp_host_times *times, const struct gp_context *context, uint64_t now) {
  const uint64_t since = atomic_load_explicit(&times->open_since, memory_order_relaxed);
  const uint64_t count = atomic_load_explicit(&times->count, memory_order_relaxed);
  const uint64_t total = atomic_load_explicit(&times->total, memory_order_relaxed);
  const uint64_t ticks = now > since ? now - since : 0; /* processors' counters may differ a little */
  const uint32_t version = atomic_load_explicit(&times->version, memory_order_relaxed);
  atomic_store_explicit(&times->version, version + 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&times->open_since, 0, memory_order_release);
  atomic_store_explicit(&times->count, count + 1, memory_order_release);
  atomic_store_explicit(&times->total, total + ticks, memory_order_release);
  atomic_store_explicit(&times->version, version + 2, memory_order_release);
  if (count)
    gp_host_times_sample(times, total, ticks);
  if (ticks >= atomic_load_explicit(&gp_host_long_ticks, memory_order_relaxed))
    gp_host_times_tell(context, ticks);
}

static inline void gp_host_times_wait(struct gp_host_times *times, uint64_t ns) {
  const uint64_t waited = atomic_load_explicit(&times->waiting_ns, memory_order_relaxed);
  atomic_store_explicit(&times->waiting_ns, waited + ns, memory_order_relaxed);
}

/* ---- Reading, on any thread; the caller holds gp_context_lock() ---- */

struct gp_host_reading {
  uint64_t count, total; /* executions that have ended */
  uint64_t open;         /* of the execution under way until `now` */
  uint64_t waiting_ns;
};
struct gp_host_reading gp_host_times_read(const struct gp_host_times *times, uint64_t now);

#endif
