// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Plans, sums, expectations and percentages of the comparison with hardware counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/hardware_check.h"
#include "report/roofline.h"

#include <math.h>
#include <string.h>

static struct gp_totals totals;

static int clear(void **state) {
  (void)state;
  totals = (struct gp_totals){0};
  return 0;
}

static void assert_view(enum gp_hardware counter, double counted, double least, double most) {
  struct gp_hardware_view view = gp_hardware_view(&totals, counter);
  assert_true(view.counted == counted);
  assert_true(view.least == least);
  assert_true(view.most == most);
}

static void check_is_the_table(void **state) {
  (void)state;
  struct gp_hardware_plan plan;
  assert_int_equal(gp_hardware_plan_of("check", &plan), 0);
  assert_true(plan.check);
  assert_int_equal(plan.count, GP_HARDWARE_COUNT);
  assert_string_equal(plan.counters[GP_HARDWARE_fp32_fma].key, "fp32_fma");
  assert_string_equal(plan.counters[GP_HARDWARE_fp32_fma].metrics,
                      "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
  assert_string_equal(plan.counters[GP_HARDWARE_dram_write].key, "dram_write");
}

static void metrics_are_taken_by_name(void **state) {
  (void)state;
  struct gp_hardware_plan plan;
  assert_int_equal(gp_hardware_plan_of("lts__t_bytes.sum,sm__cycles_active.avg", &plan), 0);
  assert_false(plan.check);
  assert_int_equal(plan.count, 2);
  assert_string_equal(plan.counters[1].key, "sm__cycles_active.avg");
  assert_string_equal(plan.counters[1].metrics, "sm__cycles_active.avg");
  assert_int_equal(gp_hardware_plan_of("off", &plan), -1);
  char many[2 * (GP_HARDWARE_MOST + 1) + 1] = "";
  for (int i = 0; i <= GP_HARDWARE_MOST; i++)
    strcat(many, i ? ",a" : "a");
  assert_int_equal(gp_hardware_plan_of(many, &plan), -1);
}

static void sums_lose_what_one_launch_lacks(void **state) {
  (void)state;
  struct gp_hardware_sum sum = {0}, one = {.launches = 1, .own_bytes = 8}, none = {0};
  one.value[0] = 5;
  one.value[1] = 7;
  gp_hardware_add(&sum, &one);
  one.value[1] = GP_UNKNOWN;
  gp_hardware_add(&sum, &one);
  one.value[1] = 7;
  gp_hardware_add(&sum, &one);
  none.value[0] = 100;
  gp_hardware_add(&sum, &none);
  assert_int_equal(sum.launches, 3);
  assert_int_equal(sum.own_bytes, 24);
  assert_true(sum.value[0] == 15);
  assert_true(sum.value[1] == GP_UNKNOWN);
}

/* Ten divisions in fp32 are ten FLOPs to gpuprof, and fifty FFMAs to the machine. */
static void divisions_are_expanded(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_add] = 100;
  totals.amount[GP_COST_fp32_fma] = 30;
  totals.amount[GP_COST_fp32_div] = 10;
  totals.amount[GP_COST_fp32_sqrt] = 2;
  totals.amount[GP_COST_expand_fp32_fma] = 50;
  totals.amount[GP_COST_expand_fp32_mul] = 4;
  assert_view(GP_HARDWARE_fp32_flops, 172, 264, 264);
  assert_view(GP_HARDWARE_fp32_add, 100, 100, 100);
  assert_view(GP_HARDWARE_fp32_mul, 0, 4, 4);
  assert_view(GP_HARDWARE_fp32_fma, 30, 80, 80);
  assert_view(GP_HARDWARE_fp64_flops, 0, 0, 0);
}

static void freedom_of_ptxas_is_a_range(void **state) {
  (void)state;
  totals.amount[GP_COST_fp64_mul] = 100;
  totals.amount[GP_COST_expand_fp64_less] = 7;
  totals.amount[GP_COST_expand_fp64_more] = 5;
  assert_view(GP_HARDWARE_fp64_flops, 100, 93, 105);
  assert_view(GP_HARDWARE_fp64_mul, 100, 100, 100);
}

