// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/cupti.h"

#include "base/device.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/state.h"
#include "core/hardware_plan.h"
#include "core/regions.h"
#include "core/uncounted.h"
#include "cuda/correlation.h"
#include "cuda/cuda_real.h"
#include "cuda/hardware_counters.h"
#include "cuda/machine_code.h"
#include "launch/launch_hook.h"
#include "launch/launch_times.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
  int (*flush)(uint32_t flag);
  int (*next)(uint8_t *buffer, size_t bytes, struct gp_cupti_record **record);
  int (*dropped)(void *context, uint32_t stream, size_t *count);
  int (*push)(int kind, uint64_t id);
  int (*pop)(int kind, uint64_t *last);
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
    {"cuptiEnableCallback", &cupti.enable_callback, 0},
    {"cuptiActivityFlushAll", &cupti.flush, 1},
    {"cuptiActivityGetNextRecord", &cupti.next, 1},
    {"cuptiActivityGetNumDroppedRecords", &cupti.dropped, 1},
    {"cuptiActivityPushExternalCorrelationId", &cupti.push, 1},
    {"cuptiActivityPopExternalCorrelationId", &cupti.pop, 1},
};

/* The launch functions with API records carrying gpuprof's ids; all other API records would only cost
 * time. */
static const uint32_t launch_functions[] = {
    GP_CUPTI_LAUNCH_KERNEL,           GP_CUPTI_LAUNCH_KERNEL_PTSZ, GP_CUPTI_LAUNCH_COOPERATIVE,
    GP_CUPTI_LAUNCH_COOPERATIVE_PTSZ, GP_CUPTI_LAUNCH_KERNEL_EX_C, GP_CUPTI_LAUNCH_KERNEL_EX_C_PTSZ,
};

static atomic_int active;
static char reason[256] = "it was not started";
static _Atomic uint64_t expected, delivered, lost, measured;
static _Atomic uint64_t never; /* of the expected ones: no record will come */
static int is_late; /* a context existed before the start; set before `active` */

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

static void give_buffer(uint8_t **buffer, size_t *bytes, size_t *records) {
  pthread_mutex_lock(&pool_lock);
  union buffer *b = pool;
  if (b)
    pool = b->next;
  pthread_mutex_unlock(&pool_lock);
  if (!b)
    b = aligned_alloc(64, sizeof *b);
  *buffer = (uint8_t *)b; /* null: CUPTI drops records, and reports their number */
  *bytes = b ? BUFFER_BYTES : 0;
  *records = 0;
}

static void take_record(const struct gp_cupti_record *record) {
  struct gp_correlated met;
  int complete = 0;
  if (record->kind == GP_CUPTI_EXTERNAL_CORRELATION) {
    const struct gp_cupti_external *e = (const struct gp_cupti_external *)record;
    complete = e->external_kind == GP_CUPTI_CUSTOM0 && gp_correlation_launch(e->correlation, e->id, &met);
  } else if (record->kind == GP_CUPTI_CONCURRENT_KERNEL) {
    const struct gp_cupti_kernel *k = (const struct gp_cupti_kernel *)record;
    if (!k->start || k->end < k->start)
      atomic_fetch_add(&lost, 1); /* CUPTI's value for an unknown time */
    else
      complete = gp_correlation_kernel(k->correlation, k->start, k->end - k->start, &met);
  }
  if (!complete)
    return;
  atomic_fetch_add(&delivered, 1);
  gp_launch_time(met.launch_id, met.start_ns, met.duration_ns, GP_TIME_CUPTI);
}

static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid) {
  (void)bytes;
  struct gp_cupti_record *record = NULL;
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

/* ---- Launches outside of the hook ---- */
/* The driver's launch functions: every library's launch ends in one of them. */
static const uint32_t driver_launches[] = {
    GP_CUPTI_DRIVER_LAUNCH,           GP_CUPTI_DRIVER_LAUNCH_PTSZ, GP_CUPTI_DRIVER_COOPERATIVE,
    GP_CUPTI_DRIVER_COOPERATIVE_PTSZ, GP_CUPTI_DRIVER_LAUNCH_EX,   GP_CUPTI_DRIVER_LAUNCH_EX_PTSZ,
};

static void see_driver_launch(const struct gp_cupti_call *call) {
  if (call->site != GP_CUPTI_API_EXIT || gp_launch_is_known() || gp_state() != GP_ON)
    return;
  const struct gp_context *context = gp_regions_context();
  if (!context || !call->result || *(const int *)call->result)
    return;
  gp_uncounted_launch(
      call->symbol ? call->symbol : "kernels without a name", context,
      gp_captures()
          ? "a library launched it, or captured it into a graph, past gpuprof"
          : "a library launched it past gpuprof, compiled without the plugin; GPUPROF_HARDWARE=check or ncu can measure it");
}

static void see_module(const struct gp_cupti_resource *resource) {
  const struct gp_cupti_module *module = resource->descriptor;
  if (module)
    gp_machine_code_learn(module->cubin, module->bytes);
}

static void see(void *data, int domain, uint32_t function, const void *argument) {
  (void)data;
  if (domain == GP_CUPTI_DOMAIN_DRIVER)
    see_driver_launch(argument);
  else if (domain == GP_CUPTI_DOMAIN_RESOURCE && function == GP_CUPTI_MODULE_LOADED)
    see_module(argument);
}

/* If CUPTI refuses, the check expects no constants of ptxas. */
static void see_modules(void *subscriber) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  if (plan && plan->check && cupti.enable_callback)
    cupti.enable_callback(1, subscriber, GP_CUPTI_DOMAIN_RESOURCE, GP_CUPTI_MODULE_LOADED);
}

