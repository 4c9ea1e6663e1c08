// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Work that overlaps in one stream gets rows of its own in the trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timeline/trace_lanes.h"

static int begin(void **state) {
  (void)state;
  gp_trace_lanes_reset();
  return 0;
}

/* The row of this work. */
static uint32_t row(int device, uint32_t stream, uint64_t start, uint64_t end) {
  const struct gp_trace_event event = {
      .kind = GP_TRACE_COPY, .source = GP_TRACE_BY_CPU, .place = gp_trace_lane(device, stream, start, end)};
  assert_int_equal(gp_trace_stream_of(&event), stream);
  return gp_trace_lane_of(&event);
}

static void work_one_after_the_other_has_one_row(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 100; i++)
    assert_int_equal(row(0, 7, 10 * i, 10 * i + 10), 0);
}

static void work_that_overlaps_has_rows_of_its_own(void **state) {
  (void)state;
  assert_int_equal(row(0, 7, 0, 10), 0);
  assert_int_equal(row(0, 7, 5, 12), 1);
  assert_int_equal(row(0, 7, 9, 13), 2);
  assert_int_equal(row(0, 7, 10, 14), 0);
  assert_int_equal(row(0, 7, 3, 6), 3); /* told late */
  assert_int_equal(row(0, 8, 5, 12), 0);
  assert_int_equal(row(1, 7, 5, 12), 0);
}

static void work_beyond_the_rows_shares_the_last_one(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 40; i++)
    assert_int_equal(row(0, 7, 0, 100 + i), i < 15 ? i : 15);
}

/* A stream of a GPU does one thing after the other; its number may be any. */
static void streams_of_gpus_have_no_rows(void **state) {
  (void)state;
  const struct gp_trace_event event = {.kind = GP_TRACE_KERNEL, .source = GP_TRACE_BY_CUPTI, .place = UINT32_MAX};
  assert_false(gp_trace_has_lanes(&event));
  assert_int_equal(gp_trace_stream_of(&event), UINT32_MAX);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(work_one_after_the_other_has_one_row),
      TEST(work_that_overlaps_has_rows_of_its_own),
      TEST(work_beyond_the_rows_shares_the_last_one),
      TEST(streams_of_gpus_have_no_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
