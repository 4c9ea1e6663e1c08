// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/clone_launch.h"

#include "cuda/cuda_real.h"
#include "cuda/recent_twins.h"
#include "cuda/siblings.h"
#include "gpuprof/abi.h"
#include "launch/launch_hook.h"

#define INVALID_DEVICE_FUNCTION 98
#define LAUNCH_OUT_OF_RESOURCES 701
#define COOPERATIVE_LAUNCH_TOO_LARGE 720

/* Errors of gpuprof's own calls must stay invisible to the program, and a capture elsewhere does not concern
 * them. */
static const char *launch_here(const struct gp_launch *launch, const char *suffix) {
  struct gp_sibling clone;
  enum gp_sibling_problem problem = gp_sibling_find(launch->function, suffix, &clone);
  if (problem == GP_SIBLING_NONE)
    return "its module does not have the clone that stands for it; compile it again";
  if (problem)
    return gp_sibling_problem_text(problem);
  gp_launch_hide(1);
  const int error = gp_sibling_launch(&clone, launch);
  gp_launch_hide(-1);
  return !error                             ? NULL
         : error == LAUNCH_OUT_OF_RESOURCES ? "the clone that stands for it needs more registers than a block of this size leaves "
                                              "to a thread; compile it again"
                                            : "the driver refused to launch the clone that stands for it";
}

int gp_cuda_sibling_blocks(const void *host, const char *suffix, int block_size, size_t dynamic_shared_bytes, unsigned flags) {
  struct gp_sibling sibling;
  const int mode = gp_cuda_enter();
  const enum gp_sibling_problem problem = gp_sibling_find(host, suffix, &sibling);
  if (!problem)
    gp_sibling_take_attributes(&sibling);
  const int blocks = problem ? -1 : gp_sibling_blocks(&sibling, block_size, dynamic_shared_bytes, flags);
  gp_cuda_leave(mode, blocks < 0);
  return blocks;
}

unsigned gp_cuda_most_threads(const struct gp_launch *launch, const char *suffix) {
  struct gp_sibling sibling;
  const int mode = gp_cuda_enter();
  const enum gp_sibling_problem problem = gp_sibling_find(launch->function, suffix, &sibling);
  const unsigned threads = problem ? 0 : gp_sibling_most_threads(&sibling);
  gp_cuda_leave(mode, problem || !threads);
  return threads;
}

const char *gp_cuda_launch_clone(const struct gp_launch *launch, const char *suffix) {
  int mode = gp_cuda_enter();
  const char *why = launch_here(launch, suffix);
  gp_cuda_leave(mode, why != NULL);
  return why;
}

/* Launches by the CUDA runtime, as it takes the driver's handles for kernels, too. Tools then see an ordinary
 * launch with all its attributes. */
static int launch_by_runtime(const struct gp_launch *l, const void *function) {
  const struct gp_cudart *cuda = gp_cuda_real();
  const struct gp_cuda_dim3 grid = {l->grid[0], l->grid[1], l->grid[2]}, block = {l->block[0], l->block[1], l->block[2]};
  if (l->attribute_count) {
    const struct gp_cuda_launch_config configuration = {grid,      block,
                                                        l->dynamic_shared_bytes, l->stream,
                                                        (struct gp_cuda_launch_attribute *)(uintptr_t)l->attributes,
                                                        l->attribute_count};
    return cuda->cudaLaunchKernelExC(&configuration, function, l->arguments);
  }
  return (l->cooperative ? cuda->cudaLaunchCooperativeKernel : cuda->cudaLaunchKernel)(
      function, grid, block, l->arguments, l->dynamic_shared_bytes, l->stream);
}

static enum gp_sibling_problem find_twin(const struct gp_launch *launch, const char *suffix, struct gp_sibling *twin) {
  if (gp_recent_twin(launch, suffix, twin))
    return GP_SIBLING_FOUND;
  if (gp_sibling_known(launch->function, suffix, twin)) {
    gp_recent_twin_keep(launch, twin, gp_sibling_take_attributes_for(twin, launch));
    return GP_SIBLING_FOUND;
  }
  const int mode = gp_cuda_enter();
  const enum gp_sibling_problem problem = gp_sibling_find(launch->function, suffix, twin);
  if (!problem)
    gp_sibling_take_attributes(twin);
  gp_cuda_leave(mode, problem);
  return problem;
}

static const char *refusal_text(int error) {
  return error == INVALID_DEVICE_FUNCTION
             ? "this CUDA runtime launches no copies of kernels; use CUDA 12 or newer"
         : error == LAUNCH_OUT_OF_RESOURCES
             ? "its copy with counters needs more registers than a block of this size leaves to a "
               "thread; give it __launch_bounds__ of that size"
         : error == COOPERATIVE_LAUNCH_TOO_LARGE ? "its copy with counters fits the device in fewer blocks "
                                                   "than this cooperative launch has; launch as many as "
                                                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor tells"
                                                 : "its copy with counters could not be launched";
}

const char *gp_cuda_launch_instrumented(const struct gp_launch *launch, const char *suffix, int *error) {
  struct gp_sibling twin;
  if (gp_recent_twin_is_refused(launch, suffix))
    return refusal_text(*error = LAUNCH_OUT_OF_RESOURCES);
  const enum gp_sibling_problem problem = find_twin(launch, suffix, &twin);
  if (problem)
    return problem == GP_SIBLING_NONE ? "its module does not have the copy of it that is wanted; compile it again"
                                      : gp_sibling_problem_text(problem);
  *error = launch_by_runtime(launch, twin.function);
  if (*error == INVALID_DEVICE_FUNCTION && !launch->attribute_count) { /* a runtime older than CUDA 12 takes no handles */
    gp_cuda_real()->cudaGetLastError();
    *error = gp_sibling_launch_in_place(&twin, launch);
  }
  if (!*error)
    return NULL;
  /* The kernel itself may still be launched: its error is the program's. */
  gp_cuda_real()->cudaGetLastError();
  if (*error == LAUNCH_OUT_OF_RESOURCES)
    gp_recent_twin_refused(launch, &twin);
  return refusal_text(*error);
}
