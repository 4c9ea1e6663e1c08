// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/cupti.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "base/state.h"
#include "core/hardware_plan.h"
#include "core/memory_writes.h"
#include "core/regions.h"
#include "core/uncounted.h"
#include "cuda/correlation.h"
#include "cuda/cuda_real.h"
#include "cuda/driver_writes.h"
#include "cuda/hardware_counters.h"
#include "cuda/machine_code.h"
#include "cuda/tied_launches.h"
#include "gpuprof/abi.h"
#include "launch/launch_hook.h"
#include "launch/launch_times.h"
#include "timeline/timeline.h"
#include "timeline/trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- The used part of CUPTI's interface; layouts checked by tests/unit/test_cuda_layouts.c ---- */
#include "cuda/cupti_types.h"
#include "exports/captures.h"

static struct {
  int (*subscribe_v2)(void **subscriber, void (*callback)(void *, int, uint32_t, const void *), void *data,
                      struct gp_cupti_subscriber *parameters);
  int (*subscribe)(void **subscriber, void (*callback)(void *, int, uint32_t, const void *), void *data);
  int (*unsubscribe)(void *subscriber);
  int (*register_callbacks)(void (*request)(uint8_t **, size_t *, size_t *),
                            void (*complete)(void *, uint32_t, uint8_t *, size_t, size_t));
  int (*enable)(int kind);
  int (*disable)(int kind);
  int (*enable_runtime_api)(uint32_t function, uint8_t enable);
  int (*enable_callback)(uint32_t enable, void *subscriber, int domain, uint32_t function);
  int (*callback_name)(int domain, uint32_t function, const char **name);
  int (*flush)(uint32_t flag);
  int (*next)(uint8_t *buffer, size_t bytes, struct gp_cupti_record **record);
  int (*dropped)(void *context, uint32_t stream, size_t *count);
  int (*push)(int kind, uint64_t id);
  int (*pop)(int kind, uint64_t *last);
  int (*register_clock)(uint64_t (*clock)(void));
  int (*stream_id)(void *context, void *stream, uint8_t per_thread, uint32_t *id);
  void *subscriber;
} cupti;

static const struct {
  const char *name;
  void *slot;
  int needed;
} functions[] = {
    {"cuptiSubscribe_v2", &cupti.subscribe_v2, 0},
    {"cuptiSubscribe", &cupti.subscribe, 1},
    {"cuptiUnsubscribe", &cupti.unsubscribe, 1},
    {"cuptiActivityRegisterCallbacks", &cupti.register_callbacks, 1},
    {"cuptiActivityEnable", &cupti.enable, 1},
    {"cuptiActivityDisable", &cupti.disable, 1},
    {"cuptiActivityEnableRuntimeApi", &cupti.enable_runtime_api, 0},
    {"cuptiEnableCallback", &cupti.enable_callback, 1},
    {"cuptiGetCallbackName", &cupti.callback_name, 0},
    {"cuptiActivityFlushAll", &cupti.flush, 1},
    {"cuptiActivityGetNextRecord", &cupti.next, 1},
    {"cuptiActivityGetNumDroppedRecords", &cupti.dropped, 1},
    {"cuptiActivityPushExternalCorrelationId", &cupti.push, 1},
    {"cuptiActivityPopExternalCorrelationId", &cupti.pop, 1},
    {"cuptiActivityRegisterTimestampCallback", &cupti.register_clock, 0},
    {"cuptiGetStreamIdEx", &cupti.stream_id, 0},
};

static atomic_int active;
static char reason[256] = "it was not started";
static _Atomic uint64_t untied; /* launches that no ring has: gp_tied_launches_count() has the others */
static _Atomic uint64_t delivered, lost;
static _Atomic uint64_t never; /* of the launches: no record will come */
static int is_late; /* a context existed before the start; set before `active` */
static int sees_writes; /* all calls of the driver that write or hide writes can be seen; set before `active` */

