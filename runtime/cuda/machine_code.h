/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts of machine code for the check: instructions of half arithmetic used by ptxas to make constants, and loads of
 * whole blocks of shared memory. Only for chips with a verified encoding (sm_90). Thread-safe.
 */
#ifndef GP_MACHINE_CODE_H
#define GP_MACHINE_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Remembers the facts of each kernel of a module's ELF file. Other images, or those of another chip, are
 * ignored. */
void gp_machine_code_learn(const void *cubin, size_t bytes);
/* Maximum number of constants made by a thread of the kernel: HFMA2 instructions outside of loops with RZ as
 * factors. If several modules hold the kernel, the largest number; 0 if unknown. */
uint64_t gp_machine_code_constants(const char *kernel);
/* True if the kernel has no LDS.128 in any module. False if it is unknown. */
int gp_machine_code_loads_words(const char *kernel);

#endif
