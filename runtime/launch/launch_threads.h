/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What each thread that launches has by itself: the numbers of its launches, those whose times are outstanding
 * (launch_times.h), and those that it repeats (repeats.h). Launching threads share no cache line for them. A later thread
 * goes on with what an ended one had.
 */
#ifndef GP_LAUNCH_THREADS_H
#define GP_LAUNCH_THREADS_H

#include "core/unlocked_launches.h"
#include "launch/thread_clock.h"
#include "timeline/thread_facts.h"

#include <stdint.h>

#define GP_LAUNCH_THREADS 4096u /* at once; launches of further ones get no times */

struct gp_launch_slots;
struct gp_repeats;

struct gp_launch_thread {
  struct gp_thread_heirloom heirloom; /* at the start */
  uint32_t number;          /* from 1 */
  uint64_t launches;        /* so far */
  struct gp_launch_slots *_Atomic slots;     /* launch_times.c; null: none */
  struct gp_repeats *_Atomic repeats;        /* repeats.c; null: none */
  struct gp_thread_clock clock;
  /* Launches that repeated one before; those whose own cost was measured, and its sum. The thread alone writes them. */
  _Atomic uint64_t repeated, samples, sample_ticks;
  struct gp_unlocked_launch unlocked;
};

static inline void gp_launch_thread_sampled(struct gp_launch_thread *own, uint64_t ticks) {
  atomic_store_explicit(&own->samples, atomic_load_explicit(&own->samples, memory_order_relaxed) + 1, memory_order_relaxed);
  atomic_store_explicit(&own->sample_ticks, atomic_load_explicit(&own->sample_ticks, memory_order_relaxed) + ticks,
                        memory_order_relaxed);
}

/* The calling thread's; null without memory, or for too many threads. */
struct gp_launch_thread *gp_launch_thread(void);
/* That of this number, if there is one: numbers begin at 1, and have no gap. */
struct gp_launch_thread *gp_launch_thread_of(uint32_t number);

/* The number of the thread's next launch, unique in the process. `own` may be null. */
uint64_t gp_launch_next_id(struct gp_launch_thread *own);
/* The thread of a launch, or 0, and which of its launches it is. */
static inline uint32_t gp_launch_id_thread(uint64_t id) { return (uint32_t)(id % GP_LAUNCH_THREADS); }
static inline uint64_t gp_launch_id_place(uint64_t id) { return id / GP_LAUNCH_THREADS; }

/* In the child of a fork: what other threads had is free. */
void gp_launch_threads_in_child(void);

#endif
