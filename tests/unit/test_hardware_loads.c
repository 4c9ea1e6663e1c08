// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loads made by ptxas otherwise than the program has them, in the range of a counter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/hardware_check.h"

#include <string.h>

static struct gp_totals totals;
static struct gp_hardware_sum sum;

/* Whole warps of one row. */
static int clear(void **state) {
  (void)state;
  totals = (struct gp_totals){0};
  sum = (struct gp_hardware_sum){.launches = 1};
  const uint32_t block[3] = {64, 1, 1};
  gp_lane_shares_of(&sum.shares, block);
  return 0;
}

enum { GLOBAL_LESS = GPUPROF_WARP_CLASS_COUNT, GLOBAL_WIDER, GLOBAL_FILLED, SHARED_LESS, SHARED_WIDER, SHARED_FILLED };

static void count(unsigned number, uint64_t requested, uint64_t distinct) {
  sum.warps.launches = 1;
  sum.warps.requested[number] = requested;
  sum.warps.distinct[number] = distinct;
}

static void assert_range(enum gp_hardware counter, double least, double most) {
  struct gp_hardware_view view = gp_hardware_view(&totals, counter);
  gp_hardware_narrow(&view, &totals, counter, &sum);
  assert_true(view.least == least);
  assert_true(view.most == most);
}

/* The corpus' layer_norm_block: three words that all lanes read, 2,784 bytes to the hardware. */
static void three_words_may_be_four(void **state) {
  (void)state;
  totals.amount[GP_COST_shared_load] = totals.amount[GP_COST_lanes_shared_load_same] = 66816;
  totals.amount[GP_COST_expand_shared_load_wider] = 66816 / 3;
  assert_range(GP_HARDWARE_shared_load, 2088, 2784);
  count(3, 66816, 2088); /* shared_load */
  count(SHARED_WIDER, 66816 / 3, 696);
  assert_range(GP_HARDWARE_shared_load, 2088, 2784);
}

static void machine_code_without_wide_loads_has_three(void **state) {
  (void)state;
  totals.amount[GP_COST_shared_load] = totals.amount[GP_COST_lanes_shared_load_same] = 66816;
  totals.amount[GP_COST_expand_shared_load_wider] = 66816 / 3;
  sum.wordwise = 1;
  assert_range(GP_HARDWARE_shared_load, 2088, 2088);
  sum.launches = 2;
  assert_range(GP_HARDWARE_shared_load, 2088, 2784);
}

/* The corpus' leap_frog: each thread loads a fourth number. */
static void a_filled_gap_is_loaded(void **state) {
  (void)state;
  totals.amount[GP_COST_global_load] = 5400;
  totals.amount[GP_COST_expand_global_load_filled] = 600;
  count(0, 5400, 5400);
  count(GLOBAL_FILLED, 600, 600);
  assert_range(GP_HARDWARE_global_load, 6000, 6000);
  sum.warps.launches = 0; /* the gap may be shared by all lanes */
  assert_range(GP_HARDWARE_global_load, 5419, 6000);
}

static void merged_loads_need_not_be_made(void **state) {
  (void)state;
  totals.amount[GP_COST_shared_load] = 12192;
  totals.amount[GP_COST_expand_shared_load_less] = 4096;
  assert_range(GP_HARDWARE_shared_load, 8096, 12192);
}

/* 8 turns before the loop, in place of 8 in each of its 10 turns; each load of one address to all lanes. */
static void loads_before_a_loop_are_made_there(void **state) {
  (void)state;
  totals.amount[GP_COST_global_load] = 10000 + 320 * 64;
  totals.amount[GP_COST_lanes_global_load_same] = 320 * 64;
  totals.amount[GP_COST_expand_global_load_less_same] = 320 * 64;
  totals.amount[GP_COST_expand_global_load_behind_same] = 32 * 64;
  assert_range(GP_HARDWARE_global_load, 10000 + 32 * 64 / 32, 10000 + 320 * 64 / 32);
  count(0, 10000 + 320 * 64, 10000 + 320 * 2);
  count(GLOBAL_LESS, 320 * 64, 320 * 2);
  assert_range(GP_HARDWARE_global_load, 10000 + 32 * 2, 10000 + 320 * 2);
}

/* Lanes read neighbours: what moves is as many bytes as they ask for. */
static void unshared_loads_move_whole(void **state) {
  (void)state;
  totals.amount[GP_COST_global_load] = 5000;
  totals.amount[GP_COST_expand_global_load_less] = 4000;
  totals.amount[GP_COST_expand_global_load_behind] = 400;
  assert_range(GP_HARDWARE_global_load, 1400, 5000);
  count(0, 5000, 5000);
  count(GLOBAL_LESS, 4000, 4000);
  assert_range(GP_HARDWARE_global_load, 1400, 5000);
}

static void stores_stay(void **state) {
  (void)state;
  totals.amount[GP_COST_shared_store] = 100;
  totals.amount[GP_COST_expand_shared_load_less] = totals.amount[GP_COST_shared_load] = 50;
  assert_range(GP_HARDWARE_shared_store, 100, 100);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, clear)
  const struct CMUnitTest tests[] = {
      TEST(three_words_may_be_four),       TEST(machine_code_without_wide_loads_has_three),
      TEST(a_filled_gap_is_loaded),
      TEST(merged_loads_need_not_be_made), TEST(loads_before_a_loop_are_made_there),
      TEST(unshared_loads_move_whole),     TEST(stores_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
