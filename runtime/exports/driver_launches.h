/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches of a program by the driver's functions. libgpuprof exports these functions under the driver's
 * names, like the CUDA runtime's: a program linked with it calls them first.
 */
#ifndef GP_CUDA_DRIVER_LAUNCHES_H
#define GP_CUDA_DRIVER_LAUNCHES_H

/* gpuprof's version of a driver function, for programs asking for it by name; null if there is none.
 * `per_thread`: the version with the thread's own stream as null stream. */
void *gp_driver_hook(const char *name, int per_thread);

#endif
