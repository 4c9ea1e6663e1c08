// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The hardware's byte counters for accesses with addresses shared by lanes, by pattern and block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/hardware_check.h"

static struct gp_lane_shares of_block(uint32_t x, uint32_t y, uint32_t z) {
  struct gp_lane_shares shares;
  gp_lane_shares_of(&shares, (const uint32_t[3]){x, y, z});
  return shares;
}

static void assert_share(struct gp_lane_shares shares, enum gp_lane_pattern pattern, double least,
                         double most) {
  assert_true(shares.least[pattern] == least);
  assert_true(shares.most[pattern] == most);
}

static void rows_of_whole_warps_are_exact(void **state) {
  (void)state;
  const struct gp_lane_shares s = of_block(64, 4, 2);
  assert_share(s, GP_LANES_SAME, 1 / 32.0, 1 / 32.0);
  assert_share(s, GP_LANES_ROWS, 1 / 32.0, 1 / 32.0);
  assert_share(s, GP_LANES_ROW, 1, 1);
  assert_share(s, GP_LANES_PLANE, 1, 1);
  assert_share(s, GP_LANES_TILE, 1, 1);
  assert_share(s, GP_LANES_APART, 1, 1);
  assert_share(s, GP_LANES_ANY, 1 / 32.0, 1);
}

static void rows_of_half_a_warp_repeat(void **state) {
  (void)state;
  const struct gp_lane_shares s = of_block(16, 16, 1);
  assert_share(s, GP_LANES_SAME, 1 / 32.0, 1 / 32.0);
  assert_share(s, GP_LANES_ROW, 0.5, 0.5);
  assert_share(s, GP_LANES_ROWS, 1 / 32.0, 2 / 32.0);
  assert_share(s, GP_LANES_PLANE, 1, 1);
  assert_share(s, GP_LANES_TILE, 1, 1);
  assert_share(s, GP_LANES_APART, 0.5, 1);
}

static void a_warp_may_reach_into_the_next_plane(void **state) {
  (void)state;
  const struct gp_lane_shares s = of_block(4, 4, 4);
  assert_share(s, GP_LANES_PLANE, 0.5, 1);
  assert_share(s, GP_LANES_TILE, 0.5, 1);
  assert_share(s, GP_LANES_APART, 1 / 8.0, 1);
}

/* The last warp has 18 lanes. */
static void a_part_of_a_warp_counts_once_too(void **state) {
  (void)state;
  const struct gp_lane_shares s = of_block(50, 1, 1);
  assert_share(s, GP_LANES_SAME, 2 / 50.0, 2 / 50.0);
  assert_share(s, GP_LANES_ROW, 1, 1);
  assert_share(s, GP_LANES_ANY, 1 / 32.0, 1);
}

/* 24 columns: the first warp has one row and 8 lanes of the next, beginning at no multiple of 32. */
static void rows_of_odd_length_break_anywhere(void **state) {
  (void)state;
  const struct gp_lane_shares s = of_block(24, 4, 1);
  assert_share(s, GP_LANES_ROW, 24 * 3 / 96.0, 24 * 3 / 96.0);
  assert_share(s, GP_LANES_TILE, 1 / 2.0, 1);
  assert_share(s, GP_LANES_APART, 1 / 4.0, 1);
}

static void launches_of_different_shapes_widen_the_limits(void **state) {
  (void)state;
  struct gp_lane_shares s = of_block(64, 1, 1);
  const struct gp_lane_shares other = of_block(16, 16, 1);
  gp_lane_shares_join(&s, &other);
  assert_share(s, GP_LANES_ROW, 0.5, 1);
  assert_share(s, GP_LANES_SAME, 1 / 32.0, 1 / 32.0);
}

static struct gp_hardware_view narrowed(const struct gp_totals *totals, enum gp_hardware counter,
                                        const struct gp_hardware_sum *sum) {
  struct gp_hardware_view view = gp_hardware_view(totals, counter);
  gp_hardware_narrow(&view, totals, counter, sum);
  return view;
}

static struct gp_hardware_sum measured(uint32_t x, uint32_t y) {
  struct gp_hardware_sum sum = {.launches = 1};
  sum.shares = of_block(x, y, 1);
  return sum;
}

