/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cubins: the ELF files of machine code. Nothing is trusted: a damaged file has no sections. Pure functions. */
#ifndef GP_CUBIN_H
#define GP_CUBIN_H

#include "machine/kernel_resources.h"

#include <elf.h>
#include <stddef.h>

struct gp_cubin {
  const unsigned char *data;
  size_t bytes;
  Elf64_Ehdr header;
  Elf64_Shdr names;
};

struct gp_cubin_section {
  const char *name;
  Elf64_Shdr header;
  const unsigned char *data; /* null: it has none within the file */
};

/* Returns 0, or -1 if it is no cubin. */
int gp_cubin_open(struct gp_cubin *cubin, const void *data, size_t bytes);
/* The chip: 90 for sm_90. */
unsigned gp_cubin_architecture(const struct gp_cubin *cubin);
/* Section number `index`; the name is null if it does not end within the file. */
struct gp_cubin_section gp_cubin_section(const struct gp_cubin *cubin, unsigned index);
/* Fills the resources of a kernel by its mangled name. Returns 0, or -1 if the file does not have it. */
int gp_cubin_resources(const struct gp_cubin *cubin, const char *kernel, struct gp_kernel_resources *resources);

#endif
