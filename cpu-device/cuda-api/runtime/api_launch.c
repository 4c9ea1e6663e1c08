// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels: launches, attributes, occupancy. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/runtime/api_cluster.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "engine/emulator.h"
#include "sheet/modules.h"

#include <string.h>

enum { ATTRIBUTE_DYNAMIC_SHARED = 8, ATTRIBUTES = 16 };

/* ---- Attributes that can be set ------------------------------------------------------------------------ */

/* cudaFuncAttribute */
enum { ATTRIBUTE_CARVEOUT = 9, CARVEOUT_DEFAULT = -1, CARVEOUT_MOST = 100, CACHE_CONFIGURATIONS = 4 };

int gp_cpu_cudaFuncSetAttribute(const void *function, int attribute, int value) {
  int error;
  const struct gpuprof_cpu_kernel *kernel = gp_cpu_find_kernel(function, &error);
  if (error)
    return gp_cpu_result(error);
  if (attribute < ATTRIBUTE_DYNAMIC_SHARED || attribute > ATTRIBUTES)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_kernel_settings settings = gp_cpu_kernel_settings(function);
  if (attribute == ATTRIBUTE_CARVEOUT) {
    if (value < CARVEOUT_DEFAULT || value > CARVEOUT_MOST)
      return gp_cpu_result(GP_ERROR_INVALID_VALUE);
    settings.carveout = value;
  } else if (attribute == ATTRIBUTE_DYNAMIC_SHARED) {
    if (value < 0 || (uint64_t)value + kernel->static_shared_bytes > GP_CPU_SHARED_MAXIMUM)
      return gp_cpu_result(GP_ERROR_INVALID_VALUE);
    settings.dynamic_shared_bytes = value;
  } else {
    error = gp_cluster_take_attribute(&settings, kernel, attribute, value);
    if (error)
      return gp_cpu_result(error);
  }
  return gp_cpu_result(gp_cpu_keep_kernel_settings(settings));
}

/* A kernel's handle is its host stub. */
int gp_cpu_cudaKernelSetAttributeForDevice(void *kernel, int attribute, int value, int device) {
  return gp_cpu_device_exists(device) ? gp_cpu_cudaFuncSetAttribute(kernel, attribute, value)
                                      : gp_cpu_result(GP_ERROR_INVALID_DEVICE);
}

int gp_cpu_cudaFuncSetCacheConfig(const void *function, int configuration) {
  int error;
  gp_cpu_find_kernel(function, &error);
  if (!error && (configuration < 0 || configuration >= CACHE_CONFIGURATIONS))
    error = GP_ERROR_INVALID_VALUE;
  return gp_cpu_result(error);
}

int gp_cpu_cudaFuncSetSharedMemConfig(const void *function, int configuration) {
  return gp_cpu_cudaFuncSetCacheConfig(function, configuration);
}

/* ---- Names and handles --------------------------------------------------------------------------------- */

int gp_cpu_cudaFuncGetName(const char **name, const void *function) {
  int error = GP_ERROR_INVALID_VALUE;
  const struct gpuprof_cpu_kernel *kernel = name ? gp_cpu_find_kernel(function, &error) : NULL;
  if (kernel)
    *name = kernel->name;
  return gp_cpu_result(error);
}

int gp_cpu_cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes) {
  int error;
  const struct gpuprof_cpu_kernel *kernel = gp_cpu_find_kernel(function, &error);
  if (!error && (!offset || index >= kernel->parameter_count))
    error = GP_ERROR_INVALID_VALUE;
  if (error)
    return gp_cpu_result(error);
  /* A GPU's place: each parameter lies at a multiple of its alignment, a number's size. */
  size_t at = 0;
  for (size_t i = 0; i <= index; i++) {
    size_t size = kernel->parameter_bytes[i], alignment = size & -size;
    alignment = alignment > 16 ? 16 : alignment ? alignment : 1;
    at = (at + alignment - 1) / alignment * alignment;
    *offset = at;
    at += size;
  }
  if (bytes)
    *bytes = kernel->parameter_bytes[index];
  return gp_cpu_result(0);
}

