/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The energy counter of a GPU, by NVML (libnvidia-ml.so.1, opened at run time). */
#ifndef GP_NVML_H
#define GP_NVML_H

#include <stdint.h>

/* gp_device_ops.energy. */
const char *gp_nvml_energy(int device, uint64_t *millijoules, unsigned *other_processes);

#endif
