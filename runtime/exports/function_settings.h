/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes of kernels set by the program (cudaFuncSetAttribute): whether there are new ones. */
#ifndef GP_FUNCTION_SETTINGS_H
#define GP_FUNCTION_SETTINGS_H

#include <stdint.h>

void gp_function_settings_change(void);
/* Another number after each change. */
uint64_t gp_function_settings(void);

#endif
