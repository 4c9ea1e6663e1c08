/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fat binaries: the container of a program's cubins and PTX. Pure functions. */
#ifndef GP_FATBIN_H
#define GP_FATBIN_H

#include <stddef.h>
#include <stdint.h>

enum gp_fatbin_kind { GP_FATBIN_PTX = 1, GP_FATBIN_CUBIN = 2 };

struct gp_fatbin_entry {
  enum gp_fatbin_kind kind;
  unsigned architecture; /* 90 for sm_90 */
  int is_specific;       /* sm_90a, sm_100f: for these chips alone */
  int is_compressed;
  const void *data;
  size_t bytes;
};

/* Walks over the entries: start with *at = 0. Returns 1, or 0 at the end. `fatbin` is the data of a registered wrapper. */
int gp_fatbin_next(const void *fatbin, size_t *at, struct gp_fatbin_entry *entry);
/* The data of the argument of __cudaRegisterFatBinary, or null. */
const void *gp_fatbin_of(const void *wrapper);

/* True if machine code of one architecture runs on another: the same major, and no larger minor. */
static inline int gp_architecture_runs_on(unsigned code, unsigned chip) { return code / 10 == chip / 10 && code <= chip; }

#endif
