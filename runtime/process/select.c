// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/select.h"

#include "base/log.h"
#include "base/settings.h"
#include "cpu/cpu_library.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "process/no_device.h"

#include <string.h>

static const struct gp_device_ops *cpu_or_none(void) {
  const struct gp_device_ops *cpu = gp_cpu_device_open();
  return cpu ? cpu : &gp_no_device;
}

const struct gp_device_ops *gp_select_device(void) {
  const char *wanted = gp_settings()->device;
  if (wanted && !strcmp(wanted, "cpu"))
    return cpu_or_none();
  if (gp_cuda_usable())
    return &gp_device_cuda;
  if (wanted)
    gp_log(GP_WARN, "GPUPROF_DEVICE", "no usable GPU was found, so kernels run on the CPU device; "
                                      "'gpuprof doctor' says what is missing");
  return cpu_or_none();
}
