// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The GPU as seen by the core. Every call here reaches the real libcudart and must stay invisible to the
 * program. The thread's capture mode is relaxed meanwhile, and an error of gpuprof does not stay as the
 * program's last error.
 */
#include "cuda/device_cuda.h"

#include "base/device.h"
#include "base/locks.h"
#include "cuda/clone_launch.h"
#include "cuda/cuda_real.h"
#include "cuda/cupti.h"
#include "cuda/events.h"
#include "cuda/fences.h"
#include "cuda/function_resources.h"
#include "cuda/graphs.h"
#include "cuda/hardware_counters.h"
#include "cuda/machine_code.h"
#include "cuda/nvml.h"
#include "cuda/own_memory.h"
#include "cuda/pointers.h"
#include "cuda/siblings.h"
#include "exports/captures.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 64

/* ---- gpuprof's own calls ---- */

/* A stream of gpuprof on each device. The default stream and the program's streams wait for each other. It
 * may not be used at all while one of them is captured. */
static void *streams[DEVICES];
GP_MUTEX(streams_lock, GP_LOCK_STREAMS)

static int own_stream(void **stream) {
  const struct gp_cudart *cuda = gp_cuda_real();
  int device, error = cuda->cudaGetDevice(&device);
  if (error || device < 0 || device >= DEVICES)
    return error ? error : GP_CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&streams_lock);
  if (!streams[device] && !(error = cuda->cudaStreamCreateWithFlags(&streams[device], GP_CUDA_STREAM_NON_BLOCKING)))
    gp_cupti_own_stream(device, streams[device]);
  *stream = streams[device];
  pthread_mutex_unlock(&streams_lock);
  return error;
}

static _Atomic uint64_t devices_used; /* bit d: something was launched on device d */

/* Waits for all work of all devices in use. This is impossible during a capture: then nothing is waited
 * for. */
static int wait_for_work(void) {
  const struct gp_cudart *cuda = gp_cuda_real();
  uint64_t used = atomic_load(&devices_used);
  int here, error = GP_CUDA_SUCCESS;
  if (gp_captures())
    return GP_CUDA_SUCCESS;
  if (cuda->cudaGetDevice(&here) || !(used & ~(UINT64_C(1) << here)))
    return cuda->cudaDeviceSynchronize();
  for (int device = 0; device < DEVICES && !error; device++)
    if (used >> device & 1 && !(error = cuda->cudaSetDevice(device)))
      error = cuda->cudaDeviceSynchronize();
  cuda->cudaSetDevice(here);
  return error;
}

static int copy_and_wait(void *to, const void *from, size_t bytes, int kind) {
  void *stream;
  int error = own_stream(&stream);
  if (!error)
    error = gp_cuda_real()->cudaMemcpyAsync(to, from, bytes, kind, stream);
  return error ? error : gp_cuda_real()->cudaStreamSynchronize(stream);
}

/* ---- The table ---- */
/* The start of cudaDeviceProp, unchanged since CUDA 10; the rest is room for the library's writes. */
union properties {
  struct {
    char name[256];
    unsigned char uuid[16];
  } start;
  char room[8192];
};

