#include "clone.h"

#include "cuda_real.h"
#include "gpuprof/abi.h"
#include "siblings.h"

/* It runs by itself: without shared memory, clusters or waiting for other blocks, whatever the kernel has. */
static const char *launch_here(const struct gp_launch *launch) {
  const struct gp_sibling_launch wanted = {
      .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
      .block = {launch->block[0], launch->block[1], launch->block[2]},
      .arguments = launch->arguments,
      .stream = launch->stream,
  };
  struct gp_sibling clone;
  enum gp_sibling_problem problem = gp_sibling_find(launch->function, GPUPROF_CLONE_SUFFIX, &clone);
  if (problem == GP_SIBLING_NONE)
    return "its module does not have the clone that counts it; compile it again";
  if (problem)
    return gp_sibling_problem_text(problem);
  return gp_sibling_launch(&clone, &wanted) ? "the driver refused to launch the clone that counts it" : NULL;
}

const char *gp_cuda_launch_clone(const struct gp_launch *launch) {
  const struct gp_cudart *cuda = gp_cuda_real();
  int mode = GP_CUDA_CAPTURE_MODE_RELAXED;
  cuda->cudaThreadExchangeStreamCaptureMode(&mode);
  const char *why = launch_here(launch);
  if (why)
    cuda->cudaGetLastError();
  cuda->cudaThreadExchangeStreamCaptureMode(&mode);
  return why;
}