/* A tiled product: half of the loads are a column's, the same in both rows of a warp. */
static void shared_bytes_are_expected_once(void **state) {
  (void)state;
  struct gp_totals totals = {0};
  totals.amount[GP_COST_shared_load] = 2048;
  totals.amount[GP_COST_lanes_shared_load_row] = 1024;
  totals.amount[GP_COST_lanes_shared_load_rows] = 1024;
  const struct gp_hardware_sum tile = measured(16, 16), row = measured(256, 1);
  struct gp_hardware_view view = narrowed(&totals, GP_HARDWARE_shared_load, &tile);
  assert_true(view.counted == 2048 && view.least == 512 + 32 && view.most == 512 + 64);
  view = narrowed(&totals, GP_HARDWARE_shared_load, &row);
  assert_true(view.least == 1024 + 32 && view.most == 1024 + 32);
}

/* A missing access, or one made twice, is outside of the range of lanes' sharing. */
static void errors_are_still_found(void **state) {
  (void)state;
  struct gp_totals totals = {0};
  totals.amount[GP_COST_global_load] = 4096;
  const struct gp_hardware_sum sum = measured(256, 1);
  totals.amount[GP_COST_lanes_global_load_row] = 4096;
  struct gp_hardware_view view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(gp_hardware_difference(4096, view.least, view.most) == 0);
  assert_true(gp_hardware_difference(4092, view.least, view.most) < 0);
  assert_true(gp_hardware_difference(8192, view.least, view.most) == 100);
  totals.amount[GP_COST_lanes_global_load_row] = 0;
  totals.amount[GP_COST_lanes_global_load_any] = 4096;
  view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(gp_hardware_difference(300, view.least, view.most) == 0);
  assert_true(gp_hardware_difference(0, view.least, view.most) == -100);
  assert_true(gp_hardware_difference(8192, view.least, view.most) == 100);
}

static void shares_that_are_no_whole_number_are_rounded_to_bytes(void **state) {
  (void)state;
  /* Products of doubles missing the whole number, on one side and on the other. */
  static const struct {
    uint32_t threads;
    uint64_t times, warps;
  } cases[] = {{135, 4000, 5}, {65, 4000, 3}, {71, UINT64_C(1000000000000), 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct gp_totals totals = {0};
    totals.amount[GP_COST_global_load] = totals.amount[GP_COST_lanes_global_load_same] =
        cases[i].times * cases[i].threads;
    const struct gp_hardware_sum sum = measured(cases[i].threads, 1);
    const struct gp_hardware_view view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
    const double expected = (double)(cases[i].times * cases[i].warps);
    assert_true(view.least == expected && view.most == expected);
  }
}

/* Every space's counter has them. */
static void generic_accesses_show_in_other_spaces(void **state) {
  (void)state;
  struct gp_totals totals = {0};
  totals.amount[GP_COST_global_load] = totals.amount[GP_COST_generic_global_load] = 128;
  totals.amount[GP_COST_local_load] = totals.amount[GP_COST_generic_local_load] = 32;
  const struct gp_hardware_sum sum = measured(32, 1);
  struct gp_hardware_view view = narrowed(&totals, GP_HARDWARE_shared_load, &sum);
  assert_true(view.counted == 0 && view.least == 0 && view.most == 160);
  view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(view.least == 128 && view.most == 160);
}

/* An instrumented kernel has counted the shared addresses; it missed 64 bytes of inline PTX. */
static void copies_make_it_exact(void **state) {
  (void)state;
  struct gp_totals totals = {0};
  totals.amount[GP_COST_global_load] = totals.amount[GP_COST_lanes_global_load_any] = 4096;
  struct gp_hardware_sum sum = measured(256, 1);
  sum.warps.launches = 1;
  sum.warps.requested[0] = 4096;
  sum.warps.distinct[0] = 700;
  struct gp_hardware_view view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(view.least == 700 && view.most == 700);
  totals.amount[GP_COST_global_load] = totals.amount[GP_COST_lanes_global_load_any] = 4096 + 64;
  view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(view.least == 702 && view.most == 764);
  sum.launches = 2; /* one of them without an instrumented kernel */
  view = narrowed(&totals, GP_HARDWARE_global_load, &sum);
  assert_true(view.least == 130 && view.most == 4160);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_whole_warps_are_exact),
      cmocka_unit_test(rows_of_half_a_warp_repeat),
      cmocka_unit_test(a_warp_may_reach_into_the_next_plane),
      cmocka_unit_test(a_part_of_a_warp_counts_once_too),
      cmocka_unit_test(rows_of_odd_length_break_anywhere),
      cmocka_unit_test(launches_of_different_shapes_widen_the_limits),
      cmocka_unit_test(shared_bytes_are_expected_once),
      cmocka_unit_test(errors_are_still_found),
      cmocka_unit_test(shares_that_are_no_whole_number_are_rounded_to_bytes),
      cmocka_unit_test(generic_accesses_show_in_other_spaces),
      cmocka_unit_test(copies_make_it_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