static void format_uuid(char text[64], const unsigned char uuid[16]) {
  size_t length = (size_t)snprintf(text, 64, "GPU-");
  for (int i = 0; i < 16; i++)
    length += (size_t)snprintf(text + length, 64 - length,
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
}

/* 0 without an answer. */
static uint32_t architecture_of(int device) {
  int major = 0, minor = 0;
  const struct gp_cudart *cuda = gp_cuda_real();
  if (!cuda->cudaDeviceGetAttribute(&major, GP_CUDA_ATTRIBUTE_MAJOR, device) &&
      !cuda->cudaDeviceGetAttribute(&minor, GP_CUDA_ATTRIBUTE_MINOR, device))
    return (uint32_t)(10 * major + minor);
  cuda->cudaGetLastError();
  return 0;
}

/* Of the kernel module; without the file it stays unknown. */
static void read_driver(char *text, size_t size) {
  FILE *file = fopen("/sys/module/nvidia/version", "re");
  const size_t length = file ? fread(text, 1, size - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = 0;
  text[strcspn(text, "\n")] = 0;
}

static int describe(int device, struct gp_device_info *info) {
  const struct gp_cudart *cuda = gp_cuda_real();
  union properties *properties = calloc(1, sizeof *properties);
  if (!properties)
    return GP_CUDA_ERROR_MEMORY_ALLOCATION;
  int sm_count = 0, clock_khz = 0, mode = gp_cuda_enter();
  int error = cuda->cudaGetDeviceProperties_v2(properties, device);
  if (!error)
    error = cuda->cudaDeviceGetAttribute(&sm_count, GP_CUDA_ATTRIBUTE_SM_COUNT, device);
  /* The clock is optional: 0 stands for unknown. */
  if (!error && cuda->cudaDeviceGetAttribute(&clock_khz, GP_CUDA_ATTRIBUTE_CLOCK_KHZ, device))
    cuda->cudaGetLastError();
  const uint32_t architecture = error ? 0 : architecture_of(device);
  if (!gp_cuda_leave(mode, error)) {
    *info = (struct gp_device_info){.kind = "gpu",
                                    .index = device,
                                    .sm_count = (uint32_t)sm_count,
                                    .architecture = architecture,
                                    .clock_hz = 1000u * (uint64_t)clock_khz};
    snprintf(info->name, sizeof info->name, "%.127s", properties->start.name);
    format_uuid(info->uuid, properties->start.uuid);
    read_driver(info->driver, sizeof info->driver);
  }
  free(properties);
  return error;
}

/* The only device is everybody's: the call, and whatever sets a device or a context past gpuprof, need not be asked for. */
static int has_one_device(void) {
  static _Atomic int devices; /* 0: not asked yet */
  int count = atomic_load_explicit(&devices, memory_order_relaxed);
  if (!count && !gp_cuda_real()->cudaGetDeviceCount(&count))
    atomic_store_explicit(&devices, count, memory_order_relaxed);
  return count == 1;
}

static int current(int *device) {
  *device = 0;
  return has_one_device() ? GP_CUDA_SUCCESS : gp_cuda_real()->cudaGetDevice(device);
}

static int choose(int device) { return gp_cuda_real()->cudaSetDevice(device); }

static int fill_with_zero(void *pointer, size_t bytes) {
  void *stream;
  int error = own_stream(&stream);
  if (!error)
    error = gp_cuda_real()->cudaMemsetAsync(pointer, 0, bytes, stream);
  return error ? error : gp_cuda_real()->cudaStreamSynchronize(stream);
}

static int zero_memory(uint64_t address, size_t bytes) {
  int mode = gp_cuda_enter(), error = wait_for_work();
  if (!error)
    error = fill_with_zero((void *)(uintptr_t)address, bytes);
  return gp_cuda_leave(mode, error);
}

static int allocate(uint64_t *address, size_t bytes) {
  int mode = gp_cuda_enter(), error = gp_own_memory_allocate(address, bytes);
  if (!error && (error = fill_with_zero((void *)(uintptr_t)*address, bytes))) {
    gp_own_memory_release(*address);
    *address = 0;
  }
  return gp_cuda_leave(mode, error);
}

static int release(uint64_t address) {
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, gp_own_memory_release(address));
}

static int read_memory(void *host, uint64_t address, size_t bytes) {
  int mode = gp_cuda_enter(), error = wait_for_work();
  if (!error)
    error = copy_and_wait(host, (const void *)(uintptr_t)address, bytes, GP_CUDA_MEMCPY_DEVICE_TO_HOST);
  return gp_cuda_leave(mode, error);
}

static int peek_memory(void *host, uint64_t address, size_t bytes) {
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, copy_and_wait(host, (const void *)(uintptr_t)address, bytes, GP_CUDA_MEMCPY_DEVICE_TO_HOST));
}

static int write_memory(uint64_t address, const void *host, size_t bytes) {
  int mode = gp_cuda_enter(), error = wait_for_work();
  if (!error)
    error = copy_and_wait((void *)(uintptr_t)address, host, bytes, GP_CUDA_MEMCPY_HOST_TO_DEVICE);
  return gp_cuda_leave(mode, error);
}

static int poke_memory(uint64_t address, const void *host, size_t bytes) {
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, copy_and_wait((void *)(uintptr_t)address, host, bytes, GP_CUDA_MEMCPY_HOST_TO_DEVICE));
}

