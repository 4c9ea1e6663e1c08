// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Slow paths of divisions and roots: bounded by the additions and products that the hardware counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/hardware_check.h"
#include "report/roofline.h"

static struct gp_totals totals;

static int clear(void **state) {
  (void)state;
  totals = (struct gp_totals){0};
  return 0;
}

static struct gp_hardware_view narrowed(enum gp_hardware counter, double added, double multiplied) {
  struct gp_hardware_view view = gp_hardware_view(&totals, counter);
  gp_hardware_narrow_slow(&totals, counter, added, multiplied, &view);
  return view;
}

static void divide_singles(uint64_t quotients) {
  totals.amount[GP_COST_fp32_div] = quotients;
  totals.amount[GP_COST_expand_fp32_fma] = 5 * quotients;
  totals.amount[GP_COST_expand_fp32_slow_more] = 25 * quotients;
}

static void quotients_without_an_addition_took_no_slow_path(void **state) {
  (void)state;
  divide_singles(100);
  const struct gp_hardware_view view = narrowed(GP_HARDWARE_fp32_flops, 0, 0);
  assert_true(view.counted == 100 && view.least == 1000 && view.most == 1000);
}

static void each_addition_may_be_a_slow_path(void **state) {
  (void)state;
  divide_singles(100);
  totals.amount[GP_COST_fp32_add] = 7;
  assert_true(narrowed(GP_HARDWARE_fp32_flops, 7 + 3, 0).most == 7 + 1000 + 3 * 25);
  assert_true(narrowed(GP_HARDWARE_fp32_flops, 7 + 1000, 0).most == 7 + 1000 + 100 * 25);
}

/* The corpus' coulomb on an H100: 8,010 quotients and as many signs; 1,602 quotients are 0 / x with 17 FLOPs more. */
static void zeros_divided_are_in_the_range(void **state) {
  (void)state;
  totals.amount[GP_COST_fp64_add] = 16020 - 8010;
  totals.amount[GP_COST_fp64_fma] = 4005;
  totals.amount[GP_COST_fp64_div] = 8010;
  totals.amount[GP_COST_expand_fp64_mul] = 8010;
  totals.amount[GP_COST_expand_fp64_fma] = 7 * 8010;
  totals.amount[GP_COST_expand_fp64_more] = 8010;
  totals.amount[GP_COST_expand_fp64_slow_more] = 24 * 8010;
  const struct gp_hardware_view view = narrowed(GP_HARDWARE_fp64_flops, 16020, 8010 + 1602);
  const double ordinary = 8010 + 2 * 4005 + 15 * 8010;
  assert_true(view.least == ordinary);
  assert_true(ordinary + 8010 + 1602 * 17 <= view.most);
  assert_true(view.most == ordinary + 8010 + 1602 * 24 + 8010);
}

static void reciprocals_of_zero_have_no_flops(void **state) {
  (void)state;
  totals.amount[GP_COST_expand_fp32_add] = 100;
  totals.amount[GP_COST_expand_fp32_fma] = 200;
  totals.amount[GP_COST_expand_fp32_slow_less] = 500;
  assert_true(narrowed(GP_HARDWARE_fp32_flops, 100, 0).least == 500);
  assert_true(narrowed(GP_HARDWARE_fp32_flops, 90, 0).least == 450);
  assert_true(narrowed(GP_HARDWARE_fp32_flops, 0, 0).least == 0);
}

static void unknown_instructions_narrow_nothing(void **state) {
  (void)state;
  divide_singles(100);
  assert_true(narrowed(GP_HARDWARE_fp32_flops, GP_UNKNOWN, 0).most == 3500);
  assert_true(narrowed(GP_HARDWARE_fp32_add, 0, 0).most == 2500);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, clear)
  const struct CMUnitTest tests[] = {
      TEST(quotients_without_an_addition_took_no_slow_path), TEST(each_addition_may_be_a_slow_path),
      TEST(zeros_divided_are_in_the_range),                  TEST(reciprocals_of_zero_have_no_flops),
      TEST(unknown_instructions_narrow_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
