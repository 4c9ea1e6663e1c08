/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the check wants to know of machine code: instructions of half arithmetic that ptxas uses to make constants. Only of
 * chips whose encoding was verified (sm_90). Thread-safe.
 */
#ifndef GP_MACHINE_CODE_H
#define GP_MACHINE_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Remembers the constants of each kernel of a module's ELF file. An image that is not one, or of another chip, is left. */
void gp_machine_code_learn(const void *cubin, size_t bytes);
/* How many constants a thread of the kernel makes at most: HFMA2 instructions outside of loops whose factors are RZ. Those of
 * the module that has most, where several hold the kernel; 0 where nothing is known. */
uint64_t gp_machine_code_constants(const char *kernel);

#endif
