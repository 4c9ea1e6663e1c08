/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What kernels need of a multiprocessor, read in the machine code that the program carries. */
#ifndef GP_KERNEL_CODE_H
#define GP_KERNEL_CODE_H

#include <stddef.h>

/* Looks once for the machine code of each launched kernel that runs on the architecture (90 for sm_90). What the device
 * has told about a kernel stays. */
void gp_kernel_code_learn(unsigned architecture);
/* Writes why launched kernels have no machine code for the architecture in the program, and what to do. Returns the text,
 * or null if none is missing. */
const char *gp_kernel_code_missing(char *text, size_t bytes, unsigned architecture);

#endif