/* The corpus' layer_norm_warp: products of 29 · 32 lanes, each stored by one lane of a warp. */
static void work_behind_branches_is_executed_there_at_least(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_add] = 55680 - 928;
  totals.amount[GP_COST_fp32_mul] = 928;
  totals.amount[GP_COST_expand_fp32_less] = 928;
  totals.amount[GP_COST_expand_fp32_behind] = 29;
  assert_view(GP_HARDWARE_fp32_flops, 55680, 54781, 55680);
}

static void folded_work_is_not_expected(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_mul] = 100;
  totals.amount[GP_COST_expand_fp32_folded] = 30;
  assert_view(GP_HARDWARE_fp32_flops, 100, 70, 70);
}

static void paired_halves_may_be_half_as_many(void **state) {
  (void)state;
  totals.amount[GP_COST_fp16_add] = 10;
  totals.amount[GP_COST_expand_half] = 10;
  totals.amount[GP_COST_expand_half_paired] = 8;
  assert_view(GP_HARDWARE_half_instructions, 10, 6, 10);
}

/* Doubles that lanes add to one place of shared memory: least attempts and shared bytes are taken off the same. */
static void expected_bytes_are_not_negative(void **state) {
  (void)state;
  totals.amount[GP_COST_shared_atomic] = 800;
  totals.amount[GP_COST_expand_fp64_loop] = 100;
  totals.amount[GP_COST_lanes_shared_atomic_same] = 800;
  struct gp_hardware_sum sum = {.launches = 1, .shares = {.least = {1 / 32.0}, .most = {1 / 32.0}}};
  struct gp_hardware_view view = gp_hardware_view(&totals, GP_HARDWARE_shared_atomic);
  gp_hardware_narrow(&view, &totals, GP_HARDWARE_shared_atomic, &sum);
  assert_true(view.least == 0);
  assert_true(view.most > 800);
}

static void halves_are_counted_by_instructions(void **state) {
  (void)state;
  totals.amount[GP_COST_fp16_add] = 8;
  totals.amount[GP_COST_bf16_fma] = 4;
  totals.amount[GP_COST_expand_half] = 6;
  assert_view(GP_HARDWARE_half_instructions, 12, 6, 6);
  assert_view(GP_HARDWARE_half_fma, GP_UNKNOWN, GP_UNKNOWN, GP_UNKNOWN); /* ptxas chooses */
}

static void constants_are_room_for_half_instructions(void **state) {
  (void)state;
  const struct gp_hardware_sum sum = {.launches = 1, .constants = 32};
  struct gp_hardware_view view = {400, 200, 200}, others = {400, 200, 200}, none = {0, 0, 0};
  gp_hardware_narrow(&none, &totals, GP_HARDWARE_half_instructions, &sum);
  gp_hardware_narrow(&view, &totals, GP_HARDWARE_half_instructions, &sum);
  gp_hardware_narrow(&others, &totals, GP_HARDWARE_fp32_flops, &sum);
  assert_true(view.counted == 400 && view.least == 200 && view.most == 232);
  assert_true(others.least == 200 && others.most == 200);
  assert_true(none.most == 0); /* without half arithmetic there is nothing to compare with */
}

static void fp8_may_run_as_fp16(void **state) {
  (void)state;
  totals.amount[GP_COST_tensor_fp8] = 1000;
  totals.amount[GP_COST_tensor_fp16] = 10;
  totals.amount[GP_COST_expand_fp8_as_fp16] = 600;
  assert_view(GP_HARDWARE_tensor_fp8, 1000, 400, 400);
  assert_view(GP_HARDWARE_tensor_fp16, 10, 610, 610);
}

static void predicated_bypassing_copies_show_no_lane_or_all(void **state) {
  (void)state;
  totals.amount[GP_COST_global_load] = 1000;
  totals.amount[GP_COST_shared_store] = 64;
  totals.amount[GP_COST_expand_bypass] = 64;
  assert_view(GP_HARDWARE_global_load, 1000, 1000 - 64, 1000 + 31 * 64);
  assert_view(GP_HARDWARE_shared_store, 64, 64, 64);
}

static void accumulates_in_global_memory_are_nothing_of_a_multiprocessors(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_accumulate] = 256;
  totals.amount[GP_COST_fp32_add] = 10;
  totals.amount[GP_COST_global_atomic] = 1024;
  assert_view(GP_HARDWARE_fp32_flops, 266, 10, 10);
  assert_view(GP_HARDWARE_fp32_add, 10, 10, 10);
  assert_view(GP_HARDWARE_global_atomic, 1024, 1024, 1024);
}

