/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Amounts of memory over time: a level with its peak and its average, and a curve of bounded size. */
#ifndef GP_USAGE_LEVELS_H
#define GP_USAGE_LEVELS_H

#include <stddef.h>
#include <stdint.h>

/* Times are ns since the start of the process (gp_start_ns). */
struct gp_usage_level {
  uint64_t bytes, peak_bytes, peak_ns;
  uint64_t allocated_bytes, allocations, releases; /* of all time */
  double byte_ns;                                  /* the integral of `bytes` until `changed_ns` */
  uint64_t changed_ns;
};

/* Return 1 if the level is higher than ever before. */
int gp_usage_level_add(struct gp_usage_level *level, uint64_t bytes, uint64_t ns);
void gp_usage_level_subtract(struct gp_usage_level *level, uint64_t bytes, uint64_t ns);
/* The average from the start of the process to `ns`. */
uint64_t gp_usage_level_average(const struct gp_usage_level *level, uint64_t ns);

/* The level in intervals of equal length. When no interval is left, neighbours are joined: no peak is lost. */
#define GP_USAGE_POINTS 256u
struct gp_usage_point {
  uint64_t most, last; /* within the interval, and at its end */
};
struct gp_usage_curve {
  uint64_t width_ns; /* 0: no change yet */
  size_t count;
  struct gp_usage_point points[GP_USAGE_POINTS];
};
void gp_usage_curve_add(struct gp_usage_curve *curve, uint64_t bytes, uint64_t ns);

#endif
