// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Levels of memory: peak and average over time; curves of bounded size that keep every peak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory/usage_levels.h"

static void an_average_is_weighted_by_time(void **state) {
  (void)state;
  struct gp_usage_level level = {0};
  gp_usage_level_add(&level, 1000, 100);
  gp_usage_level_add(&level, 3000, 200);
  gp_usage_level_subtract(&level, 4000, 250);
  /* 100 × 0 + 100 × 1000 + 50 × 4000 + 150 × 0, over 400 */
  assert_int_equal(gp_usage_level_average(&level, 400), 750);
  assert_int_equal(level.peak_bytes, 4000);
  assert_int_equal(level.peak_ns, 200);
  assert_int_equal(level.bytes, 0);
}

static void a_peak_is_the_first_of_its_height(void **state) {
  (void)state;
  struct gp_usage_level level = {0};
  assert_true(gp_usage_level_add(&level, 10, 1));
  gp_usage_level_subtract(&level, 10, 2);
  assert_false(gp_usage_level_add(&level, 10, 3));
  assert_int_equal(level.peak_ns, 1);
}

static void a_clock_that_goes_back_changes_no_average(void **state) {
  (void)state;
  struct gp_usage_level level = {0};
  gp_usage_level_add(&level, 100, 1000);
  gp_usage_level_add(&level, 100, 900);
  assert_int_equal(gp_usage_level_average(&level, 2000), 100);
}

static uint64_t highest(const struct gp_usage_curve *curve) {
  uint64_t most = 0;
  for (size_t i = 0; i < curve->count; i++)
    most = curve->points[i].most > most ? curve->points[i].most : most;
  return most;
}

static void a_curve_keeps_peaks_of_an_instant(void **state) {
  (void)state;
  struct gp_usage_curve curve = {0};
  for (uint64_t i = 0; i < 1000; i++) {
    gp_usage_curve_add(&curve, i == 333 ? 5000 : 10, i * 1000000);
    gp_usage_curve_add(&curve, 20, i * 1000000 + 1);
  }
  assert_true(curve.count <= GP_USAGE_POINTS && curve.count > GP_USAGE_POINTS / 4);
  assert_int_equal(highest(&curve), 5000);
  assert_int_equal(curve.points[curve.count - 1].last, 20);
  assert_int_equal(curve.points[333000000 / curve.width_ns].most, 5000);
}

static void a_curve_holds_its_level_between_changes(void **state) {
  (void)state;
  struct gp_usage_curve curve = {0};
  gp_usage_curve_add(&curve, 70, 0);
  gp_usage_curve_add(&curve, 0, 10 * curve.width_ns);
  assert_int_equal(curve.count, 11);
  assert_int_equal(curve.points[5].most, 70);
  assert_int_equal(curve.points[5].last, 70);
  assert_int_equal(curve.points[10].most, 70);
  assert_int_equal(curve.points[10].last, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_average_is_weighted_by_time),
      cmocka_unit_test(a_peak_is_the_first_of_its_height),
      cmocka_unit_test(a_clock_that_goes_back_changes_no_average),
      cmocka_unit_test(a_curve_keeps_peaks_of_an_instant),
      cmocka_unit_test(a_curve_holds_its_level_between_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
