// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_hook.h"

#include "base/clock.h"
#include "base/demangle.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "base/settings.h"
#include "base/state.h"
#include "base/ticks.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "clones/warp_bytes.h"
#include "core/counters.h"
#include "core/gate.h"
#include "core/host_waits.h"
#include "core/kernels.h"
#include "core/launch_digest.h"
#include "core/memory_writes.h"
#include "core/ranges.h"
#include "core/uncounted.h"
#include "core/warmup.h"
#include "launch/energy_sampler.h"
#include "launch/launch_again.h"
#include "launch/launch_plan.h"
#include "launch/launch_threads.h"
#include "launch/launch_times.h"
#include "launch/twin_arguments.h"
#include "launch/twin_launch.h"
#include "sheet/lane_bytes.h"
#include "timeline/timeline.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic int begun;

static _Thread_local int known; /* launches in progress known to the core */

int gp_launch_is_known(void) { return known > 0; }
void gp_launch_hide(int change) { known += change; }

/* Calls are timed by a clock of their own, so a sum of few of them may be larger. */
uint64_t gp_launches_hook_ns(void) {
  const struct gp_own_sum sum = gp_own_cost_launches();
  const double tick_ns = sum.launches ? gp_ticks_ns() : 0;
  const uint64_t all_ns = (uint64_t)((double)sum.ticks * tick_ns), again_ns = (uint64_t)(gp_launches_again_ticks() * tick_ns);
  return (all_ns > sum.calls_ns ? all_ns - sum.calls_ns : 0) + again_ns;
}
uint64_t gp_launches_hooked(void) { return gp_own_cost_launches().launches + gp_repeats_count(); }
int gp_launches_begun(void) { return atomic_load(&begun); }

static _Atomic(const char *) off_because; /* of a forked child, until it is told */

void gp_launches_begin_anew(void) {
  atomic_store(&begun, 0);
  gp_launch_threads_in_child();
  gp_repeats_begin_anew();
  gp_own_cost_begin_anew();
}

void gp_launches_are_off(const char *why) { atomic_store(&off_because, why); }

void gp_launches_tell_off(void) {
  const char *why = atomic_exchange(&off_because, NULL);
  if (why)
    gp_log(GP_WARN, "fork", "kernels of process %ld are not counted: %s", (long)getpid(), why);
}

/* ---- The hook ---- */

struct call {
  int (*call)(void *closure);
  void *closure;
  uint64_t ns; /* spent in it */
  uint64_t start, end; /* of the last one */
  int is_sample; /* of gpuprof's own cost */
  uint64_t ticks; /* then: spent in it */
};

static void begin_call(struct call *call) {
  call->ticks -= call->is_sample ? gp_ticks() : 0;
  call->start = gp_now();
}

static void end_call(struct call *call) {
  call->end = gp_now();
  call->ns += call->end - call->start;
  call->ticks += call->is_sample ? gp_ticks() : 0;
}

static int do_call(struct call *call) {
  begin_call(call);
  const int result = call->call(call->closure);
  end_call(call);
  return result;
}

static int repeat_call(void *call) { return do_call(call); }

static uint64_t threads_of(const struct gp_launch *launch) {
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++)
    threads *= (uint64_t)launch->grid[i] * launch->block[i];
  return threads;
}

/* An instrumented kernel loads the address of its counters once a warp, also with counters off. */
static uint64_t own_bytes_of(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; i++) {
    blocks *= launch->grid[i];
    threads *= launch->block[i];
  }
  return gp_kernel_counts_itself(kernel) ? sizeof(uint64_t) * blocks * ((threads + 31) / 32) : 0;
}

static uint64_t constants_of(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  return gp_device()->constants ? gp_device()->constants(kernel->name) * threads_of(launch) : 0;
}