static void see_driver_launches(void *subscriber) {
  int failed = !cupti.enable_callback;
  for (size_t i = 0; i < sizeof driver_launches / sizeof *driver_launches && !failed; i++)
    failed = cupti.enable_callback(1, subscriber, GP_CUPTI_DOMAIN_DRIVER, driver_launches[i]) &&
             i == 0; /* an older driver lacks the others */
  if (failed)
    gp_remark("uncounted", "kernels that libraries launch by themselves are not in the list: CUPTI refused to tell of them");
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

static int enable_launch_records(void) {
  if (!cupti.enable_runtime_api)
    return !cupti.enable(GP_CUPTI_RUNTIME);
  int enabled = 0;
  for (size_t i = 0; i < sizeof launch_functions / sizeof *launch_functions; i++)
    enabled += !cupti.enable_runtime_api(launch_functions[i], 1);
  return enabled > 0;
}

/* Enables all of the driver's functions. With records of the launch functions alone, an H200's CUPTI ties no
 * kernel to gpuprof's ids. */
static void watch_driver(void) { cupti.enable(GP_CUPTI_DRIVER); }

void gp_cupti_watch_driver(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (gp_cupti_active())
    pthread_once(&once, watch_driver);
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
  const char *failed = cupti.register_callbacks(give_buffer, take_buffer) ? "its buffers were refused"
                       : cupti.enable(GP_CUPTI_CONCURRENT_KERNEL)         ? "kernel records were refused"
                       : cupti.enable(GP_CUPTI_EXTERNAL_CORRELATION)      ? "correlation records were refused"
                       : !enable_launch_records()                         ? "launch records were refused"
                                                                          : NULL;
  if (!failed) {
    see_driver_launches(subscriber);
    see_modules(subscriber);
    return 1;
  }
  cupti.disable(GP_CUPTI_CONCURRENT_KERNEL);
  cupti.disable(GP_CUPTI_EXTERNAL_CORRELATION);
  cupti.unsubscribe(subscriber);
  return give_up("CUPTI did not start: %s", failed);
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
  atomic_store(&active, 1);
}

/* ---- Launches ---- */
static _Thread_local int pushed;

void gp_cupti_launch_begin(uint64_t launch_id) {
  pushed = gp_cupti_active() && !cupti.push(GP_CUPTI_CUSTOM0, launch_id);
}

void gp_cupti_launch_end(int error) {
  if (!pushed)
    return;
  pushed = 0;
  uint64_t last;
  cupti.pop(GP_CUPTI_CUSTOM0, &last);
  if (!error)
    atomic_fetch_add(&expected, 1);
}

void gp_cupti_launch_measured(void) { atomic_fetch_add(&measured, 1); }

static void tell_silence(void) {
  if (gp_cupti_is_unproven() && atomic_load(&expected) && !gp_captures())
    gp_remark("time_ns", "kernel times are from CUDA events, which read a few microseconds too long: CUPTI was started after the "
                         "program's first use of the GPU, and has given no times");
}

/* CUPTI hands out buffers with complete records only. */
int gp_cupti_idle(void) {
  cupti.flush(0);
  return atomic_load(&delivered) + atomic_load(&lost) + atomic_load(&never) >= atomic_load(&expected);
}

void gp_cupti_flush(void) {
  if (!gp_cupti_active())
    return;
  cupti.flush(0);
  /* A buffer with one unfinished record, such as another device's, is only handed out by force. */
  if (atomic_load(&delivered) < atomic_load(&expected))
    cupti.flush(GP_CUPTI_FLUSH_FORCED);
  uint64_t count = atomic_exchange(&lost, 0), known = atomic_exchange(&measured, 0);
  atomic_fetch_add(&never, count);
  if (count > known)
    gp_remark("kernel times", "CUPTI had no time for %llu launches; their work is counted",
              (unsigned long long)(count - known));
  tell_silence();
}
