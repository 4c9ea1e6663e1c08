// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/distribution.h"

#include <math.h>

static uint64_t quantile(const struct gp_distribution *d, double q) {
  uint64_t value;
  gp_distributions_quantiles(&d, 1, &q, &value, 1);
  return value;
}

static void few_values_are_exact(void **state) {
  (void)state;
  struct gp_distribution d = {0};
  assert_int_equal(quantile(&d, 0.5), 0);
  for (uint64_t i = 100; i >= 1; i--) /* 1…100, backwards */
    gp_distribution_add(&d, i);
  assert_int_equal(d.count, 100);
  assert_int_equal(d.total, 5050);
  assert_int_equal(d.minimum, 1);
  assert_int_equal(d.maximum, 100);
  assert_int_equal(quantile(&d, 0.5), 50);
  assert_int_equal(quantile(&d, 0.95), 95);
  assert_int_equal(quantile(&d, 0), 1);
  assert_int_equal(quantile(&d, 1), 100);
  gp_distribution_free(&d);
}

/* A search goes on at the end of the one before: each result is as if alone, also with equal values. */
static void several_quantiles_are_each_as_alone(void **state) {
  (void)state;
  static const double wanted[] = {0, 0.1, 0.1, 0.37, 0.5, 0.5, 0.94, 0.95, 1};
  enum { COUNT = sizeof wanted / sizeof *wanted };
  for (unsigned kinds = 1; kinds < 200; kinds = 3 * kinds + 1) {
    struct gp_distribution d = {0};
    uint64_t values[COUNT], random = kinds;
    for (int i = 0; i < 1000; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      gp_distribution_add(&d, (random >> 33) % kinds);
    }
    const struct gp_distribution *list = &d;
    gp_distributions_quantiles(&list, 1, wanted, values, COUNT);
    for (size_t i = 0; i < COUNT; i++)
      assert_int_equal(values[i], quantile(&d, wanted[i]));
    gp_distribution_free(&d);
  }
}

static void one_value_is_every_quantile(void **state) {
  (void)state;
  struct gp_distribution d = {0};
  gp_distribution_add(&d, 42);
  assert_int_equal(quantile(&d, 0.5), 42);
  assert_int_equal(quantile(&d, 0.95), 42);
  gp_distribution_free(&d);
}

static void memory_is_bounded_and_the_sample_fair(void **state) {
  (void)state;
  struct gp_distribution d = {0};
  const uint64_t n = 1000000;
  for (uint64_t i = 0; i < n; i++)
    gp_distribution_add(&d, i);
  assert_int_equal(d.kept, GP_SAMPLES);
  assert_int_equal(d.count, n);
  assert_int_equal(d.maximum, n - 1);
  /* The error of a quantile from 4096 samples is 0.8 % of the range (one sigma): allow four. */
  assert_true(fabs((double)quantile(&d, 0.5) / (double)n - 0.5) < 0.032);
  assert_true(fabs((double)quantile(&d, 0.95) / (double)n - 0.95) < 0.014);
  gp_distribution_free(&d);
}

static void merged_samples_keep_their_weight(void **state) {
  (void)state;
  struct gp_distribution few = {0}, many = {0};
  for (int i = 0; i < 10; i++)
    gp_distribution_add(&few, 1);
  for (int i = 0; i < 100 * (int)GP_SAMPLES; i++)
    gp_distribution_add(&many, 2);
  for (int i = 0; i < (int)GP_SAMPLES; i++)
    gp_distribution_add(&few, 1);
  const struct gp_distribution *both[] = {&few, &many};
  uint64_t values[2];
  gp_distributions_quantiles(both, 2, (const double[]){0.005, 0.5}, values, 2);
  assert_int_equal(values[0], 1);
  assert_int_equal(values[1], 2); /* by samples alone, half would be 1 */
  gp_distribution_free(&few);
  gp_distribution_free(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_values_are_exact),
      cmocka_unit_test(several_quantiles_are_each_as_alone),
      cmocka_unit_test(one_value_is_every_quantile),
      cmocka_unit_test(memory_is_bounded_and_the_sample_fair),
      cmocka_unit_test(merged_samples_keep_their_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