/* Reads the hardware counters of the launch with gpuprof's counters off: they see only the program's work. */
static void measure(struct gp_kernel *kernel, const struct gp_launch *launch, struct call *call,
                    struct gp_hardware_sum *sum) {
  gp_kernel_bind_counters(kernel, NULL, launch->device, launch->stream);
  const char *why = gp_device()->measure(gp_hardware_plan(), repeat_call, call, sum);
  if (why) {
    sum->launches = 0;
    gp_log(GP_WARN, "GPUPROF_HARDWARE", "hardware counters are not read: %s", why);
    return;
  }
  int ran, error;
  gp_warp_bytes_count(kernel, launch, &sum->warps, &ran, &error);
  if (!sum->launches)
    return;
  sum->own_bytes = own_bytes_of(kernel, launch);
  sum->constants = constants_of(kernel, launch);
  sum->wordwise = gp_device()->loads_words && gp_device()->loads_words(kernel->name);
  gp_lane_shares_of(&sum->shares, launch->block);
}

/* `facts`: null if they come later, or never. */
static void count_launch(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                         const struct gp_hardware_sum *hardware, const struct gp_launch_facts *facts) {
  const struct gp_launch_shape shape = gp_launch_shape_of(launch);
  gp_records_lock();
  record->launches++;
  gp_warmup_launched(record);
  record->threads += threads_of(launch);
  record->plain_launches += plan->is_plain;
  record->plain_threads += plan->is_plain ? threads_of(launch) : 0;
  record->untimed_launches += plan->drops_time;
  gp_launch_digest_add(&record->digest, gp_launch_digest_of(launch));
  gp_hardware_add_to(&record->hardware, hardware);
  gp_launch_shapes_add(&record->shapes, &shape);
  if (facts)
    gp_launch_facts_add(record, facts);
  gp_records_unlock();
  const char *uncounted = gp_settings()->times_only ? "this run was for times alone (GPUPROF_TIMES_ONLY)" : gp_record_uncounted(record);
  if (uncounted)
    gp_uncounted_of(record, 1, uncounted);
}

/* ---- Forward: the replacement given by the plan, or the kernel itself ---- */

/* Another module may hold the kernel with counters of its own, or with a clone: the launch is then counted all the same. */
static int counts_otherwise(const struct gp_launch_plan *plan, const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_kernel_instance *instance = &kernel->instances[i];
    if (!gp_instance_sheet(instance)->has_twin && !(plan->objection && gp_instance_is_cloned(instance)))
      return 1;
  }
  return !kernel->instance_count;
}

static void tell_lost_counts(const struct gp_launch_plan *plan, struct gp_record *record, const char *why) {
  const struct gp_kernel *kernel = record->kernel;
  if (counts_otherwise(plan, kernel))
    return;
  gp_log(GP_WARN, kernel->name, "some of its launches are not counted: %s", why);
  gp_uncounted_of(record, 1, why);
}

static int forward_uncounted(const struct gp_launch_plan *plan, struct gp_record *record, struct call *call, const char *why) {
  const int error = do_call(call);
  if (!error)
    tell_lost_counts(plan, record, why);
  return error;
}

/* The kernel with counters, or the kernel itself with its counts lost. Returns whether the former ran. */
static int run_instrumented(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                            struct call *call, int *error) {
  const struct call before = *call;
  struct gp_launch counted = *launch;
  struct gp_twin_arguments arguments;
  const char *why = "memory is exhausted";
  *error = 0;
  begin_call(call);
  if (gp_twin_arguments_add(&arguments, record->kernel, plan->gives_counters ? record->counters[0] : 0, &counted))
    why = gp_twin_launch(record->kernel, &counted, error);
  gp_twin_arguments_free(&arguments);
  if (!why) {
    end_call(call);
    return 1;
  }
  *call = before;
  *error = forward_uncounted(plan, record, call, why);
  return 0;
}

static int forward_instrumented(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                                struct call *call) {
  struct gp_kernel *kernel = record->kernel;
  int error = 0;
  const int refused = plan->gives_counters ? gp_kernel_allocate_instrumented(record)
                                           : gp_kernel_bind_instrumented(kernel, record, launch->device, launch->stream);
  if (refused)
    return forward_uncounted(plan, record, call, gp_device()->error_text(refused));
  if (!run_instrumented(plan, record, launch, call, &error))
    return error;
  if (!gp_kernel_tells(kernel, GP_REMARK_INSTRUMENTED, plan->objection))
    return error;
  gp_remark(kernel->name, "some of its launches ran a copy with counters: %s", plan->objection);
  if (!plan->awaits)
    gp_remark(kernel->name, "its unique bytes are not known: some of its launches ran a copy with counters, which marks none");
  return error;
}