static uint64_t expected(void) { return gp_tied_launches_count() + atomic_load(&untied); }

int gp_cupti_active(void) { return atomic_load_explicit(&active, memory_order_relaxed); }

int gp_cupti_is_unproven(void) { return gp_cupti_active() && is_late && !atomic_load(&delivered); }

const char *gp_cuda_time_source_reason(void) { return gp_cupti_active() ? NULL : reason; }

/* ---- Buffers ---- */
#define BUFFER_BYTES (1u << 20)
union buffer {
  union buffer *next; /* while in the pool */
  uint8_t bytes[BUFFER_BYTES];
};
static union buffer *pool;
GP_MUTEX(pool_lock, GP_LOCK_CUPTI_POOL)

static union buffer *make_buffer(void) {
  union buffer *b = aligned_alloc(64, sizeof *b);
  gp_own_memory_add(GP_OWN_HOST, b ? (int64_t)sizeof *b : 0);
  return b;
}

static void give_buffer(uint8_t **buffer, size_t *bytes, size_t *records) {
  pthread_mutex_lock(&pool_lock);
  union buffer *b = pool;
  if (b)
    pool = b->next;
  pthread_mutex_unlock(&pool_lock);
  if (!b)
    b = make_buffer();
  *buffer = (uint8_t *)b; /* null: CUPTI drops records, and reports their number */
  *bytes = b ? BUFFER_BYTES : 0;
  *records = 0;
}

/* ---- Clocks: CUPTI's is gp_now() from CUDA 11.6 on, before that the time of day ---- */
static int64_t clock_offset;

static void choose_clock(void) {
  struct timespec day;
  clock_offset = 0;
  if (cupti.register_clock && !cupti.register_clock(gp_now))
    return;
  clock_gettime(CLOCK_REALTIME, &day);
  clock_offset = (int64_t)gp_now() - ((int64_t)day.tv_sec * 1000000000 + day.tv_nsec);
}

static uint64_t on_clock(uint64_t time) { return (uint64_t)((int64_t)time + clock_offset); }

/* ---- Streams of gpuprof: their copies are none of the program's ---- */
#define OWN_STREAMS 64
static _Atomic uint64_t own_streams[OWN_STREAMS]; /* device and id + 1; 0: none */
static _Atomic uint32_t own_stream_count;

static uint64_t stream_key(uint32_t device, uint32_t id) { return (uint64_t)device << 32 | (id + 1); }

void gp_cupti_own_stream(int device, void *stream) {
  uint32_t id;
  if (!gp_cupti_active() || !cupti.stream_id || cupti.stream_id(NULL, stream, 0, &id))
    return;
  atomic_store(&own_streams[atomic_fetch_add(&own_stream_count, 1) % OWN_STREAMS], stream_key((uint32_t)device, id));
}

static int is_own_stream(uint32_t device, uint32_t id) {
  const uint32_t added = atomic_load(&own_stream_count), count = added < OWN_STREAMS ? added : OWN_STREAMS;
  for (uint32_t i = 0; i < count; i++)
    if (atomic_load_explicit(&own_streams[i], memory_order_relaxed) == stream_key(device, id))
      return 1;
  return 0;
}

/* ---- Records ---- */

/* Clones are launched beside a kernel. Kernels in its place are the program's work. */
static int is_own_kernel(const struct gp_cupti_kernel *k) {
  const char *suffix = k->name ? strstr(k->name, GPUPROF_COUNTED_SUFFIX) : NULL;
  return suffix && (!strcmp(suffix, GPUPROF_CLONE_SUFFIX) || !strcmp(suffix, GPUPROF_ADDRESSES_SUFFIX));
}

/* The fields of one name in records of several types. */
#define WORK_OF(record, work_kind)                                                                           \
  {                                                                                                          \
    .kind = work_kind, .source = GP_TIME_CUPTI, .device = (int)(record)->device, .stream = (record)->stream, \
    .start = on_clock((record)->start), .end = on_clock((record)->end)                                       \
  }

