// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/hardware_check.h"

#include "report/roofline.h"

#include <math.h>
#include <string.h>

/* ---- Comparison ---- */
/* A counter is a sum over classes of work: `counted`, `least` and `most` times each. Classes of the group
 * `expansion` are ptxas's instructions for a division and the like; the operation itself is in `counted`
 * only. */
static const struct term {
  enum gp_hardware counter;
  enum gp_cost cost;
  double counted, least, most;
} terms[] = {
#define ARITHMETIC(P)                                                                                        \
  {GP_HARDWARE_##P##_add, GP_COST_##P##_add, 1, 1, 1},                                                       \
      {GP_HARDWARE_##P##_add, GP_COST_expand_##P##_add, 0, 1, 1},                                            \
      {GP_HARDWARE_##P##_mul, GP_COST_##P##_mul, 1, 1, 1},                                                   \
      {GP_HARDWARE_##P##_mul, GP_COST_expand_##P##_mul, 0, 1, 1},                                            \
      {GP_HARDWARE_##P##_fma, GP_COST_##P##_fma, 1, 1, 1},                                                   \
      {GP_HARDWARE_##P##_fma, GP_COST_expand_##P##_fma, 0, 1, 1},                                            \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_add, 1, 1, 1},                                                 \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_mul, 1, 1, 1},                                                 \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_fma, 2, 2, 2},                                                 \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_div, 1, 0, 0},                                                 \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_sqrt, 1, 0, 0},                                                \
      {GP_HARDWARE_##P##_flops, GP_COST_##P##_accumulate, 1, 0, 0},                                          \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_loop, 0, 1, GP_MOST_ATTEMPTS},                             \
      {GP_HARDWARE_##P##_add, GP_COST_expand_##P##_loop, 0, 1, GP_MOST_ATTEMPTS},                               \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_less, 0, -1, 0},                                        \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_behind, 0, 1, 0},                                       \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_folded, 0, -1, -1},                                     \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_more, 0, 0, 1},                                         \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_slow_more, 0, 0, 1},                                    \
      {GP_HARDWARE_##P##_add, GP_COST_expand_##P##_slow_more, 0, 0, 1},                                      \
      {GP_HARDWARE_##P##_mul, GP_COST_expand_##P##_slow_more, 0, 0, 1},                                      \
      {GP_HARDWARE_##P##_fma, GP_COST_expand_##P##_slow_more, 0, 0, 0.5},                                    \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_add, 0, 1, 1},                                          \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_mul, 0, 1, 1},                                          \
      {GP_HARDWARE_##P##_flops, GP_COST_expand_##P##_fma, 0, 2, 2},
    ARITHMETIC(fp64) ARITHMETIC(fp32)
#undef ARITHMETIC
    /* A slow path of fp32 reciprocals and roots is executed in place of the ordinary sequence. */
    {GP_HARDWARE_fp32_flops, GP_COST_expand_fp32_slow_less, 0, -1, 0},
    {GP_HARDWARE_fp32_add, GP_COST_expand_fp32_slow_less, 0, -1, 0},
    {GP_HARDWARE_fp32_mul, GP_COST_expand_fp32_slow_less, 0, -1, 0},
    {GP_HARDWARE_fp32_fma, GP_COST_expand_fp32_slow_less, 0, -0.5, 0},
    /* One instruction has one element or two; its elements are counted. */
    {GP_HARDWARE_half_instructions, GP_COST_fp16_add, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_fp16_mul, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_fp16_fma, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_bf16_add, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_bf16_mul, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_bf16_fma, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_fp16_accumulate, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_bf16_accumulate, 1, 0, 0},
    {GP_HARDWARE_half_instructions, GP_COST_expand_half, 0, 1, 1},
    {GP_HARDWARE_half_instructions, GP_COST_expand_half_paired, 0, -0.5, 0},
    {GP_HARDWARE_half_instructions, GP_COST_expand_half_shared_loop, 0, 1, GP_MOST_ATTEMPTS},
    {GP_HARDWARE_half_instructions, GP_COST_expand_half_global_loop, 0, 1, GP_MOST_ATTEMPTS},
    {GP_HARDWARE_tensor_bf16, GP_COST_tensor_bf16, 1, 1, 1},
    {GP_HARDWARE_tensor_fp16, GP_COST_tensor_fp16, 1, 1, 1},
    {GP_HARDWARE_tensor_fp16, GP_COST_expand_fp8_as_fp16, 0, 1, 1},
    {GP_HARDWARE_tensor_tf32, GP_COST_tensor_tf32, 1, 1, 1},
    {GP_HARDWARE_tensor_fp64, GP_COST_tensor_fp64, 1, 1, 1},
    {GP_HARDWARE_tensor_fp8, GP_COST_tensor_fp8, 1, 1, 1},
    {GP_HARDWARE_tensor_fp8, GP_COST_expand_fp8_as_fp16, 0, -1, -1},
    {GP_HARDWARE_tensor_int8, GP_COST_tensor_int8, 1, 1, 1},
    {GP_HARDWARE_global_load, GP_COST_global_load, 1, 1, 1},
    /* Under a predicate the counter shows none of a warp's lanes, or all (measured on an H200). */
    {GP_HARDWARE_global_load, GP_COST_expand_bypass, 0, -1, GP_WARP_LANES - 1},
    {GP_HARDWARE_global_store, GP_COST_global_store, 1, 1, 1},
    {GP_HARDWARE_global_atomic, GP_COST_global_atomic, 1, 1, 1},
    {GP_HARDWARE_shared_load, GP_COST_shared_load, 1, 1, 1},
    {GP_HARDWARE_shared_store, GP_COST_shared_store, 1, 1, 1},
    {GP_HARDWARE_shared_atomic, GP_COST_shared_atomic, 1, 1, 1},
    /* Loops of atomics load and swap words; lanes at one word share its bytes. For a double, half-warps
     * share them. ptxas accesses a single half by generic instructions; the counters of each space include
     * these. */
    {GP_HARDWARE_shared_load, GP_COST_expand_fp32_loop, 0, 4, 4 * GP_MOST_ATTEMPTS},
    {GP_HARDWARE_shared_load, GP_COST_expand_fp64_loop, 0, 4, 8 * GP_MOST_ATTEMPTS},
    {GP_HARDWARE_shared_load, GP_COST_expand_long_loop, 0, 4, 8 * GP_MOST_ATTEMPTS},
    {GP_HARDWARE_shared_load, GP_COST_expand_half_shared_loop, 0, 4.0 / GP_WARP_LANES, 4 * GP_MOST_ATTEMPTS},
    {GP_HARDWARE_shared_load, GP_COST_expand_half_global_loop, 0, 0, 4},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_fp32_loop, 0, 0, 4 * (GP_MOST_ATTEMPTS - 1)},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_fp64_loop, 0, -4, 8 * (GP_MOST_ATTEMPTS - 1)},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_long_loop, 0, -8, 8 * (GP_MOST_ATTEMPTS - 1)},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_half_shared_swap, 0, 1, 1},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_half_shared_loop, 0, 4.0 / GP_WARP_LANES - 4,
     4 * (GP_MOST_ATTEMPTS - 1)},
    {GP_HARDWARE_shared_atomic, GP_COST_expand_half_global_loop, 0, 0, 4 * GP_MOST_ATTEMPTS},
    {GP_HARDWARE_global_load, GP_COST_expand_half_global_loop, 0, 4.0 / GP_WARP_LANES, 4},
    {GP_HARDWARE_global_load, GP_COST_expand_half_shared_loop, 0, 0, 4},
    {GP_HARDWARE_global_atomic, GP_COST_expand_half_global_swap, 0, 1, 1},
    {GP_HARDWARE_global_atomic, GP_COST_expand_half_global_loop, 0, 4.0 / GP_WARP_LANES - 4,
     4 * (GP_MOST_ATTEMPTS - 1)},
    {GP_HARDWARE_global_atomic, GP_COST_expand_half_shared_loop, 0, 0, 4 * GP_MOST_ATTEMPTS},
};

/* The classes of bytes possibly shared by lanes, in the order of GPUPROF_WARP_CLASSES. */
static const struct {
  enum gp_hardware counter;
  enum gp_cost bytes;
} shared_by_lanes[] = {
#define GPUPROF_WARP_CLASS(identifier) {GP_HARDWARE_##identifier, GP_COST_##identifier},
    GPUPROF_WARP_CLASSES
#undef GPUPROF_WARP_CLASS
};

enum gp_cost gp_hardware_shared_by_lanes(enum gp_hardware counter) {
  for (size_t i = 0; i < sizeof shared_by_lanes / sizeof *shared_by_lanes; i++)
    if (shared_by_lanes[i].counter == counter)
      return shared_by_lanes[i].bytes;
  return GP_COST_COUNT;
}

/* Counts of the lane-comparing kernel are exact. Accesses unknown to it (inline PTX) stay a range. */
static void use_warps(struct gp_lane_range *range, const struct gp_totals *totals, size_t class,
                      const struct gp_hardware_sum *sum) {
  const struct gp_warp_bytes *warps = &sum->warps;
  const uint64_t counted = totals->amount[shared_by_lanes[class].bytes];
  if (!sum->launches || warps->launches != sum->launches || warps->requested[class] > counted)
    return;
  const uint64_t unseen = counted - warps->requested[class];
  const uint64_t any = gp_lane_amount(totals, shared_by_lanes[class].bytes, GP_LANES_ANY);
  const double range_of = (double)(unseen < any ? unseen : any);
  range->most = (double)(warps->distinct[class] + unseen);
  range->least = ceil(range->most - range_of * (1 - sum->shares.least[GP_LANES_ANY]));
}

void gp_hardware_narrow(struct gp_hardware_view *view, const struct gp_totals *totals, enum gp_hardware counter,
                        const struct gp_hardware_sum *sum) {
  struct gp_lane_range range;
  for (size_t i = 0; i < sizeof shared_by_lanes / sizeof *shared_by_lanes; i++)
    if (shared_by_lanes[i].counter == counter &&
        !gp_lane_range(totals, shared_by_lanes[i].bytes, &sum->shares, &range)) {
      const double counted = (double)totals->amount[shared_by_lanes[i].bytes];
      use_warps(&range, totals, i, sum);
      gp_hardware_move_loads(&range, totals, counter, sum);
      view->least += range.least - counted;
      view->most += range.most - counted + range.generic;
    }
  if (counter == GP_HARDWARE_global_load) {
    view->least += (double)sum->own_bytes;
    view->most += (double)sum->own_bytes;
  }
  /* Attempts that failed, and lanes that share a word, may both be taken off the same bytes. */
  if (view->counted >= 0 && view->least < 0)
    view->least = 0;
  /* otherwise there is nothing to compare with */
  if (counter == GP_HARDWARE_half_instructions && view->most > 0)
    view->most += (double)sum->constants;
}

struct gp_hardware_view gp_hardware_view(const struct gp_totals *totals, enum gp_hardware counter) {
  struct gp_hardware_view view = {0, 0, 0};
  int known = 0;
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    const struct term *t = &terms[i];
    const double amount = (double)totals->amount[t->cost];
    if (t->counter != counter)
      continue;
    known = 1;
    view.counted += t->counted * amount;
    view.least += t->least * amount;
    view.most += t->most * amount;
  }
  if (!known)
    return (struct gp_hardware_view){GP_UNKNOWN, GP_UNKNOWN, GP_UNKNOWN};
  return view;
}

double gp_hardware_difference(double measured, double least, double most) {
  if (measured < 0 || least < 0 || most < 0)
    return GP_NO_DIFFERENCE;
  if (measured >= least && measured <= most)
    return 0;
  const double bound = measured < least ? least : most;
  return bound == 0 ? GP_NO_DIFFERENCE : 100 * (measured - bound) / bound;
}
