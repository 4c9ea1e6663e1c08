// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A driver with one small GPU for `gpuprof peaks` (libcuda.so.1): kernels do no work, but leave behind what the work would have
 * left, and take the time that the rates below say.
 *   FAKE_GPU_NAME    name of the device (default: NVIDIA H200)
 *   FAKE_GPU_CC      compute capability times ten (default: 90)
 *   FAKE_GPU_FAST    id of a kernel that is a thousand times too fast
 *   FAKE_GPU_WRONG   id of a kernel whose results are wrong
 *   FAKE_GPU_REFUSED id of a kernel that the driver does not compile
 *   FAKE_GPU_HANGS   id of a kernel that takes no time at all */
#include "peaks/benchmarks.h"
#include "peaks/ptx_memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMS 132
#define CLOCK 1.98e9

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value ? value : otherwise;
}

static int is_named(const char *name, const struct benchmark *benchmark) { return !strcmp(setting(name, ""), benchmark->id); }

int cuInit(unsigned flags) { return (int)flags; }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
int cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  snprintf(name, (size_t)size, "%s", setting("FAKE_GPU_NAME", "NVIDIA H200"));
  return 0;
}
int cuDeviceGetUuid(unsigned char *uuid, int device) {
  for (int i = 0; i < 16; i++)
    uuid[i] = (unsigned char)(i + device);
  return 0;
}
int cuDeviceGetPCIBusId(char *bus, int size, int device) {
  snprintf(bus, (size_t)size, "0000:00:0%d.0", device);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const int capability = atoi(setting("FAKE_GPU_CC", "90"));
  (void)device;
  *value = attribute == 16   ? SMS
           : attribute == 13 ? (int)(CLOCK / 1e3)
           : attribute == 36 ? 3201000
           : attribute == 37 ? 6016
           : attribute == 38 ? 1 << 20
           : attribute == 75 ? capability / 10
           : attribute == 76 ? capability % 10
                             : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  *context = context;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxSetCurrent(void *context) { return !context; }

/* ---- Memory is the process's own ---- */

int cuMemGetInfo_v2(size_t *available, size_t *all) {
  *available = *all = (size_t)72 << 20;
  return 0;
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  *address = (uint64_t)(uintptr_t)calloc(1, bytes);
  return !*address;
}
int cuMemFree_v2(uint64_t address) {
  free((void *)(uintptr_t)address);
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return 0;
}
int cuMemsetD32_v2(uint64_t address, unsigned word, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((unsigned *)(uintptr_t)address)[i] = word;
  return 0;
}

/* ---- Kernels are known by their text ---- */

static const struct benchmark *known(const char *ptx) {
  const struct benchmark *benchmark;
  for (size_t i = 0; (benchmark = benchmark_at(i)); i++) {
    struct text own = {0};
    benchmark_ptx(benchmark, &own);
    const int same = !strcmp(text_get(&own), ptx);
    text_free(&own);
    if (same)
      break;
  }
  return benchmark;
}

int cuModuleLoadDataEx(void **module, const void *ptx, unsigned count, const int *options, void **values) {
  const struct benchmark *benchmark = known(ptx);
  (void)count, (void)options;
  if (!benchmark)
    return 218;
  if (is_named("FAKE_GPU_REFUSED", benchmark)) {
    strcpy(values[0], "ptxas fatal: no such instruction here\n");
    return 218;
  }
  *module = (void *)(uintptr_t)benchmark;
  return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return strcmp(name, "peak") ? 500 : 0;
}
int cuModuleUnload(void *module) { return !module; }

static double run_ms;

static double work_of(const struct benchmark *benchmark, double threads, uint32_t iterations, uint64_t size) {
  const struct stream *stream = benchmark->shape;
  if (benchmark->family != &stream_family)
    return threads * iterations * benchmark->work;
  return (double)iterations * (double)size * stream_buffers(stream);
}

static double rate_of(const struct benchmark *benchmark) {
  static const double per_clock[] = {[GROUP_CORE] = 120, [GROUP_TENSOR] = 240, [GROUP_SPECIAL] = 16, [GROUP_INTEGER] = 15,
                                     [GROUP_DRAM] = 17,  [GROUP_L2] = 35,      [GROUP_L1] = 120,     [GROUP_SHARED] = 120};
  return per_clock[benchmark->group] * CLOCK * SMS * (is_named("FAKE_GPU_FAST", benchmark) ? 1000 : 1);
}

static void store(const struct stream *stream, uint64_t address, uint64_t size) {
  uint32_t *words = (uint32_t *)(uintptr_t)address;
  for (uint64_t i = 0; i < size / sizeof *words; i++)
    if (stream->kind == STREAM_WRITE)
      words[i] = STREAM_WRITTEN + i % 4;
    else if (stream->kind == STREAM_TRIAD)
      words[i] = 0x40000000;
}

/* The first value of the input tells the operands of a run: only those that count are alike. */
static enum benchmark_operands operands_of(const struct benchmark *benchmark, uint64_t in) {
  static char counting[BENCHMARK_INPUT_BYTES];
  benchmark->family->fill(benchmark, BENCHMARK_COUNTING, counting);
  return memcmp(counting, (const void *)(uintptr_t)in, 16) ? BENCHMARK_LASTING : BENCHMARK_COUNTING;
}

static void leave_words(const struct benchmark *benchmark, uint32_t *out, unsigned blocks, unsigned threads, uint64_t in,
                        uint64_t size, uint32_t iterations) {
  const struct stream *stream = benchmark->shape;
  const int is_stream = benchmark->family == &stream_family;
  const uint64_t words = size / 4 / blocks / threads;
  const enum benchmark_operands operands = is_stream ? BENCHMARK_COUNTING : operands_of(benchmark, in);
  for (unsigned thread = 0; thread < threads; thread++) {
    uint32_t word = 0;
    if (is_stream && stream->kind == STREAM_READ)
      word = (uint32_t)(words * iterations) * STREAM_WORD;
    if (!is_stream)
      benchmark->family->expect(benchmark, operands, thread % 32, iterations, &word);
    if (!is_stream && thread >= 32) /* lanes are alike; computing them takes time */
      word = out[thread % 32];
    for (unsigned block = 0; block < blocks; block++)
      out[block * threads + thread] = word + (unsigned)is_named("FAKE_GPU_WRONG", benchmark);
  }
}

int cuLaunchKernel(void *function, unsigned blocks, unsigned b, unsigned c, unsigned threads, unsigned e, unsigned f,
                   unsigned shared, void *stream, void **arguments, void **extra) {
  const struct benchmark *benchmark = function;
  const uint64_t out = *(uint64_t *)arguments[0], in = *(uint64_t *)arguments[1], size = *(uint64_t *)arguments[3];
  uint64_t *clocks = (uint64_t *)(uintptr_t) * (uint64_t *)arguments[2];
  const uint32_t iterations = *(uint32_t *)arguments[4];
  (void)b, (void)c, (void)e, (void)f, (void)shared, (void)stream, (void)extra;
  run_ms = is_named("FAKE_GPU_HANGS", benchmark)
               ? 0.001
               : 1e3 * work_of(benchmark, (double)blocks * threads, iterations, size) / rate_of(benchmark);
  clocks[1] = (uint64_t)(1e6 * run_ms) + 1;
  clocks[0] = (uint64_t)((double)clocks[1] * CLOCK / 1e9);
  leave_words(benchmark, (uint32_t *)(uintptr_t)out, blocks, threads, in, size, iterations);
  if (benchmark->family == &stream_family)
    store(benchmark->shape, in, size);
  return 0;
}

int cuEventCreate(void **event, unsigned flags) {
  *event = event;
  return (int)flags;
}
int cuEventDestroy_v2(void *event) { return !event; }
int cuEventRecord(void *event, void *stream) { return !event || stream; }
int cuEventSynchronize(void *event) { return !event; }
int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds = (float)run_ms;
  return !start || !end;
}
int cuGetErrorName(int error, const char **name) {
  *name = error == 218 ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
