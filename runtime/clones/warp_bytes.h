/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The bytes that the lanes of each warp ask for together, each once: counted by copies of kernels (plugin
 * option check, GPUPROF_WARPS_SUFFIX in abi.h) under GPUPROF_HARDWARE=check. Thread-safe.
 */
#ifndef GP_WARP_BYTES_H
#define GP_WARP_BYTES_H

#include "base/device.h"
#include "core/hardware_plan.h"
#include "gpuprof/abi.h"

#include <stdint.h>

struct gp_kernel;

/* 1 where the device cannot undo a launch, so that the copy is to run in the kernel's place. */
int gp_warp_bytes_in_place(const struct gp_kernel *kernel);
/* Runs the kernel's copy, and undoes what it did where the device can: what it counted, or nothing (launches
 * is 0) where there is no copy or no memory. Then *ran is 0; else *error is what the launch answers. */
void gp_warp_bytes_count(const struct gp_kernel *kernel, const struct gp_launch *launch,
                         struct gp_warp_bytes *bytes, int *ran, int *error);

/* The device is being reset, and its memory goes. */
void gp_warp_bytes_forget(int device);

#endif
