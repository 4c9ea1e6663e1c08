// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/lane_bytes.h"

#include <math.h>
#include <stddef.h>

#define LANES 32u
#define TILE_ROW 16u /* as in plugin/analysis/LaneSharing.cpp */

/* ---- One warp of a block ---- */

struct warp {
  uint32_t lanes;
  uint32_t columns; /* different x */
  uint32_t rows;    /* different y and z */
  uint32_t
      pieces; /* maximum number of runs of lanes with one row and one x / 32, for any start of the warp */
  uint32_t planes; /* different z */
};

static struct warp warp_of(const uint32_t block[3], uint64_t first, uint64_t threads) {
  const uint64_t plane = (uint64_t)block[0] * block[1];
  const uint64_t end = first + LANES < threads ? first + LANES : threads;
  struct warp w = {.lanes = (uint32_t)(end - first)};
  w.columns = block[0] < w.lanes ? block[0] : w.lanes;
  w.rows = (uint32_t)((end - 1) / block[0] - first / block[0] + 1);
  w.planes = (uint32_t)((end - 1) / plane - first / plane + 1);
  w.pieces = block[0] % LANES == 0 || LANES % block[0] == 0 ? w.rows : 2 * w.rows;
  if (w.pieces > w.lanes)
    w.pieces = w.lanes;
  return w;
}

/* ---- A block ---- */

void gp_lane_shares_of(struct gp_lane_shares *shares, const uint32_t block[3]) {
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  double warps = 0, columns = 0, pieces = 0;
  uint32_t lanes = 1, most_pieces = 1, most_rows = 1, most_planes = 1;
  for (uint64_t first = 0; first < threads; first += LANES) {
    const struct warp w = warp_of(block, first, threads);
    warps++;
    columns += w.columns;
    pieces += w.pieces;
    lanes = w.lanes > lanes ? w.lanes : lanes;
    most_pieces = w.pieces > most_pieces ? w.pieces : most_pieces;
    most_rows = w.rows > most_rows ? w.rows : most_rows;
    most_planes = w.planes > most_planes ? w.planes : most_planes;
  }
  const double all = threads ? (double)threads : 1;
  const double apart = 1.0 / most_pieces, plane = 1.0 / most_planes;
  const double tile = block[0] <= TILE_ROW ? plane : 1.0 / most_rows;
  *shares = (struct gp_lane_shares){
      .least = {warps / all, columns / all, warps / all, plane, tile, apart, 1.0 / lanes},
      .most = {warps / all, columns / all, pieces / all, 1, 1, 1, 1},
  };
}

void gp_lane_shares_join(struct gp_lane_shares *to, const struct gp_lane_shares *from) {
  for (size_t i = 0; i < GP_LANE_PATTERNS; i++) {
    if (from->least[i] < to->least[i])
      to->least[i] = from->least[i];
    if (from->most[i] > to->most[i])
      to->most[i] = from->most[i];
  }
}

/* ---- A class of bytes ---- */

struct target {
  enum gp_cost bytes, first, other_space, local;
};
static const struct target targets[] = {
#define TARGET(space, other, access)                                                                         \
  {                                                                                                          \
    GP_COST_##space##_##access, GP_COST_lanes_##space##_##access##_same, GP_COST_generic_##other##_##access, \
        GP_COST_generic_local_##access                                                                       \
  }
    TARGET(global, shared, load), TARGET(global, shared, store), TARGET(global, shared, atomic),
    TARGET(shared, global, load), TARGET(shared, global, store), TARGET(shared, global, atomic),
#undef TARGET
};

uint64_t gp_lane_amount(const struct gp_totals *totals, enum gp_cost bytes, enum gp_lane_pattern pattern) {
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (targets[i].bytes == bytes)
      return totals->amount[targets[i].first + pattern];
  return 0;
}

int gp_lanes_are_vague(enum gp_cost cost) {
  const int index = (int)cost - (int)GP_COST_lanes_global_load_same;
  const int count = GP_LANE_PATTERNS * (int)(sizeof targets / sizeof *targets);
  if (index < 0 || index >= count)
    return 0;
  const enum gp_lane_pattern pattern = (enum gp_lane_pattern)(index % GP_LANE_PATTERNS);
  return pattern != GP_LANES_SAME && pattern != GP_LANES_ROW;
}

/* Bytes are integers, but shares of e.g. 48 threads are inexact as doubles. */
static double rounding(double bytes) { return 1e-6 + 1e-13 * bytes; }

int gp_lane_range(const struct gp_totals *totals, enum gp_cost bytes, const struct gp_lane_shares *shares,
                  struct gp_lane_range *range) {
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    const struct target *t = &targets[i];
    if (t->bytes != bytes)
      continue;
    range->least = range->most = (double)totals->amount[bytes];
    for (unsigned p = 0; p < GP_LANE_PATTERNS; p++) {
      const double amount = (double)totals->amount[t->first + p];
      range->least -= amount * (1 - shares->least[p]);
      range->most -= amount * (1 - shares->most[p]);
    }
    range->least = ceil(range->least - rounding(range->least));
    range->most = floor(range->most + rounding(range->most));
    range->generic = (double)totals->amount[t->other_space] + (double)totals->amount[t->local];
    return 0;
  }
  return -1;
}
