/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The GPU as seen by the core. */
#ifndef GP_DEVICE_CUDA_H
#define GP_DEVICE_CUDA_H

#include "base/device.h"

extern const struct gp_device_ops gp_device_cuda;

/* The device was reset: gpuprof's streams and events on it are gone. */
void gp_device_cuda_forget(int device);

#endif
