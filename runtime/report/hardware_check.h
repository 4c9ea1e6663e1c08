/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_HARDWARE=check: how the hardware's counters compare with what was counted. Pure functions. */
#ifndef GP_HARDWARE_CHECK_H
#define GP_HARDWARE_CHECK_H

#include "core/hardware_plan.h"

/* What gpuprof says of a counter: `counted` is its count by gpuprof's own conventions; the hardware should
 * show something from `least` to `most`: machine code for what the machine has no instruction for
 * (docs/accuracy.md). The two differ where ptxas is free to do less or more. Each is GP_UNKNOWN where there is nothing
 * to compare with. */
struct gp_hardware_view {
  double counted, least, most;
};
struct gp_hardware_view gp_hardware_view(const struct gp_totals *totals, enum gp_hardware counter);

/* Attempts that a thread's loop for an atomic makes at most, on average, where n threads meet at one address and one
 * succeeds at a time: (1 + … + n) / n, in a warp and in the largest block. */
#define GP_ATTEMPTS_IN_WARP ((GP_WARP_LANES + 1) / 2)
#define GP_MOST_ATTEMPTS ((1024 + 1) / 2.0)

/* Narrows the view of a counter by `swapped`, the measured bytes of atomics in shared memory: each attempt of a loop
 * for floats loads what it swaps. Nothing changes where they are GP_UNKNOWN. */
void gp_hardware_narrow_loops(const struct gp_totals *totals, double swapped, enum gp_hardware counter,
                              struct gp_hardware_view *view);

/* The bytes that a counter compares with, where lanes may share them; else GP_COST_COUNT. */
enum gp_cost gp_hardware_shared_by_lanes(enum gp_hardware counter);
/* Of a counter of bytes: what lanes share counts once a warp; what gpuprof itself loads, and generic accesses to other
 * spaces, count too. Of half_instructions: constants may count too. Leaves the others. */
void gp_hardware_narrow(struct gp_hardware_view *view, const struct gp_totals *totals, enum gp_hardware counter,
                        const struct gp_hardware_sum *sum);

/* By how many percent a measured value lies below `least` or above `most`; 0 in between, GP_NO_DIFFERENCE
 * where something is unknown, and where the bound is 0 and the value is not. */
#define GP_NO_DIFFERENCE (-1e300)
double gp_hardware_difference(double measured, double least, double most);

#endif
