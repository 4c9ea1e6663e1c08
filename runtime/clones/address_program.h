/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Executes an address program of the sheet (include/gpuprof/address_program.inc) for all threads of a launch, on the host. */
#ifndef GP_ADDRESS_PROGRAM_H
#define GP_ADDRESS_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

struct gp_address_launch {
  uint32_t grid[3], block[3];
  void *const *arguments; /* with room for the longest parameter behind the last one */
  size_t parameters;
};

/* Finds the bytes of all sectors touched, a multiple of 32. Takes the executed instructions and the separate ranges from `steps`.
 * Returns null, or the reason as half a sentence: a program of another plugin, too few steps, or too little memory. */
const char *gp_address_program_run(const char *program, const struct gp_address_launch *launch, uint64_t *steps, uint64_t *bytes);

#endif