static int memory_in_use(uint64_t *bytes) {
  size_t available = 0, all = 0;
  int mode = gp_cuda_enter(), error = gp_cuda_real()->cudaMemGetInfo(&available, &all);
  *bytes = all - available;
  return gp_cuda_leave(mode, error);
}

static int pool_usage(int device, struct gp_pool_usage *usage) {
  const struct gp_cudart *cuda = gp_cuda_real();
  void *pool = NULL;
  int mode = gp_cuda_enter(), error = cuda->cudaDeviceGetDefaultMemPool(&pool, device);
  const struct { int attribute; uint64_t *value; } values[] = {{GP_CUDA_POOL_RESERVED, &usage->reserved_bytes},
                                                               {GP_CUDA_POOL_RESERVED_HIGH, &usage->reserved_peak_bytes},
                                                               {GP_CUDA_POOL_USED, &usage->used_bytes},
                                                               {GP_CUDA_POOL_USED_HIGH, &usage->used_peak_bytes}};
  for (size_t i = 0; i < sizeof values / sizeof *values && !error; i++)
    error = cuda->cudaMemPoolGetAttribute(pool, values[i].attribute, values[i].value);
  return gp_cuda_leave(mode, error);
}

/* A copy from pageable memory reads its source before it returns (up to 64 KiB without waiting for the
 * stream) and runs in stream order. The value may therefore lie on the stack. */
static int store_ordered(uint64_t address, uint64_t value, void *stream) {
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, gp_cuda_real()->cudaMemcpyAsync((void *)(uintptr_t)address, &value, sizeof value,
                                                     GP_CUDA_MEMCPY_HOST_TO_DEVICE, stream));
}

static int symbol(const void *shadow, uint64_t *address, size_t *bytes) {
  void *pointer = NULL;
  int mode = gp_cuda_enter(), error = gp_cuda_real()->cudaGetSymbolAddress(&pointer, shadow);
  if (!error)
    error = gp_cuda_real()->cudaGetSymbolSize(bytes, shadow);
  *address = (uint64_t)(uintptr_t)pointer;
  return gp_cuda_leave(mode, error);
}

static int synchronize(void) {
  if (gp_captures())
    return GP_CUDA_ERROR_CAPTURE_UNSUPPORTED;
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, gp_cuda_real()->cudaDeviceSynchronize());
}

/* Illegal addresses, assertions, traps, time-outs of a display: all later calls give the same error. */
static int is_fault(int error) {
  enum { ILLEGAL_ADDRESS = 700, TIMEOUT = 702, ASSERT = 710, FIRST_OF_MACHINE = 714, LAST_OF_MACHINE = 719 };
  return error == ILLEGAL_ADDRESS || error == TIMEOUT || error == ASSERT || (error >= FIRST_OF_MACHINE && error <= LAST_OF_MACHINE);
}

/* The default stream cannot be queried while a stream waiting for it is captured. Nothing may be put into it
 * then, either: the result is 1. */
static int capturing(void *stream) {
  int status = GP_CUDA_CAPTURE_NONE;
  if (!gp_cuda_real()->cudaStreamIsCapturing(stream, &status))
    return status != GP_CUDA_CAPTURE_NONE;
  gp_cuda_real()->cudaGetLastError();
  return 1;
}

/* A launch into the default stream is never captured: while a stream that waits for it is captured, it fails. The driver
 * answers in less time than the runtime, and sets no last error; without a context the runtime makes one. */
static int (*driver_capturing)(void *stream, int *status);
static pthread_once_t driver_asked = PTHREAD_ONCE_INIT;
static void ask_driver(void) { *(void **)&driver_capturing = gp_cuda_symbol("cuStreamIsCapturing"); }

static int captured(void *stream) {
  enum { DEFAULT_STREAM = 1 }; /* also as 0 */
  int status = GP_CUDA_CAPTURE_NONE;
  if ((uintptr_t)stream <= DEFAULT_STREAM)
    return 0;
  pthread_once(&driver_asked, ask_driver);
  if (!driver_capturing || driver_capturing(stream, &status))
    return capturing(stream);
  return status != GP_CUDA_CAPTURE_NONE;
}

