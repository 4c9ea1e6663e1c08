/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the time line, launches and the GPU know of the calling thread. One pointer in thread memory leads to it: a library
 * that is opened late has little room there. */
#ifndef GP_THREAD_FACTS_H
#define GP_THREAD_FACTS_H

#include <stdatomic.h>
#include <stdint.h>

struct gp_context;
struct gp_launch_thread;
struct gp_open_regions;
struct gp_tied_ring;

/* What a thread owns by itself, and leaves to a later one: it is only added to a list, and never freed. */
struct gp_thread_heirloom {
  _Atomic int is_owned;
};

struct gp_thread_facts {
  /* Its latest launch. Times and executions may wrap: one event more or less is then kept. */
  struct {
    const struct gp_context *context;
    uint32_t time_us, execution;
  } launch;
  uint64_t copy_start;             /* of its latest copy */
  struct gp_open_regions *regions; /* of the trace (trace.c); null: none is open */
  uint32_t id;                     /* gettid(); 0: not asked yet */
  uint32_t is_ending;
  /* Its latest launch that the device could not run or end (launch_times.c); error null: none. */
  const char *launch_error;
  int launch_ran;
  void *launch_events; /* of the launch under way, if events time it (cuda/events.c) */
  char *explanation;   /* of the latest refusal (cuda/profiler.c) */
  void *twins, *refused_twins;       /* launched lately, and not (cuda/recent_twins.c) */
  struct gp_launch_thread *launches; /* launch/launch_threads.c; null: not asked for yet */
  struct gp_tied_ring *tied;         /* cuda/tied_launches.c; the same */
  struct gp_thread_heirloom *left[2]; /* both of them, to be left at the thread's end; null: there is none */
};

/* Made on first use, freed with the thread. Null when memory is exhausted. */
struct gp_thread_facts *gp_thread_facts(void);

#endif
