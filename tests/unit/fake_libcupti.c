// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* CUPTI's activity interface without a GPU: tests name the
 * executed work, and get records in the order of the real one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct kernel {
  int kind;
  char other[12];
  uint64_t start, end, completed;
  char middle[52];
  uint32_t correlation;
  int64_t grid_id;
  const char *name;
  char rest[104];
};
struct external {
  int kind, external_kind;
  uint64_t id;
  uint32_t correlation, reserved;
};

static void (*request)(uint8_t **, size_t *, size_t *);
static void (*complete)(void *, uint32_t, uint8_t *, size_t, size_t);
static uint8_t *buffer;
static size_t buffer_bytes, used;
static _Thread_local uint64_t ids[8];
static _Thread_local int depth;
static int subscribed, enabled[64];
static void (*callback_of_tool)(void *, int, uint32_t, const void *);
static int sees_driver_launches, sees_modules;

/* The driver's functions that it knows beside launches, and whether they are seen. */
static struct {
  const char *name;
  int is_seen;
} driver_functions[] = {
    {"cuMemcpyHtoD_v2", 0}, {"cuMemcpyDtoH_v2", 0}, {"cuMemcpyBatchAsync", 0}, {"cuMemFree_v2", 0}, {"cuLaunchHostFunc", 0},
};
#define DRIVER_FUNCTIONS (sizeof driver_functions / sizeof *driver_functions)
enum { FIRST_DRIVER_FUNCTION = 30 };

/* CUpti_CallbackData */
struct call {
  int site;
  const char *function;
  const void *parameters;
  void *result;
  const char *symbol;
  void *context;
  uint32_t context_id;
  uint64_t *data;
  uint32_t correlation;
};

/* State for the tests to read. */
int fake_subscribed(void) { return subscribed; }
int fake_enabled(int kind) { return enabled[kind]; }
int fake_depth(void) { return depth; }

struct subscriber_parameters {
  size_t bytes;
  const char *name;
  char *owner;
  size_t owner_bytes;
};

int cuptiSubscribe_v2(void **subscriber, void (*callback)(void *, int, uint32_t, const void *), void *data,
                      struct subscriber_parameters *parameters) {
  (void)data;
  callback_of_tool = callback;
  const char *owner = getenv("FAKE_CUPTI_OWNER");
  if (owner) {
    strncpy(parameters->owner, owner, parameters->owner_bytes);
    return 39;
  }
  *subscriber = &subscribed;
  subscribed = !strcmp(parameters->name, "gpuprof");
  return 0;
}
int cuptiSubscribe(void **subscriber, void (*callback)(void *, int, uint32_t, const void *), void *data) {
  (void)subscriber, (void)callback, (void)data;
  return 999; /* never the one to use where there is a _v2 */
}
int cuptiUnsubscribe(void *subscriber) {
  (void)subscriber;
  subscribed = 0;
  return 0;
}
int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t function) {
  if (getenv("FAKE_CUPTI_NO_CALLBACKS"))
    return 15;
  if (subscriber == &subscribed && domain == 1 && function == 307)
    sees_driver_launches = (int)enable;
  if (subscriber == &subscribed && domain == 3 && function == 6)
    sees_modules = (int)enable;
  if (subscriber == &subscribed && domain == 1 && function - FIRST_DRIVER_FUNCTION < DRIVER_FUNCTIONS)
    driver_functions[function - FIRST_DRIVER_FUNCTION].is_seen = (int)enable;
  return 0;
}
int cuptiGetCallbackName(int domain, uint32_t function, const char **name) {
  const uint32_t place = function - FIRST_DRIVER_FUNCTION;
  if (domain != 1 || (function != 307 && place >= DRIVER_FUNCTIONS))
    return 1;
  *name = function == 307 ? "cuLaunchKernel" : driver_functions[place].name;
  return 0;
}
/* Some code calls this function of the driver, with this first argument. Returns whether that is seen. */
int fake_driver_call(const char *name, uint64_t first) {
  for (uint32_t i = 0; i < DRIVER_FUNCTIONS; i++)
    if (!strcmp(driver_functions[i].name, name) && driver_functions[i].is_seen) {
      for (int site = 0; site < 2; site++)
        callback_of_tool(NULL, 1, FIRST_DRIVER_FUNCTION + i, &(struct call){.site = site, .function = name, .parameters = &first});
      return 1;
    }
  return 0;
}
/* A module with this ELF file is loaded. */
void fake_module_loaded(const void *cubin, size_t bytes) {
  const struct {
    uint32_t id;
    size_t bytes;
    const void *cubin;
  } module = {1, bytes, cubin};
  const void *const resource[] = {NULL, NULL, &module};
  if (sees_modules)
    callback_of_tool(NULL, 3, 6, resource);
}
static void call_driver(const char *kernel, int result, uint32_t correlation) {
  if (!sees_driver_launches)
    return;
  for (int site = 0; site < 2; site++)
    callback_of_tool(NULL, 1, 307, &(struct call){.site = site, .function = "cuLaunchKernel", .result = site ? &result : NULL,
                                                  .symbol = kernel, .correlation = correlation});
}
/* Some code calls cuLaunchKernel for the kernel of this name, and gets the result. */
void fake_driver_launch(const char *kernel, int result) { call_driver(kernel, result, 0); }
int cuptiActivityRegisterCallbacks(void (*r)(uint8_t **, size_t *, size_t *),
                                   void (*c)(void *, uint32_t, uint8_t *, size_t, size_t)) {
  request = r;
  complete = c;
  return 0;
}
int cuptiActivityEnable(int kind) {
  if (getenv("FAKE_CUPTI_REFUSES") && atoi(getenv("FAKE_CUPTI_REFUSES")) == kind)
    return 999;
  enabled[kind] = 1;
  return 0;
}
int cuptiActivityDisable(int kind) {
  enabled[kind] = 0;
  return 0;
}
int cuptiActivityEnableRuntimeApi(uint32_t function, uint8_t enable) {
  return function > 300 || !enable; /* an older CUPTI without cudaLaunchKernelExC */
}
int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void)) { return !clock || getenv("FAKE_CUPTI_CLOCK"); }
int cuptiGetStreamIdEx(void *context, void *stream, uint8_t per_thread, uint32_t *id) {
  (void)context, (void)per_thread;
  *id = (uint32_t)(uintptr_t)stream;
  return 0;
}
int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count) {
  (void)context, (void)stream;
  *count = 0;
  return 0;
}
int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id) {
  if (kind != 3 || depth == 8)
    return 1;
  ids[depth++] = id;
  return 0;
}
int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *last) {
  if (kind != 3 || !depth)
    return 1;
  *last = ids[--depth];
  return 0;
}