/* ---- Times ---- */
static void launch_begin(const struct gp_launch *launch) {
  if (gp_cupti_active())
    gp_cupti_launch_begin(launch->id);
  if (!gp_cupti_active() || gp_cupti_is_unproven())
    gp_events_launch_begin(launch);
}

static void launch_end(const struct gp_launch *launch, int error) {
  uint64_t bit = UINT64_C(1) << (launch->device & (DEVICES - 1));
  if (!(atomic_load_explicit(&devices_used, memory_order_relaxed) & bit))
    atomic_fetch_or(&devices_used, bit);
  gp_cupti_launch_end(error);
  gp_events_launch_end(launch, error);
}

static void work_end(int error) {
  (void)error;
  gp_cupti_work_end();
}

static uint64_t used(void) { return atomic_load(&devices_used) & ((UINT64_C(1) << GP_DEVICES) - 1); }

static void flush(void) {
  int mode = gp_cuda_enter(), error = wait_for_work();
  gp_cupti_flush();
  gp_events_flush();
  gp_cuda_leave(mode, error);
}

/* Uses records and events, since a query of a stream or the device may end a capture. Of two times of a launch, the
 * first one counts: records come first. */
static int idle(void) {
  const int mode = gp_cuda_enter(), by_records = !gp_cupti_active() || gp_cupti_idle() || gp_cupti_is_unproven();
  const int ended = gp_events_idle() && by_records && !gp_captures();
  gp_cuda_leave(mode, GP_CUDA_SUCCESS);
  return ended;
}

static const char *error_text(int error) { return gp_cuda_real()->cudaGetErrorString(error); }

/* The program's kernels must be registered before their handles are known. */
static void before_driver_launch(void) { gp_cuda_real(); }

void gp_device_cuda_forget(int device) {
  gp_events_forget(device);
  gp_cuda_hardware_forget(device);
  gp_own_memory_forget(device);
  gp_siblings_forget();
  if (device < 0 || device >= DEVICES)
    return;
  pthread_mutex_lock(&streams_lock);
  streams[device] = NULL;
  pthread_mutex_unlock(&streams_lock);
}

static const struct gp_cuda_functions cuda = {
    .name = "this CUDA runtime",
    .runtime = gp_cuda_real,
    .driver = gp_cuda_symbol,
    .before_driver_launch = before_driver_launch,
    .graphs = &gp_cuda_graphs,
    .reset = gp_device_cuda_forget,
};

const struct gp_device_ops gp_device_cuda = {
    .kind = "gpu",
    .has_time = 1,
    .cuda = &cuda,
    .describe = describe,
    .current = current,
    .select = choose,
    .allocate = allocate,
    .counters_kept = (size_t)256 << 20,
    .release = release,
    .read = read_memory,
    .peek = peek_memory,
    .write = write_memory,
    .poke = poke_memory,
    .zero = zero_memory,
    .memory_in_use = memory_in_use,
    .pool = pool_usage,
    .store_ordered = store_ordered,
    .fence = gp_cuda_fence,
    .await_fence = gp_cuda_await_fence,
    .fence_passed = gp_cuda_fence_passed,
    .drop_fence = gp_cuda_drop_fence,
    .stream_number = gp_cuda_stream_number,
    .symbol = symbol,
    .allocation = gp_cuda_allocation,
    .watch_writes = gp_cupti_watch_writes,
    .synchronize = synchronize,
    .is_fault = is_fault,
    .idle = idle,
    .capturing = capturing,
    .captured = captured,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .work_begin = gp_cupti_work_begin,
    .work_end = work_end,
    .most_threads = gp_cuda_most_threads,
    .sibling_blocks = gp_cuda_sibling_blocks,
    .launch_clone = gp_cuda_launch_clone,
    .launch_instrumented = gp_cuda_launch_instrumented,
    .stub = gp_sibling_host,
    .name = gp_sibling_name,
    .measure = gp_cuda_hardware_measure,
    .resources = gp_cuda_function_resources,
    .constants = gp_machine_code_constants,
    .loads_words = gp_machine_code_loads_words,
    .undo = gp_cuda_undo,
    .used = used,
    .energy = gp_nvml_energy,
    .flush = flush,
    .error_text = error_text,
};
