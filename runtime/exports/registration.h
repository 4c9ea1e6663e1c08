/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registration calls that compiled code makes: recorded for every device, and passed on to the real libcudart at once
 * when it is already in use. runtime/cuda answers them.
 */
#ifndef GP_REGISTRATION_H
#define GP_REGISTRATION_H

#include <stddef.h>

void **gp_cuda_register_fatbin(void *wrapper);
void gp_cuda_register_function(void **handle, const void *host, const char *name);
void gp_cuda_register_variable(void **handle, const void *shadow, const char *name, size_t bytes,
                               int constant);
void gp_cuda_register_managed(void **handle, void **pointer, const char *name, size_t bytes);
void gp_cuda_register_end(void **handle);
void gp_cuda_unregister_fatbin(void **handle);
char gp_cuda_initialize_module(void **handle);

#endif
