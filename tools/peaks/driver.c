// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The functions of libcuda that are called. */
#define DRIVER_FUNCTIONS(X)                                                                                  \
  X(cuInit, (unsigned))                                                                                      \
  X(cuDriverGetVersion, (int *))                                                                             \
  X(cuDeviceGetCount, (int *))                                                                               \
  X(cuDeviceGetName, (char *, int, int))                                                                     \
  X(cuDeviceGetUuid, (unsigned char *, int))                                                                 \
  X(cuDeviceGetPCIBusId, (char *, int, int))                                                                 \
  X(cuDeviceGetAttribute, (int *, int, int))                                                                 \
  X(cuDevicePrimaryCtxRetain, (void **, int))                                                                \
  X(cuDevicePrimaryCtxRelease_v2, (int))                                                                     \
  X(cuCtxSetCurrent, (void *))                                                                               \
  X(cuMemGetInfo_v2, (size_t *, size_t *))                                                                   \
  X(cuMemAlloc_v2, (uint64_t *, size_t))                                                                     \
  X(cuMemFree_v2, (uint64_t))                                                                                \
  X(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                                                       \
  X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                             \
  X(cuMemsetD32_v2, (uint64_t, unsigned, size_t))                                                            \
  X(cuModuleLoadDataEx, (void **, const void *, unsigned, const int *, void **))                             \
  X(cuModuleGetFunction, (void **, void *, const char *))                                                    \
  X(cuModuleUnload, (void *))                                                                                \
  X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,   \
                     void **, void **))                                                                      \
  X(cuEventCreate, (void **, unsigned))                                                                      \
  X(cuEventDestroy_v2, (void *))                                                                             \
  X(cuEventRecord, (void *, void *))                                                                         \
  X(cuEventSynchronize, (void *))                                                                            \
  X(cuEventElapsedTime, (float *, void *, void *))                                                           \
  X(cuGetErrorName, (int, const char **))

static struct {
#define DRIVER_MEMBER(name, parameters) int(*name) parameters;
  DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
} cuda;

static const struct {
  const char *name;
  void **function;
} functions[] = {
#define DRIVER_ROW(name, parameters) {#name, (void **)&cuda.name},
    DRIVER_FUNCTIONS(DRIVER_ROW)
#undef DRIVER_ROW
};

const char *driver_open(int *count) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "there is no driver (libcuda.so.1)";
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (!(*functions[i].function = dlsym(library, functions[i].name)))
      return "the driver is too old: a function is missing in libcuda.so.1";
  if (cuda.cuInit(0) || cuda.cuDeviceGetCount(count) || !*count)
    return "the driver finds no GPU";
  return NULL;
}

static unsigned attribute(enum driver_attribute which, int device) {
  int value = 0;
  return cuda.cuDeviceGetAttribute(&value, which, device) || value < 0 ? 0 : (unsigned)value;
}