static int get_handle(void **handle, const void *function) {
  if (!gp_modules_cpu_kernel(function))
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  if (handle)
    *handle = (void *)function;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetFuncBySymbol(void **handle, const void *symbol) { return get_handle(handle, symbol); }
int gp_cpu_cudaGetKernel(void **kernel, const void *function) { return get_handle(kernel, function); }
int gp_cpu___cudaGetKernel(void **kernel, const void *function) { return get_handle(kernel, function); }

/* ---- Launches ------------------------------------------------------------------------------------------ */

static int submit(const struct gp_kernel_work *launch, void *stream) {
  const struct gp_work work = {.kind = GP_WORK_KERNEL, .device = gp_cpu_device(), .kernel = *launch};
  int error = gp_stream_submit(stream, &work);
  /* the next call reports the error of the stopped kernel */
  return gp_cpu_broken() ? 0 : gp_cpu_result(error);
}

static int launch_kernel(struct gp_kernel_work launch, void *stream) {
  int error = 0;
  if (!gp_cpu_broken())
    launch.kernel = gp_cpu_find_kernel(launch.function, &error);
  return error || gp_cpu_broken() ? gp_cpu_result(error) : submit(&launch, stream);
}

static bool is_cooperative(const struct gp_cuda_launch_attribute *attributes, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (attributes[i].id == GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE && attributes[i].value.integer)
      return true;
  return false;
}

int gp_cpu_launch_sibling(const struct gp_launch *launch, const char *suffix, int *error) {
  struct gp_kernel_work work = {.function = launch->function,
                                .kernel = gp_modules_cpu_sibling(launch->function, suffix),
                                .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                                .block = {launch->block[0], launch->block[1], launch->block[2]},
                                .dynamic_shared_bytes = launch->dynamic_shared_bytes,
                                .arguments = launch->arguments,
                                .cooperative = launch->cooperative ||
                                               is_cooperative(launch->attributes, launch->attribute_count)};
  if (!work.kernel)
    return -1;
  gp_cluster_of_attributes(&work, launch->attributes, launch->attribute_count);
  *error = gp_cpu_broken() ? gp_cpu_result(0) : submit(&work, launch->stream);
  return 0;
}

int gp_cpu_cudaLaunchKernel(const void *function, struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,
                            void **arguments, size_t dynamic_shared_bytes, void *stream) {
  return launch_kernel((struct gp_kernel_work){.function = function,
                                               .grid = grid,
                                               .block = block,
                                               .dynamic_shared_bytes = dynamic_shared_bytes,
                                               .arguments = arguments},
                       stream);
}

int gp_cpu___cudaLaunchKernel(void *kernel, struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,
                              void **arguments, size_t dynamic_shared_bytes, void *stream) {
  return gp_cpu_cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared_bytes, stream);
}

int gp_cpu_cudaLaunchCooperativeKernel(const void *function, struct gp_cuda_dim3 grid,
                                       struct gp_cuda_dim3 block, void **arguments,
                                       size_t dynamic_shared_bytes, void *stream) {
  return launch_kernel((struct gp_kernel_work){.function = function,
                                               .grid = grid,
                                               .block = block,
                                               .dynamic_shared_bytes = dynamic_shared_bytes,
                                               .arguments = arguments,
                                               .cooperative = true},
                       stream);
}

enum { LAST_LAUNCH_ATTRIBUTE = 15 };

