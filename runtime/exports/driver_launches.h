/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that a program launches by the driver's functions. libgpuprof exports these in the driver's name,
 * as it exports the CUDA runtime's in its name: a program that is linked with it calls them first.
 */
#ifndef GP_CUDA_DRIVER_LAUNCHES_H
#define GP_CUDA_DRIVER_LAUNCHES_H

/* Ours of a function of the driver, for programs that ask for it by its name; null if we have none.
 * `per_thread`: the one whose null stream is the thread's own. */
void *gp_driver_hook(const char *name, int per_thread);

#endif
