/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's knowledge of addresses. */
#ifndef GP_CUDA_POINTERS_H
#define GP_CUDA_POINTERS_H

#include "base/device.h"

/* gp_device_ops.allocation */
int gp_cuda_allocation(uint64_t address, struct gp_memory_range *memory);

#endif
