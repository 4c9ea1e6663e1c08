// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops made by ptxas for atomics in shared memory. The number of iterations depends on data, but the swapped
 * bytes reveal it (docs/user/accuracy.md). */
#include "report/hardware_check.h"

#include "report/roofline.h"

static double amount(const struct gp_totals *totals, enum gp_cost cost) {
  return (double)totals->amount[cost];
}

/* Loops loading exactly the bytes swapped each time: those for floats of 32 and 64 bits. */
static int swaps_tell(const struct gp_totals *totals) {
  return !totals->amount[GP_COST_expand_long_loop] && !totals->amount[GP_COST_expand_half_shared_loop] &&
         !totals->amount[GP_COST_expand_half_global_loop] &&
         (totals->amount[GP_COST_expand_fp32_loop] || totals->amount[GP_COST_expand_fp64_loop]);
}

static void raise_least(struct gp_hardware_view *view, double by) { view->least += by > 0 ? by : 0; }
static void lower_most(struct gp_hardware_view *view, double by) { view->most -= by > 0 ? by : 0; }

/* Lanes of a warp at one address swap a word once an attempt. Attempts caused by them alone thus swap at most
 * 4 bytes a lane. Each further attempt is of one warp, with at most 32 lanes, and swaps a word. */
static void narrow_additions(struct gp_hardware_view *view, double lanes, double beyond, double word) {
  const double most = GP_ATTEMPTS_IN_WARP * lanes + GP_WARP_LANES * (beyond > 0 ? beyond : 0) / word;
  lower_most(view, GP_MOST_ATTEMPTS * lanes - most);
}

void gp_hardware_narrow_loops(const struct gp_totals *totals, double swapped, enum gp_hardware counter,
                              struct gp_hardware_view *view) {
  if (swapped < 0 || !swaps_tell(totals))
    return;
  const double words = amount(totals, GP_COST_expand_fp32_loop),
               longs = amount(totals, GP_COST_expand_fp64_loop),
               plain = amount(totals, GP_COST_shared_atomic) - 4 * words - 8 * longs,
               by_loops_least = swapped - plain, by_loops_most = swapped - plain / GP_WARP_LANES,
               beyond = by_loops_most - 4 * (words + longs);
  switch (counter) {
  case GP_HARDWARE_shared_load:
    raise_least(view, by_loops_least - 4 * (words + longs));
    return lower_most(view, GP_MOST_ATTEMPTS * (4 * words + 8 * longs) - by_loops_most);
  case GP_HARDWARE_fp32_add:
  case GP_HARDWARE_fp32_flops:
    raise_least(view, longs ? 0 : by_loops_least / 4 - words);
    return narrow_additions(view, words, beyond, 4);
  case GP_HARDWARE_fp64_add:
  case GP_HARDWARE_fp64_flops:
    return narrow_additions(view, longs, beyond, 8);
  default:
    return;
  }
}
