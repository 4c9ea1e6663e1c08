/* Kernels: launches, attributes, occupancy. */
#include "cpu/api.h"
#include "cpu/emulator.h"
#include "cpu/errors.h"
#include "log.h"
#include "modules.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTE_DYNAMIC_SHARED = 8, ATTRIBUTES = 16 };
enum { SM_THREADS = 2048, SM_BLOCKS = 32, SM_SHARED_BYTES = 228 * 1024 };

static const struct gpuprof_cpu_kernel *find_kernel(const void *function) {
  const struct gpuprof_cpu_kernel *kernel = gp_modules_cpu_kernel(function);
  if (!kernel) {
    const char *name = function ? gp_modules_function_name(function) : NULL;
    gp_log(GP_ERROR, name ? name : "a kernel",
           "it has no version for the CPU device: compile its file with the gpuprof plugin and device=both "
           "or cpu");
  }
  return kernel;
}

/* ---- cudaFuncSetAttribute(MaxDynamicSharedMemorySize) -------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared_size {
  const void *function;
  uint32_t bytes; /* of dynamic shared memory */
} * sizes;
static size_t size_count;

static struct shared_size *find_size(const void *function) {
  for (size_t i = 0; i < size_count; i++)
    if (sizes[i].function == function)
      return &sizes[i];
  return NULL;
}

static int set_shared_size(const void *function, uint32_t bytes) {
  pthread_mutex_lock(&lock);
  struct shared_size *size = find_size(function);
  if (!size) {
    struct shared_size *larger = realloc(sizes, (size_count + 1) * sizeof *sizes);
    if (larger) {
      sizes = larger;
      size = &sizes[size_count++];
      size->function = function;
    }
  }
  if (size)
    size->bytes = bytes;
  pthread_mutex_unlock(&lock);
  return size ? 0 : GP_ERROR_MEMORY_ALLOCATION;
}

static uint32_t dynamic_limit(const void *function, const struct gpuprof_cpu_kernel *kernel) {
  uint32_t limit = kernel->static_shared_bytes < GP_CPU_SHARED_DEFAULT
                       ? GP_CPU_SHARED_DEFAULT - kernel->static_shared_bytes
                       : 0;
  pthread_mutex_lock(&lock);
  const struct shared_size *size = find_size(function);
  if (size)
    limit = size->bytes;
  pthread_mutex_unlock(&lock);
  return limit;
}

int gp_cpu_cudaFuncSetAttribute(const void *function, int attribute, int value) {
  const struct gpuprof_cpu_kernel *kernel = find_kernel(function);
  if (!kernel)
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  if (attribute < 0 || attribute > ATTRIBUTES)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (attribute != ATTRIBUTE_DYNAMIC_SHARED)
    return gp_cpu_result(0); /* preferences of a cache that is not there */
  if (value < 0 || (uint64_t)value + kernel->static_shared_bytes > GP_CPU_SHARED_MAXIMUM)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(set_shared_size(function, (uint32_t)value));
}

int gp_cpu_cudaFuncSetCacheConfig(const void *function, int configuration) {
  (void)configuration;
  return gp_cpu_result(find_kernel(function) ? 0 : GP_ERROR_INVALID_FUNCTION);
}

