#include "core/launch_hook.h"

#include "clones/addresses.h"
#include "clones/clones.h"
#include "clones/pointers_disjoint.h"
#include "clones/warp_bytes.h"
#include "core/clock.h"
#include "core/demangle.h"
#include "core/gate.h"
#include "core/kernels.h"
#include "core/locks.h"
#include "core/log.h"
#include "core/ranges.h"
#include "core/settings.h"
#include "core/state.h"
#include "core/uncounted.h"
#include "core/warmup.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Launches whose time or unique bytes have not arrived yet, by launch id. */
#define PENDING (1u << 16)

struct pending {
  uint64_t id;
  struct gp_record *record;
  struct gp_execution *execution; /* referenced until the time arrives */
  int waiting;                    /* for its time */
};

static struct pending pending[PENDING];
GP_MUTEX(pending_lock, GP_LOCK_PENDING)
static _Atomic uint64_t last_id, hook_ns, hook_calls, lost_times;

static _Atomic int begun;

static _Thread_local int known; /* launches in progress of which the core knows */

int gp_launch_is_known(void) { return known > 0; }
void gp_launch_hide(int change) { known += change; }

uint64_t gp_launches_hook_ns(void) { return hook_ns; }
uint64_t gp_launches_hooked(void) { return hook_calls; }
int gp_launches_begun(void) { return atomic_load(&begun); }
uint64_t gp_launches_untimed(void) { return lost_times; }

/* ---- Waiting for times ---- */

static int slot_is_taken(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  int taken = pending[id % PENDING].waiting;
  pthread_mutex_unlock(&pending_lock);
  return taken;
}

static void await_time(uint64_t id, struct gp_record *record, struct gp_execution *execution) {
  if (slot_is_taken(id))
    gp_device()->flush(); /* so many launches ago: its time must be on the way */
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct gp_execution *abandoned = slot->waiting ? slot->execution : NULL;
  lost_times += slot->waiting;
  *slot = (struct pending){id, record, execution, 1};
  pthread_mutex_unlock(&pending_lock);
  gp_execution_launch_done(abandoned, 0, 0);
}

/* Forgets a launch that did not happen. */
static void cancel(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct gp_execution *execution = slot->id == id && slot->waiting ? slot->execution : NULL;
  if (slot->id == id)
    *slot = (struct pending){0};
  pthread_mutex_unlock(&pending_lock);
  gp_execution_launch_done(execution, 0, 0);
}

void gp_launch_time(uint64_t id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source) {
  (void)start_ns;
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct pending found = slot->id == id && slot->waiting ? *slot : (struct pending){0};
  if (found.record) {
    slot->waiting = 0;
    slot->execution = NULL;
  }
  pthread_mutex_unlock(&pending_lock);
  if (!found.record)
    return;
  gp_records_lock();
  gp_distribution_add(&found.record->time, duration_ns);
  found.record->source = source;
  gp_records_unlock();
  gp_execution_launch_done(found.execution, duration_ns, 1);
}

/* The record of a launch whose facts are still coming in, or null. */
static struct gp_record *pending_record(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct gp_record *record = pending[id % PENDING].id == id ? pending[id % PENDING].record : NULL;
  pthread_mutex_unlock(&pending_lock);
  return record;
}

void gp_launch_unique(uint64_t id, uint64_t unique_bytes) {
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->unique_bytes += unique_bytes;
  record->unique_launches++;
  gp_records_unlock();
}

void gp_launch_requests(uint64_t id, uint64_t requests, uint64_t sectors) {
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->requests += requests;
  record->request_sectors += sectors;
  record->request_launches++;
  gp_records_unlock();
}

/* ---- The hook ---- */

struct call {
  int (*call)(void *closure);
  void *closure;
  uint64_t ns; /* spent in it */
};

static int do_call(struct call *call) {
  uint64_t start = gp_now();
  int result = call->call(call->closure);
  call->ns += gp_now() - start;
  return result;
}

static int repeat_call(void *call) { return do_call(call); }

static uint64_t threads_of(const struct gp_launch *launch) {
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++)
    threads *= (uint64_t)launch->grid[i] * launch->block[i];
  return threads;
}

/* A kernel that carries counters loads their address once a warp, also when they are off. */
static uint64_t own_bytes_of(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; i++) {
    blocks *= launch->grid[i];
    threads *= launch->block[i];
  }
  return kernel->copy_count && !gp_kernel_is_cloned(kernel) ? sizeof(uint64_t) * blocks * ((threads + 31) / 32) : 0;
}

static uint64_t constants_of(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  return gp_device()->constants ? gp_device()->constants(kernel->name) * threads_of(launch) : 0;
}