static int forward(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch, struct call *call,
                   struct gp_hardware_sum *hardware) {
  int error, ran;
  if (plan->objection && plan->marks_in_place)
    gp_remark(record->kernel->name, "its unique bytes are not known: a copy with counters ran in its place");
  if (plan->objection)
    return forward_instrumented(plan, record, launch, call);
  if (plan->marks_in_place && !gp_addresses_launch_marking(record, launch, &error))
    return error;
  if (plan->compares_lanes_in_place) {
    gp_warp_bytes_count(record->kernel, launch, &hardware->warps, &ran, &error);
    if (ran)
      return error;
  }
  if (!plan->runs_twin || (plan->gives_counters && !record->counters[0])) /* null: without memory for them */
    return do_call(call);
  run_instrumented(plan, record, launch, call, &error);
  return error;
}

/* ---- Finish ---- */

/* Returns 1 if launches like it need nothing but to be counted for the tallies. */
static int finish(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                  struct gp_launch_tallies *tallies) {
  int repeats = 1;
  *tallies = (struct gp_launch_tallies){NULL, NULL, 0};
  if (plan->clone_counts)
    repeats = gp_clones_launched(record, launch, &tallies->clone, &tallies->latest_write);
  if (!gp_settings()->times_only)
    repeats &= gp_addresses_launched(record, launch, &tallies->footprints);
  return repeats;
}

/* GPUPROF_COUNTS_ONLY: the launch is counted and does not happen. */
static void finish_unlaunched(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch) {
  const struct gp_hardware_sum none = {.launches = 0};
  struct gp_launch_tallies tallies;
  assert(!plan->launches && !plan->awaits && !plan->objection); /* these concern running kernels only */
  count_launch(plan, record, launch, &none, NULL);
  if (plan->clone_counts)
    finish(plan, record, launch, &tallies);
  else if (record->kernel->instance_count)
    gp_uncounted_of(record, 1, "with GPUPROF_COUNTS_ONLY=1 no kernel runs, and the counts of this one are no function of the launch, or "
                            "it has no clone that finds them (compile with -fplugin-arg-gpuprof-count=clone)");
}

/* ---- One launch, planned and bound ---- */

/* Without a record: nothing counts the launch, or memory is exhausted. */
static int launch_unrecorded(const struct gp_launch_plan *plan, struct gp_kernel *kernel, struct call *call) {
  const int error = plan->launches ? do_call(call) : 0;
  if (plan->context && !error)
    gp_uncounted_launch(kernel->name, plan->context, "memory is exhausted");
  return error;
}

static int run_bound(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch, struct call *call,
                     struct gp_hardware_sum *hardware) {
  struct gp_kernel *kernel = record->kernel;
  const int frees_lock = plan->frees_lock && !gp_counters_have_steps(record); /* steps are in the order of launches */
  if (frees_lock)
    gp_kernel_let_launch(kernel, launch->device, plan->gives_counters);
  gp_device()->launch_begin(launch);
  const int error = forward(plan, record, launch, call, hardware);
  gp_device()->launch_end(launch, error);
  if (frees_lock)
    gp_kernel_has_launched(kernel, launch->device, plan->gives_counters);
  return error;
}

/* The device reports facts within the call. All others are awaited after it. */
static int run_with_facts(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                          struct call *call, struct gp_hardware_sum *hardware, struct gp_execution *execution,
                          struct gp_launch_facts *facts) {
  gp_launch_facts_begin(facts, launch->id);
  facts->drops_time = plan->drops_time;
  const int error = run_bound(plan, record, launch, call, hardware);
  gp_launch_facts_end(facts);
  if (error || facts->has_time)
    gp_execution_launch_done(execution, facts->duration_ns, !error && !plan->drops_time);
  else
    gp_launch_times_await(launch->id, record, execution, plan->drops_time);
  return error;
}

