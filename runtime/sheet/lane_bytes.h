/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many bytes the hardware's counters see of an access: of a warp each byte once. The plugin names the
 * pattern in which lanes share addresses (plugin/analysis/LaneSharing.h); what it comes to depends on the block's
 * shape. Pure functions.
 */
#ifndef GP_LANE_BYTES_H
#define GP_LANE_BYTES_H

#include "sheet/costs.h"

#include <stdint.h>

/* A row is all threads of a block with one y and z. The order is that of the classes lanes_… */
enum gp_lane_pattern {
  GP_LANES_SAME,  /* one address for all lanes of a warp, which are all there */
  GP_LANES_ROW,   /* a row's lanes apart, other rows the same again; all lanes are there */
  GP_LANES_ROWS,  /* one address a row, or for each 32 threads of it; all lanes are there */
  GP_LANES_PLANE, /* all threads of one z apart */
  GP_LANES_TILE,  /* the same for rows of up to 16 threads */
  GP_LANES_APART, /* lanes of 32 neighbours in a row apart; other rows may be anywhere */
  GP_LANES_ANY,
  GP_LANE_PATTERNS
};

/* What part of the bytes that lanes ask for is left when each byte of a warp counts once: limits over
 * launches. */
struct gp_lane_shares {
  double least[GP_LANE_PATTERNS], most[GP_LANE_PATTERNS];
};
void gp_lane_shares_of(struct gp_lane_shares *shares, const uint32_t block[3]);
/* Widens the limits by those of another launch. */
void gp_lane_shares_join(struct gp_lane_shares *to, const struct gp_lane_shares *from);

/* Bytes of the class that have the pattern. */
uint64_t gp_lane_amount(const struct gp_totals *totals, enum gp_cost bytes, enum gp_lane_pattern pattern);

/* Whether bytes of a class lanes_… may count as a range, by the block's shape. */
int gp_lanes_are_vague(enum gp_cost cost);

/* The bytes of a class (global_load to shared_atomic) as the hardware counts them. `generic`: bytes of
 * generic instructions that belong to other spaces, and may be counted here too. 0; -1 for another class. */
struct gp_lane_range {
  double least, most, generic;
};
int gp_lane_range(const struct gp_totals *totals, enum gp_cost bytes, const struct gp_lane_shares *shares,
                  struct gp_lane_range *range);

#endif