/* What the hardware counts of the launch with our counters off, so that it sees nothing but the program's work. */
static void measure(struct gp_kernel *kernel, const struct gp_launch *launch, struct call *call,
                    struct gp_hardware_sum *sum) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  if (!plan || !gp_device()->measure)
    return;
  gp_kernel_aim(kernel, NULL, launch->device, launch->stream);
  const char *why = gp_device()->measure(plan, repeat_call, call, sum);
  if (!why) {
    int ran, error;
    gp_kernel_find_copies(kernel, launch->device);
    gp_warp_bytes_count(kernel, launch, &sum->warps, &ran, &error);
    return;
  }
  sum->launches = 0;
  gp_log(GP_WARN, "GPUPROF_HARDWARE", "hardware counters are not read: %s", why);
}

static void count_launch(struct gp_record *record, const struct gp_launch *launch,
                         const struct gp_hardware_sum *hardware) {
  gp_records_lock();
  record->launches++;
  gp_warmup_launched(record);
  record->threads += threads_of(launch);
  gp_hardware_add_to(&record->hardware, hardware);
  gp_records_unlock();
  if (gp_record_uncounted(record))
    gp_uncounted_of(record, 1, gp_record_uncounted(record));
}

/* While a stream is captured into a graph nothing may be stored or waited for: the launch will run later, perhaps
 * often (cuda/graphs.h). */
static int launch_captured(const struct gp_kernel *kernel, struct call *call) {
  if (gp_device()->replays_graphs)
    return do_call(call);
  gp_remark(kernel->name, "it was captured into a graph: its runs there are launches, and count for the region that launches "
                          "the graph; their times are not known");
  return do_call(call);
}

/* GPUPROF_COUNTS_ONLY: no kernel runs. Those whose counts are a function of the launch are counted. */
static int only_counts(void) { return gp_settings()->counts_only && gp_device()->may_skip_kernels; }

static void count_alone(struct gp_record *record, const struct gp_launch *launch) {
  const struct gp_hardware_sum none = {.launches = 0};
  count_launch(record, launch, &none);
  if (gp_kernel_counts_are_free(record->kernel)) {
    gp_clones_launched(record, launch);
    gp_addresses_launched(record, launch);
  } else if (record->kernel->copy_count) {
    gp_uncounted_of(record, 1, "with GPUPROF_COUNTS_ONLY=1 no kernel runs, and the counts of this one are no function of the launch, or "
                            "it has no clone that finds them (compile with -fplugin-arg-gpuprof-count=clone)");
  }
}

/* A kernel whose clone may not count the launch: its copy with counters takes its place. */
static int launch_copy(struct gp_record *record, const struct gp_launch *launch, const char *objection, struct call *call) {
  struct gp_kernel *kernel = record->kernel;
  int error = 0;
  const uint64_t start = gp_now();
  const int refused = gp_kernel_aim_copies(kernel, record, launch->device, launch->stream);
  const char *why = refused ? gp_device()->error_text(refused) : gp_device()->launch_copy(launch, GPUPROF_IN_KERNEL_SUFFIX, &error);
  if (!why) {
    call->ns += gp_now() - start;
    gp_remark(kernel->name, "some of its launches ran a copy with counters: %s", objection);
    if (gp_addresses_untimed())
      gp_remark(kernel->name, "its unique bytes are not known: some of its launches ran a copy with counters, which marks none");
    return error;
  }
  error = do_call(call);
  /* In another module the kernel may have counters of its own. */
  if (!error && gp_kernel_is_cloned(kernel)) {
    gp_log(GP_WARN, kernel->name, "some of its launches are not counted: %s", why);
    gp_uncounted_of(record, 1, why);
  }
  return error;
}

/* `objection`: why the kernel's clone may not count the launch, or null. */
static int perform(struct gp_record *record, const struct gp_launch *launch, const char *objection, struct call *call,
                   struct gp_hardware_sum *hardware) {
  int error;
  if (objection && gp_addresses_in_place(record->kernel, launch))
    gp_remark(record->kernel->name, "its unique bytes are not known: a copy with counters ran in its place");
  if (objection)
    return launch_copy(record, launch, objection, call);
  if (gp_addresses_in_place(record->kernel, launch) && !gp_addresses_launch_copy(record, launch, &error))
    return error;
  if (gp_warp_bytes_in_place(record->kernel)) {
    int ran;
    gp_warp_bytes_count(record->kernel, launch, &hardware->warps, &ran, &error);
    if (ran)
      return error;
  }
  return do_call(call);
}

