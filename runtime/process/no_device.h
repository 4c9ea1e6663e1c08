/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The device of a process with neither a GPU nor the CPU device: every CUDA call returns
 * cudaErrorNoDevice. */
#ifndef GP_NO_DEVICE_H
#define GP_NO_DEVICE_H

#include "base/device.h"

extern const struct gp_device_ops gp_no_device;

#endif
