// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The driver's functions under the names exported by libgpuprof (exports/driver_functions.inc). */
#include "cuda-api/driver/driver_table.h"

#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/driver/driver_arrays.h"
#include "cuda-api/runtime/program_module.h"
#include "cuda-api/work/api.h"
#include "exports/driver_functions.h"
#include "memory/mappings.h"
#include "units/tensor_map.h"

#include <string.h>

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_DIRECTION };

/* The driver's functions leave the runtime's last error unchanged. */
static int without_last_error(int before, int result) {
  gp_cpu_set_last_error(before);
  return result;
}

/* Some driver parameters are unused. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GP_DRIVER(name, parameters, arguments, cpu)                                                          \
  static int do_##name parameters {                                                                          \
    int before = gp_cpu_last_error(0);                                                                       \
    return without_last_error(before, cpu);                                                                  \
  }
#include "exports/driver_functions.inc"
#pragma GCC diagnostic pop

/* ---- Launches: a function is the host stub ---- */
static struct gp_cuda_dim3 size(unsigned x, unsigned y, unsigned z) { return (struct gp_cuda_dim3){x, y, z}; }

static int launch_plain(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                     unsigned bz, unsigned shared_bytes, void *stream, void **arguments, void **extra) {
  (void)extra; /* already split into arguments */
  return gp_cpu_cudaLaunchKernel(function, size(gx, gy, gz), size(bx, by, bz), arguments, shared_bytes,
                                 stream);
}

static int launch_cooperative(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                           unsigned bz, unsigned shared_bytes, void *stream, void **arguments) {
  return gp_cpu_cudaLaunchCooperativeKernel(function, size(gx, gy, gz), size(bx, by, bz), arguments,
                                            shared_bytes, stream);
}

static int launch_configured(const struct gp_cuda_driver_launch *c, void *function, void **arguments, void **extra) {
  (void)extra;
  const struct gp_cuda_launch_config configuration = gp_cuda_launch_of_driver(c);
  return gp_cpu_cudaLaunchKernelExC(&configuration, function, arguments);
}

/* ---- By name ---- */
static const struct {
  const char *name;
  void *function;
} functions[] = {
#define GP_DRIVER(name, parameters, arguments, cpu) {#name, do_##name},
#include "exports/driver_functions.inc"
    {"cuLaunchKernel", launch_plain},
    {"cuLaunchKernel_ptsz", launch_plain},
    {"cuLaunchCooperativeKernel", launch_cooperative},
    {"cuLaunchCooperativeKernel_ptsz", launch_cooperative},
    {"cuLaunchKernelEx", launch_configured},
    {"cuLaunchKernelEx_ptsz", launch_configured},
    {"cuFuncGetParamInfo", gp_cpu_cudaFuncGetParamInfo},
};

void *gp_cpu_driver_function(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(functions[i].name, name))
      return functions[i].function;
  return NULL;
}