static struct gp_device_work work_of_kernel(const struct gp_cupti_kernel *k) {
  struct gp_device_work work = WORK_OF(k, GP_WORK_KERNEL);
  work.registers = k->registers;
  work.shared_bytes = (uint32_t)(k->static_shared + k->dynamic_shared);
  work.local_bytes = k->local_per_thread;
  for (int i = 0; i < 3; i++) {
    work.grid[i] = (uint32_t)k->grid[i];
    work.block[i] = (uint32_t)k->block[i];
  }
  return work;
}

/* The halves of a launch or copy have met. */
static void deliver(const struct gp_correlated *met) {
  if (met->launch_id & GP_COPY_ID_BIT) {
    gp_timeline_copy_time(met->launch_id, &met->work);
    return;
  }
  if (!met->work.end) { /* take_untimed_kernel() */
    atomic_fetch_add(&lost, 1);
    return;
  }
  atomic_fetch_add(&delivered, 1);
  gp_launch_time_of_work(met->launch_id, &met->work);
}

static void meet_launch(uint32_t correlation, uint64_t id) {
  struct gp_correlated met;
  if (gp_correlation_launch(correlation, id, &met))
    deliver(&met);
}

/* Launching threads only note their correlation ids: what looks at records, or counts them, calls this first. */
static void collect_launches(void) {
  struct gp_tied_launch launches[64];
  for (uint32_t count; (count = gp_tied_launches_take(launches, sizeof launches / sizeof *launches));)
    for (uint32_t i = 0; i < count; i++)
      meet_launch(launches[i].correlation, launches[i].id);
}

static void take_correlation(const struct gp_cupti_external *e) {
  if (e->external_kind == GP_CUPTI_CUSTOM0)
    meet_launch(e->correlation, e->id);
}

static void take_work(uint32_t correlation, const struct gp_device_work *work, const char *name) {
  struct gp_correlated met;
  gp_timeline_work(work);
  if (gp_correlation_work(correlation, work, name, &met))
    deliver(&met);
}

static void take_kernel_of_program(const struct gp_cupti_kernel *k) {
  const struct gp_device_work work = work_of_kernel(k);
  take_work(k->correlation, &work, gp_trace_is_on() && k->name ? gp_trace_name(k->name) : NULL);
}

/* CUPTI also has a record of a launch that the driver refused, and of one replayed for hardware counters. Neither is tied
 * to a launch. */
static void take_untimed_kernel(const struct gp_cupti_kernel *k) {
  const struct gp_device_work untimed = {.kind = GP_WORK_KERNEL, .device = (int)k->device};
  struct gp_correlated met;
  if (gp_correlation_work(k->correlation, &untimed, NULL, &met))
    deliver(&met);
}

static void take_kernel(const struct gp_cupti_kernel *k) {
  const int is_untimed = !k->start || k->end < k->start; /* CUPTI's value for an unknown time */
  if (is_own_kernel(k)) {
    if (!is_untimed)
      gp_timeline_own_work((int)k->device, k->end - k->start);
  } else if (is_untimed) {
    take_untimed_kernel(k);
  } else {
    take_kernel_of_program(k);
  }
}

static void take_copy(uint32_t correlation, const struct gp_device_work *work, uint64_t told_start) {
  if (!told_start || work->end < work->start)
    return;
  if (is_own_stream((uint32_t)work->device, work->stream))
    gp_timeline_own_work(work->device, work->end - work->start);
  else
    take_work(correlation, work, NULL);
}

static void take_graph(const struct gp_cupti_graph *g) {
  const struct gp_device_work work = WORK_OF(g, GP_WORK_GRAPH);
  if (g->start && g->end >= g->start && g->device < GP_DEVICES) /* it may begin on the host */
    gp_timeline_work(&work);
}

