// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loads made by the code generator or ptxas otherwise than the program has them (plugin/analysis/LoadFreedom.h). */
#include "report/hardware_check.h"

#include <math.h>

/* Where gp_warp_bytes has the parts. */
enum part {
  FIRST_PART = GPUPROF_WARP_CLASS_COUNT - 1,
#define GPUPROF_WARP_PART(identifier) PART_##identifier,
  GPUPROF_WARP_PARTS
#undef GPUPROF_WARP_PART
};

static const struct loads {
  enum gp_hardware counter;
  enum gp_cost less, less_same, behind, behind_same, wider, filled;
  enum part part_less, part_wider, part_filled;
} kinds[] = {
#define LOADS(S)                                                                                                       \
  {GP_HARDWARE_##S##_load,           GP_COST_expand_##S##_load_less,        GP_COST_expand_##S##_load_less_same,       \
   GP_COST_expand_##S##_load_behind, GP_COST_expand_##S##_load_behind_same, GP_COST_expand_##S##_load_wider,           \
   GP_COST_expand_##S##_load_filled, PART_##S##_load_less,                  PART_##S##_load_wider,                     \
   PART_##S##_load_filled}
    LOADS(global), LOADS(shared)
#undef LOADS
};

static double amount(const struct gp_totals *totals, enum gp_cost cost) { return (double)totals->amount[cost]; }
static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* The distinct bytes of a part among those that lanes ask for; -1 if the lane-comparing kernel did not count it. */
static double distinct(const struct gp_hardware_sum *sum, enum part part, double asked) {
  const struct gp_warp_bytes *warps = &sum->warps;
  return warps->launches == sum->launches && (double)warps->requested[part] == asked ? (double)warps->distinct[part] : -1;
}

/* Bytes that may not be loaded, less those loaded in their place. Where the loads move, as many lanes share. */
static double fewer(const struct loads *k, const struct gp_totals *totals, const struct gp_hardware_sum *sum, double most) {
  const double own = amount(totals, k->less), same = amount(totals, k->less_same), behind = amount(totals, k->behind),
               behind_same = amount(totals, k->behind_same), asked = own + same, kept = behind + behind_same,
               counted = distinct(sum, k->part_less, asked), share = sum->shares.least[GP_LANES_SAME];
  const double shared_by_all = share * larger(same - behind_same, 0);
  if (counted < 0)
    return smaller(larger(own - behind, 0) + shared_by_all, most);
  return larger(counted - larger(sum->shares.least[GP_LANES_ANY] * kept, kept - (asked - counted)), 0);
}

/* A wider instruction has a word more than its three. */
#define WORDS_OF_WIDER 3

void gp_hardware_move_loads(struct gp_lane_range *range, const struct gp_totals *totals, enum gp_hardware counter,
                            const struct gp_hardware_sum *sum) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct loads *k = &kinds[i];
    if (k->counter != counter)
      continue;
    const double wider = amount(totals, k->wider), filled = amount(totals, k->filled), most = range->most;
    const double counted_wider = distinct(sum, k->part_wider, wider), counted_filled = distinct(sum, k->part_filled, filled);
    range->least -= fewer(k, totals, sum, most);
    const int has_no_block = counter == GP_HARDWARE_shared_load && sum->wordwise == sum->launches;
    if (wider > 0 && !has_no_block)
      range->most += counted_wider >= 0 ? counted_wider : smaller(wider, most / WORDS_OF_WIDER);
    range->least += counted_filled >= 0 ? counted_filled : sum->shares.least[GP_LANES_ANY] * filled;
    range->most += counted_filled >= 0 ? counted_filled : filled;
    range->least = ceil(range->least);
    range->most = floor(range->most);
  }
}
