/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A set of sectors of 32 bytes, from boxes of equal ranges. Boxes that lie apart, or differ by their beginning alone, are never
 * written out. */
#ifndef GP_SECTOR_SET_H
#define GP_SECTOR_SET_H

#include "clones/affine.h"

#include <stddef.h>

#define GP_LATTICE_DIMENSIONS (GP_BOX_DIMENSIONS + 1)

/* Ranges of `width` bytes at base + Σ steps[d]·i[d], for 0 ≤ i[d] < counts[d]. */
struct gp_lattice {
  uint64_t base, width;
  unsigned dimensions;
  uint64_t steps[GP_LATTICE_DIMENSIONS], counts[GP_LATTICE_DIMENSIONS]; /* a step may be negative, modulo 2^64 */
};

struct gp_sector_set {
  struct gp_lattice *lattices;
  size_t count, room;
};

/* Adds ranges. Returns null, or the reason as half a sentence: addresses that wrap around, too many lattices, no memory. */
const char *gp_sector_set_add(struct gp_sector_set *set, struct gp_lattice lattice);
/* Finds the bytes of all sectors, a multiple of 32. Takes the ranges written out from *ranges. Null, or the reason. */
const char *gp_sector_set_bytes(struct gp_sector_set *set, uint64_t *ranges, uint64_t *bytes);
void gp_sector_set_free(struct gp_sector_set *set);

#endif
