// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The union of intervals: against a bitmap of the same intervals in any order, and its bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timeline/busy.h"

static void overlapping_work_is_busy_once(void **state) {
  (void)state;
  struct gp_busy busy = {0};
  gp_busy_add(&busy, 100, 200, 1);
  gp_busy_add(&busy, 150, 250, 1);
  gp_busy_add(&busy, 240, 300, 2);
  const struct gp_busy_sums sums = gp_busy_sums(&busy);
  assert_int_equal(sums.busy_ns, 200);
  assert_int_equal(sums.several_ns, 10);
  assert_int_equal(sums.first, 100);
  assert_int_equal(sums.last, 300);
  assert_int_equal(sums.gaps.count, 0);
  gp_busy_free(&busy);
}

static void gaps_are_sorted_by_length(void **state) {
  (void)state;
  struct gp_busy busy = {0};
  gp_busy_add(&busy, 0, 10, 1);
  gp_busy_add(&busy, 15, 20, 1);
  gp_busy_add(&busy, 50, 60, 1);
  gp_busy_add(&busy, 30, 35, 1); /* late: it divides the longest gap */
  const struct gp_busy_sums sums = gp_busy_sums(&busy);
  assert_int_equal(sums.gaps.count, 3);
  assert_int_equal(sums.gaps.total, 5 + 10 + 15);
  assert_int_equal(sums.gaps.longest[0].start, 35);
  assert_int_equal(sums.gaps.longest[0].length, 15);
  assert_int_equal(sums.gaps.longest[2].length, 5);
  gp_busy_free(&busy);
}

#define MOMENTS 400u
struct moments {
  unsigned char streams[MOMENTS]; /* bit s: stream s */
};

static void check(const struct gp_busy *busy, const struct moments *m) {
  uint64_t busy_ns = 0, several_ns = 0, first = MOMENTS, last = 0, gaps = 0;
  for (unsigned t = 0; t < MOMENTS; t++) {
    const unsigned char here = m->streams[t];
    busy_ns += here != 0;
    several_ns += (here & (here - 1)) != 0;
    first = here && first == MOMENTS ? t : first;
    last = here ? t + 1 : last;
  }
  for (uint64_t t = first; t + 1 < last; t++)
    gaps += m->streams[t] && !m->streams[t + 1];
  const struct gp_busy_sums sums = gp_busy_sums(busy);
  assert_int_equal(sums.busy_ns, busy_ns);
  assert_int_equal(sums.several_ns, several_ns);
  assert_int_equal(sums.last - sums.first, last - first);
  assert_int_equal(sums.gaps.total, last - first - busy_ns);
  assert_int_equal(sums.gaps.count, gaps);
  assert_int_equal(sums.late_ns, 0);
}

static void any_order_gives_the_union(void **state) {
  (void)state;
  srand(1);
  for (int round = 0; round < 500; round++) {
    struct gp_busy busy = {0};
    struct moments m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 40; i++) {
      const unsigned start = (unsigned)rand() % (MOMENTS - 20), length = 1 + (unsigned)rand() % 19, stream = (unsigned)rand() % 3;
      gp_busy_add(&busy, start, start + length, stream);
      for (unsigned t = start; t < start + length; t++)
        m.streams[t] |= (unsigned char)(1u << stream);
    }
    check(&busy, &m);
    gp_busy_free(&busy);
  }
}

static void memory_is_bounded(void **state) {
  (void)state;
  struct gp_busy busy = {.most = 64};
  for (uint64_t i = 0; i < 10000; i++)
    gp_busy_add(&busy, 10 * i, 10 * i + 4, 1);
  assert_true(busy.capacity <= 64);
  struct gp_busy_sums sums = gp_busy_sums(&busy);
  assert_int_equal(sums.busy_ns, 40000);
  assert_int_equal(sums.gaps.count, 9999);
  assert_int_equal(sums.gaps.total, 9999 * 6);
  assert_int_equal(sums.late_ns, 0);
  gp_busy_add(&busy, 5, 8, 1); /* into a closed gap */
  sums = gp_busy_sums(&busy);
  assert_int_equal(sums.busy_ns, 40000);
  assert_int_equal(sums.late_ns, 3);
  gp_busy_free(&busy);
}

static void work_without_a_length_is_not_busy(void **state) {
  (void)state;
  struct gp_busy busy = {0};
  gp_busy_add(&busy, 7, 7, 1);
  const struct gp_busy_sums sums = gp_busy_sums(&busy);
  assert_int_equal(sums.intervals, 1);
  assert_int_equal(sums.busy_ns, 0);
  gp_busy_free(&busy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlapping_work_is_busy_once), cmocka_unit_test(gaps_are_sorted_by_length),
      cmocka_unit_test(any_order_gives_the_union),     cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(work_without_a_length_is_not_busy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