int gp_cpu_cudaFuncSetSharedMemConfig(const void *function, int configuration) {
  return gp_cpu_cudaFuncSetCacheConfig(function, configuration);
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

typedef int (*runner)(const struct gpuprof_cpu_kernel *, const uint32_t[3], const uint32_t[3], void **, uint64_t,
                      uint32_t);

/* Runs `kernel`, which is the function's own or stands for it. */
static int run_as(runner run, const void *function, const struct gpuprof_cpu_kernel *kernel, const uint32_t blocks[3],
                  const uint32_t threads[3], void **arguments, size_t dynamic_shared_bytes) {
  uint32_t limit = kernel->static_shared_bytes + dynamic_limit(function, kernel);
  int error = run(kernel, blocks, threads, arguments, dynamic_shared_bytes, limit);
  if (error == GP_ERROR_COOPERATIVE_TOO_LARGE)
    gp_log(GP_ERROR, kernel->name,
           "a cooperative launch needs all its blocks at once; the CPU device runs up to %u: ask for fewer blocks",
           GPUPROF_COUNTER_SLOTS);
  if (error)
    return gp_cpu_result(error);
  return 0; /* what stopped the kernel, the next call tells */
}

static int launch_kernel(runner run, const void *function, struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,
                         void **arguments, size_t dynamic_shared_bytes) {
  if (gp_cpu_broken())
    return gp_cpu_result(0);
  const struct gpuprof_cpu_kernel *kernel = find_kernel(function);
  if (!kernel)
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  const uint32_t blocks[3] = {grid.x, grid.y, grid.z}, threads[3] = {block.x, block.y, block.z};
  return run_as(run, function, kernel, blocks, threads, arguments, dynamic_shared_bytes);
}

static int attribute_of(const struct gp_launch *launch, int id) {
  const struct gp_cuda_launch_attribute *attributes = launch->attributes;
  for (unsigned i = 0; i < launch->attribute_count; i++)
    if (attributes[i].id == id)
      return attributes[i].value.integer;
  return 0;
}

int gp_cpu_launch_sibling(const struct gp_launch *launch, const char *suffix, int *error) {
  const struct gpuprof_cpu_kernel *kernel = gp_modules_cpu_sibling(launch->function, suffix);
  const int clusters = attribute_of(launch, GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER) > 1;
  const int cooperative = launch->cooperative || attribute_of(launch, GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE);
  if (!kernel || clusters || gp_cpu_broken())
    return -1;
  *error = run_as(cooperative ? gp_cpu_run_cooperative : gp_cpu_run, launch->function, kernel, launch->grid, launch->block,
                  launch->arguments, launch->dynamic_shared_bytes);
  return 0;
}

int gp_cpu_cudaLaunchKernel(const void *function, struct gp_cuda_dim3 grid, struct gp_cuda_dim3 block,
                            void **arguments, size_t dynamic_shared_bytes, void *stream) {
  (void)stream;
  return launch_kernel(gp_cpu_run, function, grid, block, arguments, dynamic_shared_bytes);
}

int gp_cpu_cudaLaunchCooperativeKernel(const void *function, struct gp_cuda_dim3 grid,
                                       struct gp_cuda_dim3 block, void **arguments,
                                       size_t dynamic_shared_bytes, void *stream) {
  (void)stream;
  return launch_kernel(gp_cpu_run_cooperative, function, grid, block, arguments, dynamic_shared_bytes);
}

int gp_cpu_cudaLaunchKernelExC(const struct gp_cuda_launch_config *launch, const void *function,
                               void **arguments) {
  if (!launch)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < launch->attribute_count; i++) {
    const struct gp_cuda_launch_attribute *attribute = &launch->attributes[i];
    if (attribute->id == GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE && attribute->value.integer)
      return gp_cpu_cudaLaunchCooperativeKernel(function, launch->grid, launch->block, arguments,
                                                launch->dynamic_shared_bytes, launch->stream);
    const unsigned *cluster = attribute->value.dimension;
    if (attribute->id == GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER && cluster[0] * cluster[1] * cluster[2] > 1) {
      gp_log(GP_ERROR, "cudaLaunchKernelExC",
             "the CPU device has no clusters of blocks; run this program on a GPU");
      return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
    }
  }
  return gp_cpu_cudaLaunchKernel(function, launch->grid, launch->block, arguments,
                                 launch->dynamic_shared_bytes, launch->stream);
}

/* ---- Attributes and occupancy -------------------------------------------------------------------------- */

/* cudaFuncAttributes as CUDA 11 to 13 begin it. */
struct function_attributes {
  size_t shared_bytes, constant_bytes, local_bytes;
  int maximum_threads, registers, ptx_version, binary_version, cache_mode, maximum_dynamic_shared_bytes,
      carveout;
};

int gp_cpu_cudaFuncGetAttributes(void *attributes, const void *function) {
  const struct gpuprof_cpu_kernel *kernel = find_kernel(function);
  if (!attributes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!kernel)
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  *(struct function_attributes *)attributes = (struct function_attributes){
      .shared_bytes = kernel->static_shared_bytes,
      .maximum_threads = kernel->maximum_threads ? (int)kernel->maximum_threads : GP_CPU_THREADS,
      .ptx_version = 90,
      .binary_version = 90,
      .maximum_dynamic_shared_bytes = (int)dynamic_limit(function, kernel),
      .carveout = -1,
  };
  return gp_cpu_result(0);
}

/* Blocks that one multiprocessor of compute capability 9.0 would hold, registers aside: the CPU has none of
 * its kind. */
int gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                         size_t dynamic_shared_bytes) {
  const struct gpuprof_cpu_kernel *kernel = find_kernel(function);
  if (!blocks || block_size <= 0)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!kernel)
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  uint64_t warps = ((uint64_t)block_size + GP_CPU_WARP - 1) / GP_CPU_WARP;
  uint64_t shared = dynamic_shared_bytes + kernel->static_shared_bytes;
  uint64_t count = SM_THREADS / (warps * GP_CPU_WARP);
  uint64_t by_shared = SM_SHARED_BYTES / (shared + GP_CPU_SHARED_RESERVED);
  if (block_size > GP_CPU_THREADS || shared > GP_CPU_SHARED_MAXIMUM)
    count = 0;
  count = count < by_shared ? count : by_shared;
  *blocks = (int)(count < SM_BLOCKS ? count : SM_BLOCKS);
  return gp_cpu_result(0);
}

int gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                  int block_size, size_t dynamic_shared_bytes,
                                                                  unsigned flags) {
  (void)flags;
  return gp_cpu_cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                              dynamic_shared_bytes);
}

int gp_cpu_cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                     int block_size) {
  const struct gpuprof_cpu_kernel *kernel = find_kernel(function);
  if (!bytes || blocks <= 0 || block_size <= 0)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!kernel)
    return gp_cpu_result(GP_ERROR_INVALID_FUNCTION);
  size_t each = SM_SHARED_BYTES / (size_t)blocks;
  size_t taken = GP_CPU_SHARED_RESERVED + kernel->static_shared_bytes;
  *bytes = each > taken ? each - taken : 0;
  return gp_cpu_result(0);
}
