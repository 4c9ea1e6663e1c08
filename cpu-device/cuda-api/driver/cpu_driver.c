// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"
#include "common/devices.h"
#include "common/errors.h"
#include "common/identity.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/runtime/api_cluster.h"
#include "cuda-api/runtime/program_module.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/arena.h"
#include "sheet/modules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Devices ------------------------------------------------------------------------------------------- */

int gp_driver_device(int *device, int number) {
  if (!device)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(number))
    return GP_ERROR_INVALID_DEVICE;
  *device = number;
  return 0;
}

int gp_driver_device_name(char *name, int bytes, int device) {
  if (!name || bytes < 1)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  gp_cpu_device_name(name, (size_t)bytes);
  return 0;
}

int gp_driver_total_memory(size_t *bytes, int device) {
  uint64_t available, all;
  if (!bytes)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  gp_arena_totals(device, &available, &all);
  *bytes = all;
  return 0;
}

int gp_driver_capability(int *major, int *minor, int device) {
  enum { MAJOR = 75, MINOR = 76 };
  int error = gp_cpu_cudaDeviceGetAttribute(major, MAJOR, device);
  return error ? error : gp_cpu_cudaDeviceGetAttribute(minor, MINOR, device);
}

int gp_driver_fill(void *to, unsigned value, unsigned element_bytes, size_t count, void *stream) {
  if ((uint64_t)to % element_bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_work work = {
      .kind = GP_WORK_FILL,
      .device = gp_cpu_device(),
      .fill = {
          .to = to, .value = value, .element_bytes = element_bytes, .width = count, .height = 1, .depth = 1}};
  return gp_cpu_result(gp_stream_submit(stream, &work));
}

/* ---- Modules and linkers ------------------------------------------------------------------------------- */

static const char linker_of_nothing; /* only its address is used */

int gp_driver_linker(void **linker) {
  if (!linker)
    return GP_ERROR_INVALID_VALUE;
  *linker = (void *)&linker_of_nothing;
  return 0;
}

int gp_driver_is_linker(const void *linker) { return linker == &linker_of_nothing; }

int gp_driver_linked(const void *linker, void **image, size_t *bytes) {
  static const char empty_image[] = "image for the CPU device";
  if (!gp_driver_is_linker(linker))
    return GP_ERROR_INVALID_HANDLE;
  if (!image)
    return GP_ERROR_INVALID_VALUE;
  *image = (void *)empty_image;
  if (bytes)
    *bytes = sizeof empty_image;
  return 0;
}

int gp_driver_function_attribute(int *value, int attribute, const void *function) {
  enum {
    MAXIMUM_THREADS,
    STATIC_SHARED,
    CONSTANT,
    LOCAL,
    REGISTERS,
    PTX,
    BINARY,
    CACHE,
    DYNAMIC_SHARED,
    CARVEOUT,
    CLUSTER_MUST_BE_SET,
    CLUSTER_WIDTH,
    CLUSTER_HEIGHT,
    CLUSTER_DEPTH,
    NON_PORTABLE_CLUSTER,
    CLUSTER_POLICY,
    ATTRIBUTES
  };
  struct gp_function_attributes a = {0}; /* CUDA 11's are shorter */
  int error = value && attribute >= 0 && attribute < ATTRIBUTES ? gp_cpu_cudaFuncGetAttributes(&a, function)
                                                                : GP_ERROR_INVALID_VALUE;
  if (error)
    return error;
  const int values[ATTRIBUTES] = {[MAXIMUM_THREADS] = a.maximum_threads,
                                  [STATIC_SHARED] = (int)a.shared_bytes,
                                  [CONSTANT] = (int)a.constant_bytes,
                                  [LOCAL] = (int)a.local_bytes,
                                  [REGISTERS] = a.registers,
                                  [PTX] = a.ptx_version,
                                  [BINARY] = a.binary_version,
                                  [CACHE] = a.cache_mode,
                                  [DYNAMIC_SHARED] = a.maximum_dynamic_shared_bytes,
                                  [CARVEOUT] = a.carveout,
                                  [CLUSTER_MUST_BE_SET] = a.cluster_must_be_set,
                                  [CLUSTER_WIDTH] = a.cluster[0],
                                  [CLUSTER_HEIGHT] = a.cluster[1],
                                  [CLUSTER_DEPTH] = a.cluster[2],
                                  [NON_PORTABLE_CLUSTER] = a.non_portable_cluster,
                                  [CLUSTER_POLICY] = a.cluster_policy};
  *value = values[attribute];
  return 0;
}

int gp_driver_active_clusters(int *clusters, const void *function,
                              const struct gp_cuda_driver_launch *launch) {
  if (!launch)
    return GP_ERROR_INVALID_VALUE;
  const struct gp_cuda_launch_config configuration = gp_cuda_launch_of_driver(launch);
  return gp_cpu_cudaOccupancyMaxActiveClusters(clusters, function, &configuration);
}

int gp_driver_largest_cluster(int *size, const void *function, const struct gp_cuda_driver_launch *launch) {
  if (!launch)
    return GP_ERROR_INVALID_VALUE;
  const struct gp_cuda_launch_config configuration = gp_cuda_launch_of_driver(launch);
  return gp_cpu_cudaOccupancyMaxPotentialClusterSize(size, function, &configuration);
}

int gp_driver_best_block(int *grid, int *block, const void *function, size_t (*shared_bytes)(int),
                         size_t fixed_shared_bytes, int limit) {
  enum { LARGEST_BLOCK = 1024, WARP = 32, MULTIPROCESSORS = 16 /* cudaDevAttrMultiProcessorCount */ };
  struct gp_function_attributes attributes;
  int processors = 0, most = 0, error = grid && block ? 0 : GP_ERROR_INVALID_VALUE;
  if (!error)
    error = gp_cpu_cudaFuncGetAttributes(&attributes, function);
  if (!error)
    error = gp_cpu_cudaDeviceGetAttribute(&processors, MULTIPROCESSORS, gp_cpu_device());
  if (error)
    return error;
  int largest = attributes.maximum_threads < LARGEST_BLOCK ? attributes.maximum_threads : (int)LARGEST_BLOCK;
  largest = limit > 0 && limit < largest ? limit : largest;
  for (int tried = (largest + WARP - 1) / WARP * WARP; tried > 0; tried -= WARP) {
    int threads = tried < largest ? tried : largest, blocks = 0;
    size_t bytes = shared_bytes ? shared_bytes(threads) : fixed_shared_bytes;
    error = gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes);
    if (error)
      return error;
    if (blocks * threads <= most)
      continue;
    most = blocks * threads;
    *block = threads;
    *grid = blocks * processors;
  }
  return 0;
}

/* A kernel's module is the program. */
int gp_driver_module_of(void **module, const void *function) {
  int error = GP_ERROR_INVALID_VALUE;
  if (module)
    gp_cpu_find_kernel(function, &error);
  if (!error)
    *module = gp_program_module();
  return error;
}

int gp_driver_module_of_library(void **module, const void *library) {
  if (!module)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(library))
    return GP_ERROR_INVALID_HANDLE;
  *module = gp_program_module();
  return 0;
}

int gp_driver_kernel_function(void **function, void *kernel) {
  int error = GP_ERROR_INVALID_VALUE;
  if (function)
    gp_cpu_find_kernel(kernel, &error);
  if (!error)
    *function = kernel;
  return error;
}