/* 256 threads add into 32 words: 256 FADD at least, and 512.5 times as many if blocks of 1,024 threads meet. */
static void accumulates_in_shared_memory_are_loops(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_accumulate] = totals.amount[GP_COST_expand_fp32_loop] = 256;
  totals.amount[GP_COST_shared_load] = 128;
  totals.amount[GP_COST_shared_atomic] = 1024;
  assert_view(GP_HARDWARE_fp32_flops, 256, 256, 256 * 512.5);
  assert_view(GP_HARDWARE_fp32_add, 0, 256, 256 * 512.5);
  assert_view(GP_HARDWARE_shared_load, 128, 1152, 128 + 1024 * 512.5);
  assert_view(GP_HARDWARE_shared_atomic, 1024, 1024, 1024 * 512.5);
}

static void loops_of_doubles_share_bytes_in_half_a_warp(void **state) {
  (void)state; /* 32 lanes on one address of an H200: 272 DADD, 128 bytes loaded and 128 swapped */
  totals.amount[GP_COST_fp64_accumulate] = totals.amount[GP_COST_expand_fp64_loop] = 32;
  totals.amount[GP_COST_shared_atomic] = 256;
  assert_view(GP_HARDWARE_fp64_flops, 32, 32, 32 * 512.5);
  assert_view(GP_HARDWARE_shared_load, 0, 128, 256 * 512.5);
  assert_view(GP_HARDWARE_shared_atomic, 256, 128, 256 * 512.5);
}

static void one_half_is_added_by_a_swap_of_its_word(void **state) {
  (void)state;
  totals.amount[GP_COST_fp16_accumulate] = totals.amount[GP_COST_expand_half_global_loop] = 32;
  totals.amount[GP_COST_global_atomic] = totals.amount[GP_COST_expand_half_global_swap] = 64;
  assert_view(GP_HARDWARE_half_instructions, 32, 32, 32 * 512.5);
  assert_view(GP_HARDWARE_global_load, 0, 4, 128);
  assert_view(GP_HARDWARE_global_atomic, 64, 4, 128 * 512.5);
}

/* 256 threads add to one word: 32,896 FADD, 4,960 bytes loaded and as many swapped, on an H200.
 * Into 32 words: 1,152 FADD, 4,608 bytes. The whole is added to the work of each warp alone. */
static void threads_of_a_block_that_meet_are_in_the_range(void **state) {
  (void)state;
  totals.amount[GP_COST_expand_fp32_loop] = 256;
  totals.amount[GP_COST_shared_atomic] = 1024;
  struct gp_hardware_view view = gp_hardware_view(&totals, GP_HARDWARE_fp32_add);
  gp_hardware_narrow_loops(&totals, 4960, GP_HARDWARE_fp32_add, &view);
  assert_true(view.least == 1240 && view.most == 256 * 16.5 + 32 * (1240 - 256));
  view = gp_hardware_view(&totals, GP_HARDWARE_fp32_add);
  gp_hardware_narrow_loops(&totals, 4608, GP_HARDWARE_fp32_add, &view);
  assert_true(view.least == 1152 && view.most == 256 * 16.5 + 32 * (1152 - 256));
}

static void doubles_that_meet_are_in_the_range(void **state) {
  (void)state; /* beside 256 floats 128 threads add to one double: 5,885 DADD and 9,296 bytes swapped on an H200 */
  totals.amount[GP_COST_expand_fp32_loop] = 256;
  totals.amount[GP_COST_expand_fp64_loop] = 128;
  totals.amount[GP_COST_shared_atomic] = 2048;
  struct gp_hardware_view view = gp_hardware_view(&totals, GP_HARDWARE_fp64_add);
  gp_hardware_narrow_loops(&totals, 9296, GP_HARDWARE_fp64_add, &view);
  assert_true(view.least == 128 && view.most == 128 * 16.5 + 32 * (9296 - 1536) / 8);
}