static void name_uuid(char *text, int device) {
  unsigned char bytes[16] = {0};
  if (cuda.cuDeviceGetUuid(bytes, device))
    return;
  text += sprintf(text, "GPU-");
  for (unsigned i = 0; i < sizeof bytes; ++i)
    text += sprintf(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

const char *driver_select(int index, struct gpu *gpu) {
  void *context = NULL;
  size_t all = 0;
  *gpu = (struct gpu){.index = index,
                      .sm_count = attribute(DRIVER_SM_COUNT, index),
                      .capability = 10 * attribute(DRIVER_CAPABILITY_MAJOR, index) +
                                    attribute(DRIVER_CAPABILITY_MINOR, index),
                      .clock_khz = attribute(DRIVER_CLOCK_KHZ, index),
                      .memory_clock_khz = attribute(DRIVER_MEMORY_CLOCK_KHZ, index),
                      .memory_bus_bits = attribute(DRIVER_MEMORY_BUS_BITS, index),
                      .l2_bytes = attribute(DRIVER_L2_BYTES, index)};
  if (cuda.cuDeviceGetName(gpu->name, sizeof gpu->name, index) || !gpu->sm_count)
    return "the driver does not describe it";
  name_uuid(gpu->uuid, index);
  cuda.cuDriverGetVersion(&gpu->driver_version);
  cuda.cuDeviceGetPCIBusId(gpu->bus, sizeof gpu->bus, index);
  if (cuda.cuDevicePrimaryCtxRetain(&context, index) || cuda.cuCtxSetCurrent(context))
    return "it gives no context; is another program holding it for itself?";
  cuda.cuMemGetInfo_v2(&gpu->free_bytes, &all);
  return NULL;
}

void driver_release(const struct gpu *gpu) { cuda.cuDevicePrimaryCtxRelease_v2(gpu->index); }

uint64_t driver_allocate(size_t bytes) {
  uint64_t address = 0;
  return cuda.cuMemAlloc_v2(&address, bytes) ? 0 : address;
}

void driver_free(uint64_t address) {
  if (address)
    cuda.cuMemFree_v2(address);
}

bool driver_put(uint64_t address, const void *bytes, size_t count) {
  return !cuda.cuMemcpyHtoD_v2(address, bytes, count);
}
bool driver_get(void *bytes, uint64_t address, size_t count) {
  return !cuda.cuMemcpyDtoH_v2(bytes, address, count);
}
bool driver_set_words(uint64_t address, uint32_t word, size_t bytes) {
  return !cuda.cuMemsetD32_v2(address, word, bytes / sizeof word);
}

/* ---- Kernels ---- */

static bool explain(struct text *reason, const char *what, int error) {
  const char *name = NULL;
  if (cuda.cuGetErrorName(error, &name) || !name)
    name = "unknown error";
  text_format(reason, "%s: %s", what, name);
  return false;
}

enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 }; /* CUjit_option */

bool driver_compile(struct driver_kernel *kernel, const char *ptx, struct text *reason) {
  static const int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
  char log[1024] = "";
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  *kernel = (struct driver_kernel){0};
  int error =
      cuda.cuModuleLoadDataEx(&kernel->module, ptx, sizeof options / sizeof *options, options, values);
  if (!error)
    error = cuda.cuModuleGetFunction(&kernel->function, kernel->module, "peak");
  if (!error)
    return true;
  explain(reason, "the driver does not compile its PTX", error);
  log[strcspn(log, "\r\n")] = 0;
  if (*log) {
    text_add(reason, ", ");
    text_plain(reason, log);
  }
  return false;
}

void driver_unload(struct driver_kernel *kernel) {
  if (kernel->module)
    cuda.cuModuleUnload(kernel->module);
}

static int launch_between(const struct driver_kernel *kernel, const struct driver_launch *l,
                          void *const *events) {
  struct driver_launch copy = *l;
  void *arguments[] = {&copy.out, &copy.in, &copy.clocks, &copy.size, &copy.iterations};
  int error = cuda.cuEventRecord(events[0], NULL);
  if (!error)
    error =
        cuda.cuLaunchKernel(kernel->function, l->blocks, 1, 1, l->threads, 1, 1, 0, NULL, arguments, NULL);
  return error ? error : cuda.cuEventRecord(events[1], NULL);
}

bool driver_run(const struct driver_kernel *kernel, const struct driver_launch *launch,
                void (*meanwhile)(void *), void *closure, double *milliseconds, struct text *reason) {
  void *events[2] = {NULL, NULL};
  float elapsed = 0;
  int error = 0;
  for (int i = 0; i < 2 && !error; ++i)
    error = cuda.cuEventCreate(&events[i], 0);
  if (!error)
    error = launch_between(kernel, launch, events);
  if (!error && meanwhile)
    meanwhile(closure);
  if (!error)
    error = cuda.cuEventSynchronize(events[1]);
  if (!error)
    error = cuda.cuEventElapsedTime(&elapsed, events[0], events[1]);
  for (int i = 0; i < 2; ++i)
    if (events[i])
      cuda.cuEventDestroy_v2(events[i]);
  *milliseconds = elapsed;
  return error ? explain(reason, "it does not run", error) : true;
}
