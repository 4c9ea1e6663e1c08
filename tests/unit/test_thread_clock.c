// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Times of calls from the processor's counter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/state.h"
#include "base/ticks.h"
#include "launch/thread_clock.h"

#define LONG (UINT64_MAX / 2)

static void ticks_are_counted_from_the_last_reading(void **state) {
  (void)state;
  struct gp_thread_clock clock = {.ticks = 1000, .ns = 5000, .span = LONG, .tick_ns = 0.5};
  const struct gp_call_times times = gp_thread_clock_times(&clock, 1010, 1030);
  assert_int_equal(times.start, 5005);
  assert_int_equal(times.end, 5015);
}

/* The clocks were read between begin and end of the call. */
static void a_call_may_begin_before_the_reading(void **state) {
  (void)state;
  struct gp_thread_clock clock = {.ticks = 1000, .ns = 5000, .span = LONG, .tick_ns = 0.5};
  const struct gp_call_times times = gp_thread_clock_times(&clock, 900, 1100);
  assert_int_equal(times.start, 4950);
  assert_int_equal(times.end, 5050);
}

static void times_never_go_back(void **state) {
  (void)state;
  struct gp_thread_clock clock = {.ticks = 1000, .ns = 5000, .span = LONG, .tick_ns = 0.5, .latest = 5020};
  const struct gp_call_times times = gp_thread_clock_times(&clock, 1010, 1030);
  assert_int_equal(times.start, 5020);
  assert_int_equal(times.end, 5020);
  assert_int_equal(gp_thread_clock_times(&clock, 1050, 1060).end, 5030);
}

static void an_old_reading_is_replaced(void **state) {
  (void)state;
  struct gp_thread_clock clock = {.ticks = 0, .ns = 1, .span = 1, .tick_ns = 1};
  const uint64_t before = gp_now(), start = gp_ticks(), end = gp_ticks();
  const struct gp_call_times times = gp_thread_clock_times(&clock, start, end);
  assert_true(times.start <= times.end);
  assert_in_range(times.end, before - 1000000, gp_now() + 1000000); /* not the time of the old one */
}


int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_are_counted_from_the_last_reading),
      cmocka_unit_test(a_call_may_begin_before_the_reading),
      cmocka_unit_test(times_never_go_back),
      cmocka_unit_test(an_old_reading_is_replaced),
  };
  gp_state();
  return gp_ticks_of_processor ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
