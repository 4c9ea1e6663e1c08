// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_again.h"

#include "base/own_cost.h"
#include "base/state.h"
#include "base/ticks.h"
#include "core/gate.h"
#include "core/kernels.h"
#include "core/memory_writes.h"
#include "core/ranges.h"
#include "core/regions.h"
#include "launch/launch_hook.h"
#include "launch/launch_threads.h"
#include "launch/launch_times.h"
#include "launch/thread_clock.h"
#include "launch/twin_arguments.h"
#include "launch/twin_launch.h"
#include "timeline/timeline.h"

#include <stddef.h>

#define SAMPLE_EACH 16u

/* The launch under way, and when the program's call, or the twin's in its place, began and ended (ticks). */
struct again {
  struct gp_launch *launch;
  const struct gp_repeat *repeat;
  int (*call)(void *closure);
  void *closure;
  uint64_t start, end;
};

static int run_call(struct again *a) {
  a->start = gp_ticks();
  const int error = a->call(a->closure);
  a->end = gp_ticks();
  return error;
}

/* Returns 0 if the twin could not be launched: nothing was. */
static int run_twin(struct again *a) {
  struct gp_launch counted = *a->launch;
  struct gp_twin_arguments arguments;
  int error = 0;
  if (!gp_twin_arguments_add(&arguments, a->repeat->record->kernel, a->repeat->record->counters[0], &counted))
    return 0;
  a->start = gp_ticks();
  const char *why = gp_twin_launch(a->repeat->record->kernel, &counted, &error);
  a->end = gp_ticks();
  gp_twin_arguments_free(&arguments);
  return !why && !error;
}

/* Returns 1 and the result, or 0 if nothing was launched. */
static int run(struct again *a, int *result) {
  const struct gp_device_ops *device = gp_device();
  *result = 0;
  device->launch_begin(a->launch);
  const int ran = !a->repeat->gives_counters ? *result = run_call(a), 1 : run_twin(a);
  device->launch_end(a->launch, ran ? *result : -1);
  return ran;
}

static int run_timed(struct gp_launch_thread *own, struct again *a, struct gp_repeat *repeat, int *result) {
  struct gp_launch *launch = a->launch;
  struct gp_record *record = repeat->record;
  const struct gp_here here = gp_regions_here();
  launch->id = gp_launch_next_id(own);
  gp_launch_times_await(launch->id, record, here.execution, 0);
  const int ran = run(a, result);
  if (!ran || *result) {
    gp_launch_times_cancel(launch->id);
    return ran;
  }
  const struct gp_call_times times = gp_thread_clock_times(&own->clock, a->start, a->end);
  gp_launch_times_issued(launch->id, launch->stream, times.end);
  gp_timeline_launched(launch, record, times.start, times.end);
  gp_repeats_made(own, repeat);
  return 1;
}

/* Null: it takes the long way. */
static struct gp_repeat *find(struct gp_launch_thread *own, struct gp_launch *launch) {
  const struct gp_device_ops *device = gp_device();
  if (!atomic_load_explicit(&own->repeats, memory_order_relaxed) || launch->has_argument_block || launch->attribute_count ||
      gp_ranges_heard() || atomic_load_explicit(&own->unlocked.kernel, memory_order_relaxed))
    return NULL;
  const struct gp_context *context = gp_regions_context();
  if (!context || device->current(&launch->device))
    return NULL;
  struct gp_repeat *repeat = gp_repeats_find(own, launch, context);
  return repeat && !(device->captured ? device->captured : device->capturing)(launch->stream) ? repeat : NULL;
}

static int run_unlocked(struct gp_launch_thread *own, struct again *a, struct gp_repeat *repeat, int *result) {
  if (!gp_unlocked_launch_begin(&own->unlocked, repeat->record->kernel, repeat->generation))
    return 0;
  gp_memory_written_by(repeat->record->kernel, a->launch);
  const int ran = run_timed(own, a, repeat, result);
  gp_memory_written_by(repeat->record->kernel, a->launch);
  gp_unlocked_launch_end(&own->unlocked);
  return ran;
}

static void sample_cost(struct gp_launch_thread *own, const struct again *a, uint64_t start) {
  const uint64_t cost = gp_ticks() - start - (a->end - a->start);
  gp_own_cost_sample(GP_OWN_LAUNCH, cost);
  gp_launch_thread_sampled(own, cost);
}

int gp_launch_again(struct gp_launch *launch, int (*call)(void *closure), void *closure, int *result) {
  struct gp_launch_thread *own = gp_launch_thread();
  if (!own)
    return 0;
  const uint64_t start = own->launches % SAMPLE_EACH ? 0 : gp_ticks();
  struct gp_repeat *repeat = find(own, launch);
  if (!repeat)
    return 0;
  struct again a = {.launch = launch, .repeat = repeat, .call = call, .closure = closure};
  gp_launch_hide(1);
  gp_gate_enter();
  const int ran = run_unlocked(own, &a, repeat, result);
  gp_gate_leave();
  gp_launch_hide(-1);
  if (!ran)
    return 0;
  gp_report_needed();
  if (start)
    sample_cost(own, &a, start);
  return 1;
}

double gp_launches_again_ticks(void) {
  struct gp_launch_thread *thread;
  uint64_t samples = 0, ticks = 0;
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++) {
    samples += atomic_load_explicit(&thread->samples, memory_order_relaxed);
    ticks += atomic_load_explicit(&thread->sample_ticks, memory_order_relaxed);
  }
  return samples ? (double)ticks / (double)samples * (double)gp_repeats_count() : 0;
}
