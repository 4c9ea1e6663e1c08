/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's functions exported by libgpuprof (driver_functions.inc), by their names. */
#ifndef GP_CUDA_DRIVER_H
#define GP_CUDA_DRIVER_H

/* The function of this name, with or without its version (_v2), launches included; null: none. */
void *gp_driver_export(const char *name);
/* The result of cuGetProcAddress and cudaGetDriverEntryPoint on the CPU device: always 0, and in *status 0
 * (found) or 1. */
int gp_driver_address(const char *name, void **function, int *status);

/* Says that the driver has no such function, and returns CUDA_ERROR_NOT_SUPPORTED. */
int gp_driver_missing(const char *name);

#endif