static int run_with_later_facts(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                                struct call *call, struct gp_hardware_sum *hardware, struct gp_execution *execution) {
  gp_launch_times_await(launch->id, record, execution, plan->drops_time);
  const int error = run_bound(plan, record, launch, call, hardware);
  if (error)
    gp_launch_times_cancel(launch->id);
  return error;
}

/* A stopped kernel has counted a part of its work, or nothing. */
static void tell_failure(struct gp_record *record, struct gp_launch_failure failure) {
  char why[160];
  snprintf(why, sizeof why, failure.ran ? "the kernel stopped with '%s' before its end" : "%s", failure.error);
  if (!gp_record_uncounted(record))
    gp_uncounted_of(record, 1, why);
}

/* The device cannot run a kernel that the program has: the launch is one without counts. */
static void count_refused(const struct gp_launch_plan *plan, struct gp_record *record, const struct gp_launch *launch,
                          struct gp_launch_failure failure) {
  const struct gp_hardware_sum none = {.launches = 0};
  if (!failure.error || failure.ran)
    return;
  count_launch(plan, record, launch, &none, NULL);
  tell_failure(record, failure);
}

/* The error stays the program's. Its cause may be the registers of counters in the kernel. */
static void tell_refused(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  if (!gp_device()->most_threads || !kernel->instance_count || !gp_kernel_counts_itself(kernel))
    return;
  const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  const unsigned most = gp_device()->most_threads(launch, "");
  if (most && threads > most)
    gp_log(GP_WARN, kernel->name,
           "a launch in blocks of %llu threads was refused: with its counters it has registers for %u; give it "
           "__launch_bounds__(%llu), or compile it without -fplugin-arg-gpuprof-count=inkernel and -fplugin-arg-gpuprof-twins=off",
           (unsigned long long)threads, most, (unsigned long long)threads);
}

/* The thread may make the launch again. */
static void keep_repeat(const struct gp_launch_plan *plan, struct gp_launch_thread *own, const struct gp_launch *launch,
                        struct gp_repeat *repeat) {
  const struct gp_record *record = repeat->record;
  if (launch->has_argument_block || launch->attribute_count || gp_record_uncounted(record) || gp_counters_have_steps(record) ||
      (plan->gives_counters && !record->counters[0]))
    return;
  repeat->gives_counters = plan->gives_counters;
  gp_repeats_add(own, launch, repeat);
}

static int launch_bound(const struct gp_launch_plan *plan, struct gp_record *record, struct gp_launch *launch, struct call *call,
                        struct gp_hardware_sum *hardware, struct gp_execution *execution) {
  assert(plan->context && plan->launches);
  struct gp_launch_facts facts;
  const int told_in_call = plan->awaits && gp_device()->tells_in_call;
  int error;
  const uint64_t generation = gp_launch_generation_now();
  struct gp_launch_thread *own = gp_launch_thread();
  struct gp_launch_tallies tallies;
  launch->id = gp_launch_next_id(own);
  gp_launch_take_failure(); /* of calls that launched nothing */
  if (told_in_call)
    error = run_with_facts(plan, record, launch, call, hardware, execution, &facts);
  else if (plan->awaits)
    error = run_with_later_facts(plan, record, launch, call, hardware, execution);
  else
    error = run_bound(plan, record, launch, call, hardware);
  const struct gp_launch_failure failure = gp_launch_take_failure();
  if (error) {
    count_refused(plan, record, launch, failure);
    tell_refused(record->kernel, launch);
    return error;
  }
  if (plan->awaits && call->end) {
    gp_launch_times_issued(launch->id, launch->stream, call->end);
    gp_timeline_launched(launch, record, call->start, call->end);
  }
  const int repeats = !failure.error && finish(plan, record, launch, &tallies) && plan->repeats;
  count_launch(plan, record, launch, hardware, told_in_call ? &facts : NULL);
  if (failure.error)
    tell_failure(record, failure);
  if (told_in_call && facts.has_time)
    gp_timeline_kernel_in_call(launch, record, facts.start_ns, facts.duration_ns, facts.source);
  if (repeats && own)
    keep_repeat(plan, own, launch, &(struct gp_repeat){.record = record, .tallies = tallies, .generation = generation});
  return 0;
}

