// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The CPU device behind the core's seam. Addresses of the device are addresses of the process. */
#include "device_cpu.h"

#include "common/devices.h"
#include "common/errors.h"
#include "common/identity.h"
#include "common/launching.h"
#include "cuda-api/driver/driver_table.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/runtime/api_table.h"
#include "cuda-api/work/stream.h"
#include "engine/emulator.h"
#include "exports/cuda_functions.h"
#include "memory/arena.h"
#include "sheet/modules.h"

#include <stdlib.h>
#include <string.h>

static int describe(int device, struct gp_device_info *info) {
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  *info = (struct gp_device_info){
      .kind = "cpu", .index = device, .sm_count = gp_cpu_worker_count(), .clock_hz = gp_cpu_clock_hz()};
  gp_cpu_device_name(info->name, sizeof info->name);
  return 0;
}

static int current(int *device) {
  *device = gp_cpu_device();
  return 0;
}

static int choose(int device) {
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  gp_cpu_device_set(device);
  return 0;
}

/* The core's own memory stays outside of the arena: it is no global memory of the program. */
static int allocate(uint64_t *address, size_t bytes) {
  *address = (uint64_t)calloc(1, bytes ? bytes : 1);
  return *address ? 0 : GP_ERROR_MEMORY_ALLOCATION;
}

static int release(uint64_t address) {
  free((void *)address);
  return 0;
}

/* Device variables, including the descriptors of units, have values for each device. */
static int copy_memory(void *to, const void *from, size_t bytes) {
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to, from, bytes, 0);
  gp_copy_do(&copy);
  return 0;
}

static int read_memory(void *host, uint64_t address, size_t bytes) {
  return copy_memory(host, (const void *)address, bytes);
}

/* Counters are the core's own memory. */
static int peek_memory(void *host, uint64_t address, size_t bytes) {
  memcpy(host, (const void *)address, bytes);
  return 0;
}

static int write_memory(uint64_t address, const void *host, size_t bytes) {
  return copy_memory((void *)address, host, bytes);
}

static int zero_memory(uint64_t address, size_t bytes) {
  memset((void *)address, 0, bytes);
  return 0;
}

static int memory_in_use(uint64_t *bytes) {
  uint64_t available, all;
  gp_arena_totals(gp_cpu_device(), &available, &all);
  *bytes = all - available;
  return 0;
}

static int store_ordered(uint64_t address, uint64_t value, void *stream) {
  (void)stream;
  *(uint64_t *)address = value;
  return 0;
}

static int symbol(const void *shadow, uint64_t *address, size_t *bytes) {
  const struct gpuprof_cpu_variable *variable = gp_modules_cpu_variable(shadow);
  if (!variable)
    return GP_ERROR_INVALID_SYMBOL;
  *address = (uint64_t)variable->address;
  *bytes = variable->bytes;
  return 0;
}

static int allocation(uint64_t address, struct gp_memory_range *memory) {
  struct gp_allocation found;
  if (!gp_arena_find(address, &found))
    return GP_ERROR_INVALID_VALUE;
  *memory = (struct gp_memory_range){.start = found.address, .bytes = found.bytes};
  return 0;
}

static uint32_t slot(uint32_t number) { return number < gp_cpu_worker_count() ? gp_worker_slot(number) : UINT32_MAX; }

static int synchronize(void) {
  gp_cpu_wait();
  return 0;
}

static int capturing(void *stream) { return gp_stream_is_captured(stream); }

static void launch_begin(const struct gp_launch *launch) { gp_cpu_launch_id = launch->id; }

static void launch_end(const struct gp_launch *launch, int error) {
  (void)launch, (void)error;
  gp_cpu_launch_id = 0;
}

/* In order: the launch of the kernel itself is over. */
static const char *launch_clone(const struct gp_launch *launch, const char *suffix) {
  const struct gpuprof_cpu_kernel *clone = gp_modules_cpu_sibling(launch->function, suffix);
  if (!clone)
    return "its file has no clone that stands for it on the CPU device; compile it again";
  return gp_cpu_run(clone, launch->grid, launch->block, launch->arguments, 0, 0)
             ? "the CPU device refused to launch the clone that stands for it"
             : NULL;
}

static const char *launch_instrumented(const struct gp_launch *launch, const char *suffix, int *error) {
  return gp_cpu_launch_sibling(launch, suffix, error)
             ? "its file has no such copy of it for the CPU device; compile it again"
             : NULL;
}

static void flush(void) {} /* times are delivered within the launch */

static const struct gp_cuda_functions cuda = {
    .name = "the CPU device",
    .runtime = gp_cpu_api,
    .driver = gp_cpu_driver_function,
    .splits_arguments = 1,
};

static int pool_usage(int device, struct gp_pool_usage *usage) {
  const struct gp_cudart *runtime = cuda.runtime();
  void *pool = NULL;
  int error = runtime->cudaDeviceGetDefaultMemPool(&pool, device);
  const struct { int attribute; uint64_t *value; } values[] = {{GP_CUDA_POOL_RESERVED, &usage->reserved_bytes},
                                                               {GP_CUDA_POOL_RESERVED_HIGH, &usage->reserved_peak_bytes},
                                                               {GP_CUDA_POOL_USED, &usage->used_bytes},
                                                               {GP_CUDA_POOL_USED_HIGH, &usage->used_peak_bytes}};
  for (size_t i = 0; i < sizeof values / sizeof *values && !error; i++)
    error = runtime->cudaMemPoolGetAttribute(pool, values[i].attribute, values[i].value);
  return error;
}

const struct gp_device_ops gp_device_cpu = {
    .kind = "cpu",
    .replays_graphs = 1,
    .may_skip_kernels = 1,
    .marks_sectors = 1,
    .tells_in_call = 1,
    .works_in_children = 1,
    .cuda = &cuda,
    .describe = describe,
    .current = current,
    .select = choose,
    .allocate = allocate,
    .counters_kept = (size_t)16 << 20,
    .slot = slot,
    .release = release,
    .read = read_memory,
    .peek = peek_memory,
    .write = write_memory,
    .zero = zero_memory,
    .memory_in_use = memory_in_use,
    .pool = pool_usage,
    .store_ordered = store_ordered,
    .symbol = symbol,
    .allocation = allocation,
    .synchronize = synchronize,
    .capturing = capturing,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .launch_clone = launch_clone,
    .launch_instrumented = launch_instrumented,
    .flush = flush,
    .error_text = gp_cpu_error_text,
};
