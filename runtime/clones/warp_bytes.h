/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes requested together by the lanes of each warp, each byte once. They are counted by instrumented
 * kernels (plugin option check, GPUPROF_WARPS_SUFFIX in abi.h) under GPUPROF_HARDWARE=check. Thread-safe.
 */
#ifndef GP_WARP_BYTES_H
#define GP_WARP_BYTES_H

#include "base/device.h"
#include "core/hardware_plan.h"
#include "gpuprof/abi.h"

#include <stdint.h>

struct gp_kernel;

/* 1 if the device cannot undo a launch: the counting kernel is to run in the kernel's place. */
int gp_warp_bytes_in_place(const struct gp_kernel *kernel);
/* Runs the counting kernel, and undoes its effects if the device can. The counts are in *bytes; without such
 * a kernel or memory its `launches` is 0. If it ran, *ran is 1 and *error is the launch's result. Otherwise
 * *ran is 0. */
void gp_warp_bytes_count(const struct gp_kernel *kernel, const struct gp_launch *launch,
                         struct gp_warp_bytes *bytes, int *ran, int *error);

/* The device is being reset, and its memory freed. */
void gp_warp_bytes_forget(int device);

#endif
