/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The CPU device as the core sees it. */
#ifndef GP_DEVICE_CPU_H
#define GP_DEVICE_CPU_H

#include "base/device.h"

extern const struct gp_device_ops gp_device_cpu;

#endif