/* ---- Records ---- */
static void add(const void *record, size_t bytes) {
  size_t limit;
  if (!request)
    return; /* nobody listens */
  if (!buffer)
    request(&buffer, &buffer_bytes, &limit);
  memcpy(buffer + used, record, bytes);
  used += bytes;
}

/* fake_profiler.c */
void fake_profiler_launch(void);
int fake_profiler_counting(void);

/* A launch call is under way on this thread. */
void fake_launch(uint32_t correlation) {
  call_driver("a launch of the CUDA runtime", 0, correlation);
  fake_profiler_launch();
}
/* The driver has no registers for a block of it. */
void fake_refused_launch(uint32_t correlation) {
  call_driver("a launch of the CUDA runtime", 701, correlation);
}
/* A call that copies: its external id, if one is pushed. */
void fake_copy_call(uint32_t correlation) {
  if (depth)
    add(&(struct external){39, 3, ids[depth - 1], correlation, 0}, sizeof(struct external));
}
/* CUPTI has no times of a kernel while it is replayed. With FAKE_CUPTI_SILENT it has no record of it. */
void fake_kernel(uint32_t correlation, uint64_t start, uint64_t end) {
  if (getenv("FAKE_CUPTI_SILENT"))
    return;
  if (fake_profiler_counting())
    start = end = 0;
  add(&(struct kernel){.kind = 10, .start = start, .end = end, .correlation = correlation},
      sizeof(struct kernel));
}
/* A record of a copy or fill, of up to 128 bytes. */
void fake_copy(const void *record, size_t bytes) {
  char whole[128] = {0};
  memcpy(whole, record, bytes);
  add(whole, sizeof whole);
}
void fake_named_kernel(uint32_t correlation, uint64_t start, uint64_t end, const char *name) {
  add(&(struct kernel){.kind = 10, .start = start, .end = end, .correlation = correlation, .name = name}, sizeof(struct kernel));
}
void fake_deliver(void) {
  uint8_t *full = buffer;
  size_t valid = used;
  buffer = NULL;
  used = 0;
  if (full)
    complete(NULL, 0, full, buffer_bytes, valid);
}
int cuptiActivityFlushAll(uint32_t flag) {
  (void)flag;
  fake_deliver();
  return 0;
}
int cuptiActivityGetNextRecord(uint8_t *start, size_t bytes, void **record) {
  uint8_t *next = start;
  if (*record)
    next = (uint8_t *)*record + (*(int *)*record == 10   ? sizeof(struct kernel)
                                 : *(int *)*record == 39 ? sizeof(struct external)
                                                         : 128);
  if (next >= start + bytes)
    return 12;
  *record = next;
  return 0;
}