static struct gp_record *bind(const struct gp_launch_plan *plan, struct gp_kernel *kernel, const struct gp_launch *launch) {
  if (plan->gives_counters)
    return gp_kernel_give_counters(kernel, plan->context, launch->device);
  return (plan->is_plain ? gp_kernel_bind_nothing : gp_kernel_bind_counters)(kernel, plan->context, launch->device, launch->stream);
}

static int launch_counted(struct gp_kernel *kernel, struct gp_launch *launch, struct call *call) {
  struct gp_here here = gp_regions_here();
  struct gp_hardware_sum hardware;
  hardware.launches = 0; /* without values: there are many */
  hardware.warps = (struct gp_warp_bytes){0};
  int error = 0;
  gp_kernel_lock(kernel);
  const struct gp_launch_plan plan = gp_launch_plan(kernel, launch, &here);
  gp_memory_written_by(kernel, launch);
  gp_kernel_ask_resources(kernel, launch->function);
  if (plan.measures)
    measure(kernel, launch, call, &hardware);
  struct gp_record *record = bind(&plan, kernel, launch);
  const int bound = record && plan.launches;
  if (bound)
    error = launch_bound(&plan, record, launch, call, &hardware, here.execution);
  else if (record)
    finish_unlaunched(&plan, record, launch);
  else
    error = launch_unrecorded(&plan, kernel, call);
  gp_memory_written_by(kernel, launch);
  if (!plan.is_plain && !plan.gives_counters)
    gp_kernel_launched(kernel, launch->device, launch->stream);
  gp_kernel_unlock(kernel);
  if (!plan.context && !error)
    gp_uncounted_ignored(kernel->name);
  if (!bound || !plan.awaits)
    gp_execution_launch_done(here.execution, 0, 0);
  return error;
}

/* ---- Unplanned launches ---- */

/* While a stream is captured into a graph nothing may be stored or waited for: the launch will run later,
 * perhaps often (cuda/graphs.h). */
static int launch_captured(const struct gp_kernel *kernel, struct call *call) {
  if (!gp_device()->replays_graphs)
    gp_remark(kernel->name, "it was captured into a graph: its runs there are launches, and count for the region that launches "
                            "the graph; their times are not known");
  return do_call(call);
}

/* Opens a range named after the kernel, below those of the regions. */
static void show_launch(struct gp_kernel *kernel) {
  gp_records_lock();
  if (!kernel->shown_name && !(kernel->shown_name = gp_demangle(kernel->name)))
    kernel->shown_name = kernel->name;
  uint64_t launch = kernel->shown_launches++;
  gp_records_unlock();
  gp_launch_range_push(&kernel->nvtx, kernel->shown_name, launch);
}

/* Launches may name a kernel by its stub, or by handles of the driver and of the CUDA runtime. */
static struct gp_kernel *kernel_of(struct gp_launch *launch) {
  struct gp_kernel *kernel = gp_kernel_of(launch->function);
  const void *stub = kernel || !gp_device()->stub ? NULL : gp_device()->stub(launch->function);
  if (!stub)
    return kernel;
  launch->function = stub;
  return gp_kernel_of(stub);
}

static void tell_unknown(const char *name) {
  const struct gp_context *context = gp_regions_context();
  if (context)
    gp_uncounted_launch(name, context, "it is of a module that the program has loaded by itself, which gpuprof does not know");
  else
    gp_uncounted_ignored(name);
}

/* What the launch writes is not known. */
static int launch_anywhere(struct call *call) {
  gp_memory_written_anywhere();
  const int error = do_call(call);
  gp_memory_written_anywhere();
  return error;
}

