// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/function_resources.h"

#include "cuda/cuda_real.h"
#include "machine/kernel_resources.h"

#include <string.h>

static unsigned positive(int value) { return value > 0 ? (unsigned)value : 0; }

/* The call stays invisible to the program: it may be made while another stream is captured. */
static int ask(struct gp_cuda_function_attributes *attributes, const void *function) {
  const struct gp_cudart *cuda = gp_cuda_real();
  int mode = GP_CUDA_CAPTURE_MODE_RELAXED;
  cuda->cudaThreadExchangeStreamCaptureMode(&mode);
  memset(attributes, 0, sizeof *attributes);
  const int error = cuda->cudaFuncGetAttributes(attributes, function);
  if (error)
    cuda->cudaGetLastError();
  cuda->cudaThreadExchangeStreamCaptureMode(&mode);
  return error;
}

int gp_cuda_function_resources(const void *function, struct gp_kernel_resources *resources) {
  struct gp_cuda_function_attributes a;
  const int error = ask(&a, function);
  if (error)
    return error;
  *resources = (struct gp_kernel_resources){.source = GP_RESOURCES_DRIVER,
                                            .architecture = positive(a.binary_version),
                                            .registers = positive(a.registers),
                                            .static_shared = a.shared_bytes,
                                            .local = a.local_bytes,
                                            .has_spills = !a.local_bytes,
                                            .carveout = a.carveout,
                                            .cluster = positive(a.cluster[0] * a.cluster[1] * a.cluster[2])};
  return 0;
}
