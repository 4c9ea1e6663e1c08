// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers as a person reads them: three significant digits, at the places where the prefix or the digits
 * change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/numbers.h"

static struct text text;

static const char *si(double value, const char *unit) {
  text_free(&text);
  number_si(&text, value, unit);
  return text_get(&text);
}

static const char *shown(void (*number)(struct text *, double), double value) {
  text_free(&text);
  number(&text, value);
  return text_get(&text);
}

static const char *count(uint64_t value) {
  text_free(&text);
  number_count(&text, value);
  return text_get(&text);
}

static void prefixes_begin_where_three_digits_round_up(void **state) {
  (void)state;
  assert_string_equal(si(999, ""), "999");
  assert_string_equal(si(999.6, ""), "1.00 k");
  assert_string_equal(si(999400, "B"), "999 kB");
  assert_string_equal(si(999600, "B"), "1.00 MB");
  assert_string_equal(si(-2.5e9, "FLOP/s"), "-2.50 GFLOP/s");
  assert_string_equal(si(0, "B"), "0 B");
  assert_string_equal(si(1e30, ""), "1.00e+12 E");
}

static void three_digits_are_shown(void **state) {
  (void)state;
  assert_string_equal(si(9.994e3, ""), "9.99 k");
  assert_string_equal(si(9.996e3, ""), "10.0 k");
  assert_string_equal(si(99.96e3, ""), "100 k");
}

static void times_have_their_unit(void **state) {
  (void)state;
  assert_string_equal(shown(number_time, 999), "999 ns");
  assert_string_equal(shown(number_time, 999.6), "1.00 us");
  assert_string_equal(shown(number_time, 1.24e6), "1.24 ms");
  assert_string_equal(shown(number_time, 12.3e9), "12.3 s");
}

static void plain_numbers_have_no_prefix_up_to_a_hundred_thousand(void **state) {
  (void)state;
  assert_string_equal(shown(number_plain, 0), "0");
  assert_string_equal(shown(number_plain, 0.53149), "0.531");
  assert_string_equal(shown(number_plain, 0.00123), "0.0012");
  assert_string_equal(shown(number_plain, 4820.4), "4820");
  assert_string_equal(shown(number_plain, 2e5), "200 k");
}

static void percents_lose_their_decimal_at_ten(void **state) {
  (void)state;
  assert_string_equal(shown(number_percent, 9.94), "9.9 %");
  assert_string_equal(shown(number_percent, 9.96), "10 %");
  assert_string_equal(shown(number_percent, 2e6), "2.00e+06 %");
}

static void counts_are_exact_up_to_a_million(void **state) {
  (void)state;
  assert_string_equal(count(0), "0");
  assert_string_equal(count(999999), "999999");
  assert_string_equal(count(1048576), "1.05 M");
}

static int forget(void **state) {
  (void)state;
  text_free(&text);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prefixes_begin_where_three_digits_round_up),
      cmocka_unit_test(three_digits_are_shown),
      cmocka_unit_test(times_have_their_unit),
      cmocka_unit_test(plain_numbers_have_no_prefix_up_to_a_hundred_thousand),
      cmocka_unit_test(percents_lose_their_decimal_at_ten),
      cmocka_unit_test(counts_are_exact_up_to_a_million),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