static void take_record(const struct gp_cupti_record *record) {
  switch (record->kind) {
  case GP_CUPTI_EXTERNAL_CORRELATION: take_correlation((const struct gp_cupti_external *)record); break;
  case GP_CUPTI_CONCURRENT_KERNEL: take_kernel((const struct gp_cupti_kernel *)record); break;
  case GP_CUPTI_MEMCPY: {
    const struct gp_cupti_memcpy *m = (const struct gp_cupti_memcpy *)record;
    const struct gp_device_work work = WORK_OF(m, GP_WORK_COPY);
    take_copy(m->correlation, &work, m->start);
    break;
  }
  case GP_CUPTI_MEMCPY_PEER: {
    const struct gp_cupti_memcpy_peer *m = (const struct gp_cupti_memcpy_peer *)record;
    const struct gp_device_work work = WORK_OF(m, GP_WORK_COPY);
    take_copy(m->correlation, &work, m->start);
    break;
  }
  case GP_CUPTI_GRAPH: take_graph((const struct gp_cupti_graph *)record); break;
  case GP_CUPTI_MEMSET: {
    const struct gp_cupti_memset *m = (const struct gp_cupti_memset *)record;
    const struct gp_device_work work = WORK_OF(m, GP_WORK_MEMSET);
    take_copy(m->correlation, &work, m->start);
    break;
  }
  default: break;
  }
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid) {
  (void)bytes;
  struct gp_cupti_record *record = NULL;
  collect_launches();
  while (buffer && valid && !cupti.next(buffer, valid, &record))
    take_record(record);
  size_t dropped = 0;
  if (!cupti.dropped(context, stream, &dropped))
    atomic_fetch_add(&lost, dropped);
  if (!buffer)
    return;
  union buffer *b = (union buffer *)buffer;
  pthread_mutex_lock(&pool_lock);
  b->next = pool;
  pool = b;
  pthread_mutex_unlock(&pool_lock);
}