int gp_cpu_cudaLaunchKernelExC(const struct gp_cuda_launch_config *launch, const void *function,
                               void **arguments) {
  if (!launch || (launch->attribute_count && !launch->attributes))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_kernel_work work = {.function = function,
                                .grid = launch->grid,
                                .block = launch->block,
                                .dynamic_shared_bytes = launch->dynamic_shared_bytes,
                                .arguments = arguments,
                                .cooperative = is_cooperative(launch->attributes, launch->attribute_count)};
  int error = gp_cluster_of_attributes(&work, launch->attributes, launch->attribute_count);
  for (unsigned i = 0; i < launch->attribute_count; i++)
    if (launch->attributes[i].id < 0 || launch->attributes[i].id > LAST_LAUNCH_ATTRIBUTE)
      error = GP_ERROR_INVALID_VALUE;
  return error ? gp_cpu_result(error) : launch_kernel(work, launch->stream);
}

/* ---- Attributes and occupancy -------------------------------------------------------------------------- */

enum { CUDA_12 = 12000 };

int gp_cpu_cudaFuncGetAttributes(void *attributes, const void *function) {
  int error = GP_ERROR_INVALID_VALUE;
  const struct gpuprof_cpu_kernel *kernel = attributes ? gp_cpu_find_kernel(function, &error) : NULL;
  if (error)
    return gp_cpu_result(error);
  struct gp_function_attributes known = {
      .shared_bytes = kernel->static_shared_bytes,
      .maximum_threads = kernel->maximum_threads ? (int)kernel->maximum_threads : GP_CPU_THREADS,
      .ptx_version = 90,
      .binary_version = 90,
      .maximum_dynamic_shared_bytes = (int)gp_cpu_dynamic_limit(function, kernel),
      .carveout = gp_cpu_kernel_settings(function).carveout,
  };
  gp_cluster_tell_attributes(&known, function, kernel);
  memcpy(attributes, &known,
         gp_modules_cuda_version() >= CUDA_12 ? sizeof known
                                              : offsetof(struct gp_function_attributes, cluster_must_be_set));
  return gp_cpu_result(0);
}

/* Times the number of multiprocessors reported, it never exceeds the limit of a cooperative launch. */
int gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                         size_t dynamic_shared_bytes) {
  int error = GP_ERROR_INVALID_VALUE;
  const struct gpuprof_cpu_kernel *kernel =
      blocks && block_size > 0 ? gp_cpu_find_kernel(function, &error) : NULL;
  if (error)
    return gp_cpu_result(error);
  uint64_t shared = dynamic_shared_bytes + kernel->static_shared_bytes;
  uint64_t count = gp_cpu_blocks_of_multiprocessor((uint64_t)block_size, shared);
  if (block_size > GP_CPU_THREADS || shared > GP_CPU_SHARED_MAXIMUM ||
      dynamic_shared_bytes > gp_cpu_dynamic_limit(function, kernel))
    count = 0;
  *blocks = (int)count;
  return gp_cpu_result(0);
}

int gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                  int block_size, size_t dynamic_shared_bytes,
                                                                  unsigned flags) {
  (void)flags;
  return gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                              dynamic_shared_bytes);
}

/* Shared memory of a multiprocessor for a preference in percent: the next larger possible size. */
static size_t shared_of_carveout(int percent) {
  static const size_t kilobytes[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
  size_t most = sizeof kilobytes / sizeof *kilobytes - 1, i = 0;
  if (percent < 0)
    return GP_CPU_SHARED_OF_MULTIPROCESSOR;
  while (i < most && kilobytes[i] * 100 < (size_t)percent * kilobytes[most])
    i++;
  return kilobytes[i] * 1024;
}

int gp_cpu_cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                     int block_size) {
  int error = GP_ERROR_INVALID_VALUE;
  const struct gpuprof_cpu_kernel *kernel =
      bytes && blocks > 0 && block_size > 0 ? gp_cpu_find_kernel(function, &error) : NULL;
  if (error)
    return gp_cpu_result(error);
  size_t each = shared_of_carveout(gp_cpu_kernel_settings(function).carveout) / (size_t)blocks;
  each = each < GP_CPU_SHARED_MAXIMUM ? each : GP_CPU_SHARED_MAXIMUM;
  *bytes = each > kernel->static_shared_bytes ? each - kernel->static_shared_bytes : 0;
  return gp_cpu_result(0);
}
