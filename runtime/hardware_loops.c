/* Loops that ptxas makes of atomics in shared memory: how often they repeat is data's, but the bytes that
 * they swap tell (docs/accuracy.md). */
#include "hardware.h"

#include "roofline.h"

static double amount(const struct gp_totals *totals, enum gp_cost cost) {
  return (double)totals->amount[cost];
}

/* Loops that load each time what they swap, and nothing else: those for floats of 32 and 64 bits. */
static int swaps_tell(const struct gp_totals *totals) {
  return !totals->amount[GP_COST_expand_long_loop] && !totals->amount[GP_COST_expand_half_shared_loop] &&
         !totals->amount[GP_COST_expand_half_global_loop] &&
         (totals->amount[GP_COST_expand_fp32_loop] || totals->amount[GP_COST_expand_fp64_loop]);
}

static void raise_least(struct gp_hardware_view *view, double by) { view->least += by > 0 ? by : 0; }
static void lower_most(struct gp_hardware_view *view, double by) { view->most -= by > 0 ? by : 0; }

void gp_hardware_narrow_loops(const struct gp_totals *totals, double swapped, enum gp_hardware counter,
                              struct gp_hardware_view *view) {
  if (swapped < 0 || !swaps_tell(totals))
    return;
  const double words = amount(totals, GP_COST_expand_fp32_loop),
               longs = amount(totals, GP_COST_expand_fp64_loop),
               plain = amount(totals, GP_COST_shared_atomic) - 4 * words - 8 * longs,
               by_loops_least = swapped - plain, by_loops_most = swapped - plain / GP_WARP_LANES;
  if (counter == GP_HARDWARE_shared_load) {
    raise_least(view, by_loops_least - 4 * (words + longs));
    lower_most(view, GP_MOST_ATTEMPTS * (4 * words + 8 * longs) - by_loops_most);
  } else if (!longs && (counter == GP_HARDWARE_fp32_add || counter == GP_HARDWARE_fp32_flops)) {
    raise_least(view, by_loops_least / 4 - words);
  }
}