/* ---- Other tools ---- */
static int has_prefix(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

/* The name of an environment variable revealing another profiler, or null. */
static const char *other_tool(void) {
  static const char *const owners[] = {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
  static const char *const families[] = {"NSYS_", "NV_COMPUTE"};
  static char found[64];
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
    if (secure_getenv(owners[i]) && secure_getenv(owners[i])[0])
      return owners[i];
  for (char **variable = environ; variable && *variable; variable++)
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
      if (has_prefix(*variable, families[i])) {
        snprintf(found, sizeof found, "%.*s", (int)strcspn(*variable, "="), *variable);
        return found;
      }
  const char *preloaded = secure_getenv("LD_PRELOAD");
  return preloaded && (strstr(preloaded, "nsight") || strstr(preloaded, "ncu")) ? "LD_PRELOAD" : NULL;
}

/* ---- Start ---- */
static int give_up(const char *text, const char *detail) {
  snprintf(reason, sizeof reason, text, detail);
  return 0;
}

static int open_cupti(void) {
  static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so", NULL};
  static const char *const folders[] = {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib",
                                        "../cuda_cupti/lib",  NULL};
  void *library = gp_cuda_open_library(names, folders);
  if (!library)
    return give_up(
        "%s was not found beside the CUDA toolkit; set CUDA_PATH to the toolkit to get exact kernel times",
        names[0]);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *symbol = dlsym(library, functions[i].name);
    if (!symbol && functions[i].needed)
      return give_up("this libcupti has no function %s", functions[i].name);
    *(void **)functions[i].slot = symbol;
  }
  return 1;
}

/* ---- Launches ---- */

/* The launch of this thread in progress; 0: none. */
static _Thread_local uint64_t launching;
#define TIED UINT64_MAX /* its correlation id is known */

/* What other calls of the driver do to memory, by CUPTI's numbers (enum gp_driver_effect). */
#define DRIVER_FUNCTIONS 2048u
static unsigned char driver_effects[DRIVER_FUNCTIONS];

/* The driver's launch functions: every launch ends in one of them. */
static const uint32_t driver_launches[] = {
    GP_CUPTI_DRIVER_LAUNCH,           GP_CUPTI_DRIVER_LAUNCH_PTSZ, GP_CUPTI_DRIVER_COOPERATIVE,
    GP_CUPTI_DRIVER_COOPERATIVE_PTSZ, GP_CUPTI_DRIVER_LAUNCH_EX,   GP_CUPTI_DRIVER_LAUNCH_EX_PTSZ,
};

static void tie_launch(uint32_t correlation) {
  const struct gp_tied_launch launch = {launching, correlation};
  launching = TIED;
  if (launch.id == TIED || gp_tied_launches_put(launch))
    return;
  collect_launches();
  if (!gp_tied_launches_put(launch)) { /* without memory */
    atomic_fetch_add(&untied, 1);
    meet_launch(correlation, launch.id);
  }
}

static void list_launch(const struct gp_cupti_call *call) {
  const struct gp_context *context = gp_regions_context();
  const char *name = call->symbol ? call->symbol : "kernels without a name";
  if (!context) {
    gp_uncounted_ignored(name);
    return;
  }
  gp_uncounted_launch(
      name, context,
      gp_captures()
          ? "a library launched it, or captured it into a graph, past gpuprof"
          : "a library launched it past gpuprof, compiled without the plugin; GPUPROF_HARDWARE=check or ncu can measure it");
}

static void see_driver_launch(const struct gp_cupti_call *call) {
  if (!launching && !gp_launch_is_known())
    gp_memory_written_anywhere();
  if (call->site != GP_CUPTI_API_EXIT || !call->result || *(const int *)call->result)
    return;
  if (launching)
    tie_launch(call->correlation);
  else if (!gp_launch_is_known() && gp_state() == GP_ON)
    list_launch(call);
}

static void see_module(const struct gp_cupti_resource *resource) {
  const struct gp_cupti_module *module = resource->descriptor;
  if (module)
    gp_machine_code_learn(module->cubin, module->bytes);
}

static void see_driver_call(uint32_t function, const struct gp_cupti_call *call) {
  if (function < DRIVER_FUNCTIONS && driver_effects[function] != GP_DRIVER_NOTHING)
    gp_driver_wrote((enum gp_driver_effect)driver_effects[function], call->parameters);
  else
    see_driver_launch(call);
}

static void see(void *data, int domain, uint32_t function, const void *argument) {
  (void)data;
  if (domain == GP_CUPTI_DOMAIN_DRIVER)
    see_driver_call(function, argument);
  else if (domain == GP_CUPTI_DOMAIN_RESOURCE && function == GP_CUPTI_MODULE_LOADED)
    see_module(argument);
}

/* If CUPTI refuses, the check expects no constants of ptxas. */
static void see_modules(void *subscriber) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  if (plan && plan->check)
    cupti.enable_callback(1, subscriber, GP_CUPTI_DOMAIN_RESOURCE, GP_CUPTI_MODULE_LOADED);
}

/* Returns 0 if some would not be seen. */
static int see_driver_effects(int hides) {
  int seen = 1;
  for (uint32_t function = 1; function < DRIVER_FUNCTIONS; function++) {
    const unsigned char effect = driver_effects[function];
    if (effect != GP_DRIVER_NOTHING && (effect == GP_DRIVER_HIDES) == hides)
      seen &= !cupti.enable_callback(1, cupti.subscriber, GP_CUPTI_DOMAIN_DRIVER, function);
  }
  return seen;
}

/* Some numbers have no function. Returns 0 if there may be functions behind the last. */
static int learn_driver_effects(void) {
  const char *name = NULL;
  for (uint32_t function = 1; function < DRIVER_FUNCTIONS; function++)
    if (!cupti.callback_name(GP_CUPTI_DOMAIN_DRIVER, function, &name) && name)
      driver_effects[function] = (unsigned char)gp_driver_effect_of(name);
  return cupti.callback_name(GP_CUPTI_DOMAIN_DRIVER, DRIVER_FUNCTIONS - 1, &name) != 0;
}

