/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The GPU as the core sees it. */
#ifndef GP_DEVICE_CUDA_H
#define GP_DEVICE_CUDA_H

#include "base/device.h"

extern const struct gp_device_ops gp_device_cuda;

/* The device was reset: streams and events that gpuprof made on it are gone. */
void gp_device_cuda_forget(int device);

#endif
