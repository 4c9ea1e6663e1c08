/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_HARDWARE=check: compares the hardware's counters with gpuprof's counts. Pure functions. */
#ifndef GP_HARDWARE_CHECK_H
#define GP_HARDWARE_CHECK_H

#include "core/hardware_plan.h"

/* gpuprof's prediction of a counter. `counted` is its count by gpuprof's conventions. The hardware should
 * show a value from `least` to `most`: it includes machine code for operations without an instruction
 * (docs/user/accuracy.md). The two differ where ptxas may do less or more. Each is GP_UNKNOWN without a
 * prediction. */
struct gp_hardware_view {
  double counted, least, most;
};
struct gp_hardware_view gp_hardware_view(const struct gp_totals *totals, enum gp_hardware counter);

/* Maximum average number of attempts of a thread's loop for an atomic, in a warp and in the largest block. If
 * n threads meet at one address and one succeeds at a time: (1 + … + n) / n. */
#define GP_ATTEMPTS_IN_WARP ((GP_WARP_LANES + 1) / 2)
#define GP_MOST_ATTEMPTS ((1024 + 1) / 2.0)

/* Narrows the view of a counter by `swapped`, the measured bytes of atomics in shared memory. Each attempt of
 * a loop for floats loads the bytes swapped by it. GP_UNKNOWN changes nothing. */
void gp_hardware_narrow_loops(const struct gp_totals *totals, double swapped, enum gp_hardware counter,
                              struct gp_hardware_view *view);

/* Widens the range of loaded bytes by loads that the code generator or ptxas may make otherwise: merged, moved before
 * loops, or as parts of wider instructions. Leaves other counters unchanged. */
void gp_hardware_move_loads(struct gp_lane_range *range, const struct gp_totals *totals, enum gp_hardware counter,
                            const struct gp_hardware_sum *sum);

/* Narrows the view of FLOPs by the measured additions and products. Each run of a slow path of a division or a root
 * has one of these beside the ordinary sequence, or lacks one of it. GP_UNKNOWN changes nothing. */
void gp_hardware_narrow_slow(const struct gp_totals *totals, enum gp_hardware counter, double added, double multiplied,
                             struct gp_hardware_view *view);

/* The bytes for comparison with a counter, if lanes may share them; otherwise GP_COST_COUNT. */
enum gp_cost gp_hardware_shared_by_lanes(enum gp_hardware counter);
/* For a counter of bytes: shared bytes count once a warp; gpuprof's own loads, and generic accesses to other
 * spaces, count, too. For half_instructions: constants may count, too. Leaves other counters unchanged. */
void gp_hardware_narrow(struct gp_hardware_view *view, const struct gp_totals *totals, enum gp_hardware counter,
                        const struct gp_hardware_sum *sum);

/* Percentage of a measured value below `least` or above `most`; 0 in between. GP_NO_DIFFERENCE if something
 * is unknown, or if the bound is 0 and the value is not. */
#define GP_NO_DIFFERENCE (-1e300)
double gp_hardware_difference(double measured, double least, double most);

#endif