/* What hides writes is seen from the start. The rest is seen once somebody watches: it comes often. */
static void see_hidden_writes(void) { sees_writes = !is_late && cupti.callback_name && learn_driver_effects() && see_driver_effects(1); }

int gp_cupti_watch_writes(void) { return gp_cupti_active() && sees_writes && see_driver_effects(0) ? 0 : -1; }

static int see_driver_launches(void *subscriber) {
  int seen = 0;
  for (size_t i = 0; i < sizeof driver_launches / sizeof *driver_launches; i++)
    seen += !cupti.enable_callback(1, subscriber, GP_CUPTI_DOMAIN_DRIVER, driver_launches[i]);
  return seen > 0; /* an older driver lacks some */
}

/* Subscribing reveals if another tool is there. */
static int subscribe(void **subscriber) {
  char owner[128] = "";
  struct gp_cupti_subscriber parameters = {sizeof parameters, "gpuprof", owner, sizeof owner};
  int error = cupti.subscribe_v2 ? cupti.subscribe_v2(subscriber, see, NULL, &parameters)
                                 : cupti.subscribe(subscriber, see, NULL);
  owner[sizeof owner - 1] = 0;
  if (error == GP_CUPTI_ERROR_MULTIPLE_SUBSCRIBERS)
    return give_up("another profiler is attached (%s)", owner[0] ? owner : "it gave no name");
  char code[16];
  snprintf(code, sizeof code, "%d", error);
  return error ? give_up("CUPTI refused to start (error %s)", code) : 1;
}

/* Copies and fills: records of them, and of the calls that carry gpuprof's ids. Without them only their times are
 * missing. */
static void enable_copies(void) {
  static const struct {
    uint32_t first, last;
  } ranges[] = GP_CUPTI_COPY_RANGES;
  if (!cupti.enable_runtime_api || cupti.enable(GP_CUPTI_EXTERNAL_CORRELATION) || cupti.enable(GP_CUPTI_MEMCPY))
    return;
  cupti.enable(GP_CUPTI_MEMSET);
  cupti.enable(GP_CUPTI_MEMCPY_PEER);
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    for (uint32_t function = ranges[i].first; function <= ranges[i].last; function++)
      cupti.enable_runtime_api(function, 1);
}

static int keeps_graphs;

/* One record a launch of a graph: with records of its nodes a short kernel takes 0.88 us there, else 0.53 (H200). The trace
 * shows the nodes. A graph instantiated before the records begin ends the process at its launch (CUDA 13.0). */
static void enable_graphs(void) {
  keeps_graphs = !gp_trace_is_on() && !is_late && !cupti.enable(GP_CUPTI_GRAPH);
}

void gp_cupti_keep_graphs(int keep) {
  if (gp_cupti_active() && keeps_graphs)
    (keep ? cupti.enable : cupti.disable)(GP_CUPTI_GRAPH);
}

static void forget_after_fork(void) { atomic_store(&active, 0); }

/* Libraries with a libcudart of their own, such as PyTorch, make a context before gpuprof's first call. */
static int has_context(void) {
  int (*count_devices)(int *) = NULL;
  int (*state)(int, unsigned *, int *) = NULL;
  *(void **)&count_devices = gp_cuda_symbol("cuDeviceGetCount");
  *(void **)&state = gp_cuda_symbol("cuDevicePrimaryCtxGetState");
  int count = 0, is_made = 0;
  unsigned flags;
  if (!count_devices || !state || count_devices(&count))
    return 0;
  for (int device = 0; device < count && !is_made; device++)
    if (state(device, &flags, &is_made))
      is_made = 0;
  return is_made;
}

