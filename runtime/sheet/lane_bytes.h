/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes of an access as seen by the hardware's counters: each byte of a warp once. The plugin names the
 * pattern of shared addresses among lanes (plugin/analysis/LaneSharing.h); its effect depends on the block's
 * shape. Pure functions.
 */
#ifndef GP_LANE_BYTES_H
#define GP_LANE_BYTES_H

#include "sheet/costs.h"

#include <stdint.h>

/* A row is all threads of a block with one y and z. The order is that of the classes lanes_… */
enum gp_lane_pattern {
  GP_LANES_SAME,  /* one address for all lanes of a warp; all lanes are active */
  GP_LANES_ROW,   /* distinct in a row, equal in other rows; all lanes are active */
  GP_LANES_ROWS,  /* one address a row, or for each 32 threads of it; all lanes are active */
  GP_LANES_PLANE, /* distinct for all threads of one z */
  GP_LANES_TILE,  /* the same for rows of up to 16 threads */
  GP_LANES_APART, /* distinct for 32 neighbours in a row; other rows are arbitrary */
  GP_LANES_ANY,
  GP_LANE_PATTERNS
};

/* The remaining part of the requested bytes if each byte of a warp counts once: limits over launches. */
struct gp_lane_shares {
  double least[GP_LANE_PATTERNS], most[GP_LANE_PATTERNS];
};
void gp_lane_shares_of(struct gp_lane_shares *shares, const uint32_t block[3]);
/* Widens the limits by those of another launch. */
void gp_lane_shares_join(struct gp_lane_shares *to, const struct gp_lane_shares *from);

/* Bytes of the class with the pattern. */
uint64_t gp_lane_amount(const struct gp_totals *totals, enum gp_cost bytes, enum gp_lane_pattern pattern);

/* True if bytes of a class lanes_… may count as a range, by the block's shape. */
int gp_lanes_are_vague(enum gp_cost cost);

/* The bytes of a class (global_load to shared_atomic) as counted by the hardware. `generic`: bytes of generic
 * instructions belonging to other spaces, and possibly counted here, too. Returns 0; -1 for another class. */
struct gp_lane_range {
  double least, most, generic;
};
int gp_lane_range(const struct gp_totals *totals, enum gp_cost bytes, const struct gp_lane_shares *shares,
                  struct gp_lane_range *range);

#endif
