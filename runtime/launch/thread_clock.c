// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/thread_clock.h"

#include "base/ticks.h"

#define SPAN_NS 200000
#define LONGEST_READING_NS 200 /* of both clocks; longer ones were interrupted */
#define ATTEMPTS 3

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The reading with the least time between, or the first that is short enough. */
static void set(struct gp_thread_clock *clock) {
  uint64_t least = UINT64_MAX;
  clock->tick_ns = gp_ticks_ns_lately();
  clock->span = (uint64_t)(SPAN_NS / clock->tick_ns);
  for (int i = 0; i < ATTEMPTS && least > (uint64_t)(LONGEST_READING_NS / clock->tick_ns); i++) {
    const uint64_t before = gp_ticks(), ns = gp_now(), after = gp_ticks();
    if (after - before >= least)
      continue;
    least = after - before;
    clock->ticks = before + least / 2;
    clock->ns = ns;
  }
}

/* Ticks may lie before the moment of the readings. */
static uint64_t ns_of(const struct gp_thread_clock *clock, uint64_t ticks) {
  return clock->ns + (uint64_t)(int64_t)((double)(int64_t)(ticks - clock->ticks) * clock->tick_ns);
}

struct gp_call_times gp_thread_clock_times(struct gp_thread_clock *clock, uint64_t start_ticks, uint64_t end_ticks) {
  if (!gp_ticks_of_processor)
    return (struct gp_call_times){start_ticks, end_ticks};
  if (end_ticks - clock->ticks > clock->span)
    set(clock);
  const uint64_t start = later(ns_of(clock, start_ticks), clock->latest), end = later(ns_of(clock, end_ticks), start);
  clock->latest = end;
  return (struct gp_call_times){start, end};
}
