// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/runtime/api.h"
#include "cuda-api/runtime/stream.h"
#include "engine/devices.h"
#include "engine/errors.h"
#include "engine/identity.h"
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

/* ---- Modules: everything that was compiled into the program -------------------------------------------- */

static const char program_module; /* only its address is used */

int gp_driver_is_module(const void *module) { return module == &program_module; }

int gp_driver_module(void **module, const void *image, const char *caller) {
  if (!module || !image)
    return GP_ERROR_INVALID_VALUE;
  gp_log(GP_WARN, caller,
         "what is loaded at run time has no version for the CPU device; kernels and variables of the same "
         "names that "
         "were compiled into the program with the gpuprof plugin stand for it");
  *module = (void *)&program_module;
  return 0;
}

int gp_driver_module_file(void **module, const char *path, const char *caller) {
  return path && access(path, R_OK) ? GP_DRIVER_FILE_NOT_FOUND : gp_driver_module(module, path, caller);
}

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

struct wanted {
  const char *name;
  const void *function;
};

static int has_function(struct gp_module *module, void *closure) {
  struct wanted *wanted = closure;
  for (const struct gp_function *f = module->functions; f && !wanted->function; f = f->next)
    if (!strcmp(f->name, wanted->name))
      wanted->function = f->host;
  return wanted->function != NULL;
}

int gp_driver_function(void **function, const void *module, const char *name) {
  struct wanted wanted = {.name = name};
  if (!function || !name)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(module))
    return GP_ERROR_INVALID_HANDLE;
  *function = NULL;
  if (!gp_modules_each(has_function, &wanted)) {
    gp_log(GP_WARN, name,
           "no kernel of this name was compiled into the program, so cuModuleGetFunction did not find it");
    return GP_DRIVER_NOT_FOUND;
  }
  *function = (void *)wanted.function;
  return 0;
}

struct wanted_variable {
  const char *name;
  bool managed;
  const struct gpuprof_cpu_variable *found;
};

static int has_variable(struct gpuprof_host_unit *unit, void *closure) {
  struct wanted_variable *wanted = closure;
  for (uint64_t i = 0; unit->cpu_variables && i < unit->cpu_variable_count && !wanted->found; i++)
    if (!strcmp(unit->cpu_variables[i].name, wanted->name) &&
        (!wanted->managed || unit->cpu_variables[i].flags & GPUPROF_CPU_VARIABLE_MANAGED))
      wanted->found = &unit->cpu_variables[i];
  return wanted->found != NULL;
}

static int find_variable(void **address, size_t *bytes, const void *module, const char *name, bool managed) {
  struct wanted_variable wanted = {.name = name, .managed = managed};
  if (!name)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(module))
    return GP_ERROR_INVALID_HANDLE;
  if (!gp_modules_each_unit(has_variable, &wanted))
    return GP_DRIVER_NOT_FOUND;
  if (address)
    *address = wanted.found->address;
  if (bytes)
    *bytes = wanted.found->bytes;
  return 0;
}

int gp_driver_global(void **address, size_t *bytes, const void *module, const char *name) {
  return find_variable(address, bytes, module, name, false);
}

int gp_driver_managed(void **address, size_t *bytes, const void *module, const char *name) {
  return find_variable(address, bytes, module, name, true);
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
    *module = (void *)&program_module;
  return error;
}

int gp_driver_module_of_library(void **module, const void *library) {
  if (!module)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(library))
    return GP_ERROR_INVALID_HANDLE;
  *module = (void *)&program_module;
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
