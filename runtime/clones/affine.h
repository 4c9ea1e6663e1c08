/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine functions over boxes of threads: the numbers that formulas compute with (docs/developer/formulas.md). */
#ifndef GP_AFFINE_H
#define GP_AFFINE_H

#include <stdint.h>

#define GP_BOX_DIMENSIONS 12u

typedef __int128 gp_wide; /* no sum or product of numbers of 64 bits wraps */

/* c0 + Σ c[d]·x[d], for the dimensions of the box: c is not set beyond them */
struct gp_affine {
  gp_wide c0, c[GP_BOX_DIMENSIONS];
};

/* low[d] ≤ x[d] ≤ high[d] */
struct gp_box {
  unsigned dimensions;
  int64_t low[GP_BOX_DIMENSIONS], high[GP_BOX_DIMENSIONS];
};

/* A signed number of this width, equal modulo 2^width. */
static inline int64_t gp_reduce(gp_wide value, unsigned width) {
  const unsigned shift = 64 - width;
  return (int64_t)((uint64_t)value << shift) >> shift;
}

/* value / by rounded down, for by > 0: with 64 bits where they are enough, which are much faster. */
static inline gp_wide gp_floor_of(gp_wide value, gp_wide by) {
  if (by == 1)
    return value;
  const int64_t short_value = (int64_t)value, short_by = (int64_t)by;
  if (short_value == value && short_by == by)
    return short_value / short_by - (short_value % short_by < 0);
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

static inline gp_wide gp_least(const struct gp_affine *a, const struct gp_box *box) {
  gp_wide sum = a->c0;
  for (unsigned d = 0; d < box->dimensions; d++)
    sum += a->c[d] * (a->c[d] > 0 ? box->low[d] : box->high[d]);
  return sum;
}

static inline gp_wide gp_most(const struct gp_affine *a, const struct gp_box *box) {
  gp_wide sum = a->c0;
  for (unsigned d = 0; d < box->dimensions; d++)
    sum += a->c[d] * (a->c[d] > 0 ? box->high[d] : box->low[d]);
  return sum;
}

static inline int gp_is_constant(const struct gp_affine *a, const struct gp_box *box) {
  for (unsigned d = 0; d < box->dimensions; d++)
    if (a->c[d])
      return 0;
  return 1;
}

static inline struct gp_affine gp_constant(gp_wide value, const struct gp_box *box) {
  struct gp_affine a;
  a.c0 = value;
  for (unsigned d = 0; d < box->dimensions; d++)
    a.c[d] = 0;
  return a;
}

static inline struct gp_affine gp_sum(const struct gp_affine *a, const struct gp_affine *b, gp_wide factor,
                                      const struct gp_box *box) {
  struct gp_affine s;
  s.c0 = a->c0 + factor * b->c0;
  for (unsigned d = 0; d < box->dimensions; d++)
    s.c[d] = a->c[d] + factor * b->c[d];
  return s;
}

#endif
