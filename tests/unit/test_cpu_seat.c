// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Seats of workers: each launch's is taken or closed once, and never by a worker of an earlier launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/seat.h"

static void an_open_seat_is_taken_once(void **state) {
  (void)state;
  struct gp_seat seat = {0};
  assert_true(gp_seat_is_open(&seat, 1));
  assert_true(gp_seat_use(&seat, 1, GP_SEAT_TAKEN));
  assert_false(gp_seat_is_open(&seat, 1));
  assert_false(gp_seat_use(&seat, 1, GP_SEAT_CLOSED));
  assert_int_equal(seat.word, gp_seat_word(1, GP_SEAT_TAKEN));
}

static void a_closed_seat_opens_with_the_next_launch(void **state) {
  (void)state;
  struct gp_seat seat = {0};
  assert_true(gp_seat_use(&seat, 1, GP_SEAT_CLOSED));
  assert_false(gp_seat_use(&seat, 1, GP_SEAT_TAKEN));
  assert_true(gp_seat_use(&seat, 2, GP_SEAT_TAKEN));
}

/* Else two launches' blocks run in one seat, and neither launch waits for its own. */
static void a_late_worker_takes_no_seat_of_a_launch_that_is_over(void **state) {
  (void)state;
  static const enum gp_seat_use uses[] = {GP_SEAT_TAKEN, GP_SEAT_LEFT, GP_SEAT_CLOSED};
  for (int i = 0; i < 3; i++) {
    struct gp_seat seat = {.word = gp_seat_word(8, uses[i])};
    assert_false(gp_seat_is_open(&seat, 7));
    assert_false(gp_seat_use(&seat, 7, GP_SEAT_TAKEN));
    assert_int_equal(seat.word, gp_seat_word(8, uses[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_open_seat_is_taken_once),
      cmocka_unit_test(a_closed_seat_opens_with_the_next_launch),
      cmocka_unit_test(a_late_worker_takes_no_seat_of_a_launch_that_is_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
