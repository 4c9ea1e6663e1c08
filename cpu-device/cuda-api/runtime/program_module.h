/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The module representing all others: all code compiled into the program. Code loaded at run time has no
 * version for the CPU device. All functions return CUDA errors.
 */
#ifndef GP_CPU_PROGRAM_MODULE_H
#define GP_CPU_PROGRAM_MODULE_H

#include <stddef.h>

enum { GP_DRIVER_FILE_NOT_FOUND = 301, GP_DRIVER_NOT_FOUND = 500 };

/* Its handle. */
void *gp_program_module(void);
/* `caller`: the function named in the warning about the unused image. */
int gp_driver_module(void **module, const void *image, const char *caller);
int gp_driver_module_file(void **module, const char *path, const char *caller);
int gp_driver_is_module(const void *module);
/* A kernel's handle is its host stub. */
int gp_driver_function(void **function, const void *module, const char *name);
int gp_driver_global(void **address, size_t *bytes, const void *module, const char *name);
int gp_driver_managed(void **address, size_t *bytes, const void *module, const char *name);

#endif