static int launch_counted(struct gp_kernel *kernel, struct gp_launch *launch, struct call *call) {
  struct gp_here here = gp_regions_here();
  struct gp_context *context = gp_state() == GP_ON && !here.ignored ? here.context : NULL;
  struct gp_hardware_sum hardware;
  hardware.launches = 0; /* and so no values, of which there are many */
  hardware.warps = (struct gp_warp_bytes){0};
  pthread_mutex_lock(&kernel->lock);
  if (context) {
    context = gp_warmup_context(kernel, context, launch->device);
    measure(kernel, launch, call, &hardware);
  }
  struct gp_record *record = gp_kernel_aim(kernel, context, launch->device, launch->stream);
  if (!record || only_counts()) {
    int result = only_counts() ? 0 : do_call(call);
    if (record)
      count_alone(record, launch);
    else if (context && !result)
      gp_uncounted_launch(kernel->name, context, "memory is exhausted");
    pthread_mutex_unlock(&kernel->lock);
    gp_execution_launch_done(here.execution, 0, 0);
    return result;
  }
  if (hardware.launches) {
    hardware.own_bytes = own_bytes_of(kernel, launch);
    hardware.constants = constants_of(kernel, launch);
    gp_lane_shares_of(&hardware.shares, launch->block);
  }
  launch->id = ++last_id;
  const int untimed = gp_addresses_untimed(); /* then nobody waits for what the device tells */
  if (!untimed)
    await_time(launch->id, record, here.execution);
  const char *objection = gp_apart_objection(kernel, launch);
  if (!objection)
    objection = gp_clones_objection(kernel, launch);
  gp_device()->launch_begin(launch);
  int result = perform(record, launch, objection, call, &hardware);
  gp_device()->launch_end(launch, result);
  if (!result && !objection)
    gp_clones_launched(record, launch);
  if (!result)
    gp_addresses_launched(record, launch);
  pthread_mutex_unlock(&kernel->lock);
  if (untimed)
    gp_execution_launch_done(here.execution, 0, 0);
  if (result)
    cancel(launch->id);
  else
    count_launch(record, launch, &hardware);
  return result;
}

/* Opens a range named after the kernel, below those of the regions. */
static void show_launch(struct gp_kernel *kernel) {
  gp_records_lock();
  if (!kernel->shown_name && !(kernel->shown_name = gp_demangle(kernel->name)))
    kernel->shown_name = kernel->name;
  uint64_t launch = kernel->shown_launches++;
  gp_records_unlock();
  gp_range_push(&kernel->nvtx, kernel->shown_name, 0, "kernel", launch);
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
}

/* By a handle of a module that the program has loaded itself. */
static int launch_unknown(const struct gp_launch *launch, struct call *call) {
  int error = do_call(call);
  const char *name = error || !gp_device()->name ? NULL : gp_device()->name(launch->function);
  if (name && gp_state() == GP_ON)
    tell_unknown(name);
  return error;
}

/* With the counters off: what a clone would count is not known, and of two ways to count one would be missing. */
static int launch_without_arguments(struct gp_kernel *kernel, const struct gp_launch *launch, struct call *call) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_context() : NULL;
  pthread_mutex_lock(&kernel->lock);
  gp_kernel_aim(kernel, NULL, launch->device, launch->stream);
  int error = do_call(call);
  pthread_mutex_unlock(&kernel->lock);
  struct gp_record *record = context && !error ? gp_kernel_record(kernel, context, launch->device) : NULL;
  const struct gp_hardware_sum none = {.launches = 0};
  if (!record)
    return error;
  count_launch(record, launch, &none);
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
    return do_call(call);
  int shown = gp_state() == GP_ON && gp_ranges_wanted();
  if (shown)
    show_launch(kernel);
  int captured = device->capturing(launch->stream);
  int result = captured                      ? launch_captured(kernel, call)
               : launch->has_argument_block ? launch_without_arguments(kernel, launch, call)
                                            : launch_counted(kernel, launch, call);
  if (shown)
    gp_range_pop();
  if (captured)
    return result;
  gp_device_in_use();
  gp_report_changed();
  return result;
}

int gp_launch(struct gp_launch launch, int (*call)(void *closure), void *closure) {
  enum gp_state state = gp_state();
  if (state == GP_OFF || (state == GP_PAUSED && !hook_calls))
    return call(closure);
  gp_before_launch();
  struct call inner = {call, closure, 0};
  uint64_t start = gp_now();
  atomic_store_explicit(&begun, 1, memory_order_relaxed);
  gp_launch_hide(1);
  gp_gate_enter();
  int result = launch_hooked(&launch, &inner);
  gp_gate_leave();
  gp_launch_hide(-1);
  hook_ns += gp_now() - start - inner.ns;
  hook_calls++;
  return result;
}