/* For a handle of a module loaded by the program itself. */
static int launch_unknown(const struct gp_launch *launch, struct call *call) {
  int error = launch_anywhere(call);
  const char *name = error || !gp_device()->name ? NULL : gp_device()->name(launch->function);
  if (name && gp_state() == GP_ON)
    tell_unknown(name);
  return error;
}

/* With the counters off: a clone's counts would be unknown, and one of two ways of counting would be
 * missing. */
static int launch_without_arguments(struct gp_kernel *kernel, const struct gp_launch *launch, struct call *call) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_context() : NULL;
  gp_kernel_lock(kernel);
  gp_kernel_bind_counters(kernel, NULL, launch->device, launch->stream);
  int error = launch_anywhere(call);
  gp_kernel_unlock(kernel);
  if (!context && !error)
    gp_uncounted_ignored(kernel->name);
  struct gp_record *record = context && !error ? gp_kernel_record(kernel, context, launch->device) : NULL;
  const struct gp_hardware_sum none = {.launches = 0};
  if (!record)
    return error;
  const struct gp_launch_plan uncounted = {.launches = 1};
  count_launch(&uncounted, record, launch, &none, NULL);
  if (!gp_record_uncounted(record))
    gp_uncounted_of(record, 1, "its arguments are one block of memory, of which the driver does not say the layout");
  return error;
}

static int launch_hooked(struct gp_launch *launch, struct call *call) {
  const struct gp_device_ops *device = gp_device();
  if (gp_state() == GP_ON)
    gp_before_counted_launch();
  struct gp_kernel *kernel = kernel_of(launch);
  if (!kernel)
    return launch_unknown(launch, call);
  if (device->current(&launch->device) || launch->device < 0 || launch->device >= GP_DEVICES)
    return launch_anywhere(call);
  int shown = gp_state() == GP_ON && gp_ranges_heard();
  if (shown)
    show_launch(kernel);
  int captured = device->capturing(launch->stream);
  int result = captured                      ? launch_captured(kernel, call)
               : launch->has_argument_block ? launch_without_arguments(kernel, launch, call)
                                            : launch_counted(kernel, launch, call);
  if (shown)
    gp_launch_range_pop();
  if (captured)
    return result;
  gp_device_in_use();
  gp_energy_begin();
  gp_report_changed();
  return result;
}

int gp_launch(struct gp_launch launch, int (*call)(void *closure), void *closure) {
  enum gp_state state = gp_state();
  if (state == GP_OFF || (state == GP_PAUSED && !gp_launches_begun())) {
    if (atomic_load_explicit(&off_because, memory_order_relaxed))
      gp_launches_tell_off();
    return call(closure);
  }
  int again;
  if (state == GP_ON && gp_launch_again(&launch, call, closure, &again))
    return again;
  gp_before_launch();
  struct call inner = {.call = call, .closure = closure, .is_sample = gp_own_cost_samples_launch()};
  const uint64_t start = gp_ticks();
  atomic_store_explicit(&begun, 1, memory_order_relaxed);
  gp_launch_hide(1);
  gp_gate_enter();
  int result = launch_hooked(&launch, &inner);
  gp_gate_leave();
  gp_launch_hide(-1);
  if (!gp_device()->idle) /* the launch has ended */
    gp_host_waited(inner.ns);
  const uint64_t ticks = gp_ticks() - start;
  gp_own_cost_launched(ticks, inner.ns);
  if (inner.is_sample)
    gp_own_cost_sample(GP_OWN_LAUNCH, ticks - inner.ticks);
  return result;
}

int gp_launch_twin_blocks(const void *function, int block_size, size_t dynamic_shared_bytes, unsigned flags) {
  int device;
  if (gp_state() == GP_OFF || !gp_device()->sibling_blocks || gp_device()->current(&device) || device < 0 || device >= GP_DEVICES)
    return -1;
  struct gp_kernel *kernel = gp_kernel_of(function);
  if (!kernel)
    return -1;
  gp_kernel_look(kernel, device);
  return gp_kernel_has_twin(kernel)
             ? gp_device()->sibling_blocks(function, GPUPROF_IN_KERNEL_SUFFIX, block_size, dynamic_shared_bytes, flags)
             : -1;
}
