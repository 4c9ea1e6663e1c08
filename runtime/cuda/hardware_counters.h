/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_HARDWARE on a GPU. Each launch is first run with gpuprof's counters off while the hardware's are
 * read. Its memory is restored afterwards. Then it is run as always.
 */
#ifndef GP_CUDA_HARDWARE_H
#define GP_CUDA_HARDWARE_H

#include "base/device.h"
#include "core/hardware_plan.h"

/* gp_device_ops.measure */
const char *gp_cuda_hardware_measure(const struct gp_hardware_plan *plan, int (*run)(void *closure),
                                     void *closure, struct gp_hardware_sum *sum);
/* gp_device_ops.undo */
const char *gp_cuda_undo(const char *(*run)(void *closure), void *closure);
/* The device was reset: its set-up is gone. */
void gp_cuda_hardware_forget(int device);

#endif
