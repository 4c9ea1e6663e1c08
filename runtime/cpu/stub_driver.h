/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Libraries such as cuBLAS contain GPU code only, and open CUDA's driver themselves. In a process of the CPU
 * device they get a stub driver without a device (cpu-device/stub_driver.c). A call of such a library thus
 * fails on the CPU device, and one sentence names the call.
 */
#ifndef GP_STUB_DRIVER_H
#define GP_STUB_DRIVER_H

/* Opens the stub driver if this process cannot use a GPU: GPUPROF_DEVICE is cpu, or there is no driver. It
 * has to come before such a library looks for the driver. Only the first call acts. */
void gp_stub_driver_open(void);

#endif