static int start(void) {
  const char *tool = other_tool();
  if (tool)
    return give_up("another profiler is in charge (%s is set)", tool);
  void *subscriber = NULL;
  is_late = has_context();
  if (!open_cupti() || !subscribe(&subscriber))
    return 0;
  choose_clock();
  const char *failed = cupti.register_callbacks(give_buffer, take_buffer) ? "its buffers were refused"
                       : cupti.enable(GP_CUPTI_CONCURRENT_KERNEL)         ? "kernel records were refused"
                       : !see_driver_launches(subscriber)                 ? "callbacks of launches were refused"
                                                                          : NULL;
  if (!failed) {
    enable_copies();
    enable_graphs();
    see_modules(subscriber);
    cupti.subscriber = subscriber;
    see_hidden_writes();
    return 1;
  }
  cupti.disable(GP_CUPTI_CONCURRENT_KERNEL);
  cupti.unsubscribe(subscriber);
  return give_up("CUPTI did not start: %s", failed);
}

void gp_cupti_tell_others(void) {
  if (!gp_cupti_active() || !gp_trace_is_on())
    return;
  collect_launches();
  gp_correlation_give_all();
}

void gp_cupti_start(void) {
  if (!start()) {
    gp_remark("time_ns",
              "kernel times are from CUDA events, which read a few microseconds too long, since CUPTI was "
              "not used: %s",
              reason);
    gp_remark("uncounted", "kernels that libraries launch by themselves are not seen, and are not in the list, since CUPTI was not "
                           "used: %s",
              reason);
    return;
  }
  pthread_atfork(NULL, NULL, forget_after_fork);
  if (gp_trace_is_on())
    gp_correlation_give(gp_trace_other_kernel);
  atomic_store(&active, 1);
}

/* ---- Around launches ---- */
void gp_cupti_launch_begin(uint64_t launch_id) {
  launching = gp_cupti_active() ? launch_id : 0;
}

void gp_cupti_launch_end(int error) {
  const uint64_t launched = launching;
  launching = 0;
  if (!launched || error || launched == TIED)
    return;
  atomic_fetch_add(&untied, 1); /* by a function of the driver that is not in the list */
  atomic_fetch_add(&lost, 1);
}

/* ---- Copies ---- */
static _Thread_local int copy_pushed;

void gp_cupti_work_begin(uint64_t id) { copy_pushed = gp_cupti_active() && !cupti.push(GP_CUPTI_CUSTOM0, id); }

void gp_cupti_work_end(void) {
  uint64_t last;
  if (copy_pushed)
    cupti.pop(GP_CUPTI_CUSTOM0, &last);
  copy_pushed = 0;
}

static void tell_silence(void) {
  if (gp_cupti_is_unproven() && expected() && !gp_captures())
    gp_remark("time_ns", "kernel times are from CUDA events, which read a few microseconds too long: CUPTI was started after the "
                         "program's first use of the GPU, and has given no times");
}

/* CUPTI hands out buffers with complete records only. */
int gp_cupti_idle(void) {
  cupti.flush(0);
  collect_launches();
  return atomic_load(&delivered) + atomic_load(&lost) + atomic_load(&never) >= expected();
}

void gp_cupti_flush(void) {
  if (!gp_cupti_active())
    return;
  cupti.flush(0);
  collect_launches();
  /* A buffer with one unfinished record, such as another device's, is only handed out by force. */
  if (atomic_load(&delivered) < expected())
    cupti.flush(GP_CUPTI_FLUSH_FORCED);
  collect_launches();
  const uint64_t count = atomic_exchange(&lost, 0);
  atomic_fetch_add(&never, count);
  if (count == 1)
    gp_remark("kernel times", "CUPTI had no time for 1 launch; its work is counted");
  else if (count)
    gp_remark("kernel times", "CUPTI had no time for %llu launches; their work is counted",
              (unsigned long long)count);
  tell_silence();
}