/* 16,384 additions at random into 64 words: 80,024 bytes swapped, and as many loaded, on an H200. */
static void swapped_bytes_tell_what_loops_load(void **state) {
  (void)state;
  totals.amount[GP_COST_fp32_accumulate] = totals.amount[GP_COST_expand_fp32_loop] = 16384;
  totals.amount[GP_COST_shared_load] = 256;
  totals.amount[GP_COST_shared_atomic] = 65536;
  struct gp_hardware_view view = gp_hardware_view(&totals, GP_HARDWARE_shared_load);
  gp_hardware_narrow_loops(&totals, 80024, GP_HARDWARE_shared_load, &view);
  assert_true(view.counted == 256 && view.least == 80280 && view.most == 80280);
  view = gp_hardware_view(&totals, GP_HARDWARE_fp32_flops);
  gp_hardware_narrow_loops(&totals, 80024, GP_HARDWARE_fp32_flops, &view);
  assert_true(view.least == 20006 && view.most == 16384 * 16.5 + 32 * (20006 - 16384));
  view = gp_hardware_view(&totals, GP_HARDWARE_shared_load);
  gp_hardware_narrow_loops(&totals, GP_UNKNOWN, GP_HARDWARE_shared_load, &view);
  assert_true(view.least == 256 + 65536 && view.most == 256 + 65536 * 512.5);
}

/* Beside the loops 64 lanes add integers; the hardware counts from one address a warp to all. */
static void swaps_of_integers_leave_a_range(void **state) {
  (void)state;
  totals.amount[GP_COST_expand_fp32_loop] = 256;
  totals.amount[GP_COST_shared_atomic] = 1024 + 256;
  struct gp_hardware_view view = gp_hardware_view(&totals, GP_HARDWARE_shared_load);
  gp_hardware_narrow_loops(&totals, 1280, GP_HARDWARE_shared_load, &view);
  assert_true(view.least == 1024 && view.most == 1280 - 256 / 32);
}

static void what_is_not_compared_has_no_view(void **state) {
  (void)state;
  totals.amount[GP_COST_local_load] = 64;
  assert_view(GP_HARDWARE_local_load, GP_UNKNOWN, GP_UNKNOWN, GP_UNKNOWN);
  assert_view(GP_HARDWARE_l2, GP_UNKNOWN, GP_UNKNOWN, GP_UNKNOWN);
}

static void differences_are_of_the_nearer_bound(void **state) {
  (void)state;
  assert_true(gp_hardware_difference(110, 100, 100) == 10);
  assert_true(gp_hardware_difference(90, 100, 200) == -10);
  assert_true(gp_hardware_difference(150, 100, 200) == 0);
  assert_true(gp_hardware_difference(300, 100, 200) == 50);
  assert_true(gp_hardware_difference(0, 0, 0) == 0);
  assert_true(gp_hardware_difference(1, 0, 0) == GP_NO_DIFFERENCE);
  assert_true(gp_hardware_difference(GP_UNKNOWN, 1, 1) == GP_NO_DIFFERENCE);
  assert_true(gp_hardware_difference(1, GP_UNKNOWN, GP_UNKNOWN) == GP_NO_DIFFERENCE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, clear)
  const struct CMUnitTest tests[] = {
      TEST(check_is_the_table),
      TEST(metrics_are_taken_by_name),
      TEST(sums_lose_what_one_launch_lacks),
      TEST(divisions_are_expanded),
      TEST(work_behind_branches_is_executed_there_at_least),
      TEST(folded_work_is_not_expected),
      TEST(freedom_of_ptxas_is_a_range),
      TEST(paired_halves_may_be_half_as_many),
      TEST(expected_bytes_are_not_negative),
      TEST(halves_are_counted_by_instructions),
      TEST(constants_are_room_for_half_instructions),
      TEST(fp8_may_run_as_fp16),
      TEST(predicated_bypassing_copies_show_no_lane_or_all),
      TEST(accumulates_in_global_memory_are_nothing_of_a_multiprocessors),
      TEST(accumulates_in_shared_memory_are_loops),
      TEST(loops_of_doubles_share_bytes_in_half_a_warp),
      TEST(one_half_is_added_by_a_swap_of_its_word),
      TEST(threads_of_a_block_that_meet_are_in_the_range),
      TEST(doubles_that_meet_are_in_the_range),
      TEST(swapped_bytes_tell_what_loops_load),
      TEST(swaps_of_integers_leave_a_range),
      TEST(what_is_not_compared_has_no_view),
      TEST(differences_are_of_the_nearer_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
