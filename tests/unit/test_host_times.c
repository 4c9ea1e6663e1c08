// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Host times of region paths: what counts for which path, and what a reader sees at any moment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/state.h"
#include "core/host_times.h"
#include "core/host_waits.h"
#include "core/regions.h"
#include "gpuprof.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <string.h>

#define MS 1000000u

static void spin(uint64_t ns) {
  for (const uint64_t start = gp_now(); gp_now() - start < ns;)
    ;
}

static const struct gp_row *child(const struct gp_row *parent, const char *name) {
  for (const struct gp_row *row = parent->children; row; row = row->next)
    if (!strcmp(row->name, name))
      return row;
  return NULL;
}

static struct gp_aggregate *aggregate;

static const struct gp_host_row *host_of(const char *name, const char *within) {
  if (!aggregate)
    aggregate = gp_aggregate_make();
  assert_non_null(aggregate);
  const struct gp_row *row = child(&aggregate->regions, name);
  assert_non_null(row);
  if (within)
    row = child(row, within);
  assert_non_null(row);
  return &row->host;
}

static int end(void **state) {
  (void)state;
  if (aggregate)
    gp_aggregate_free(aggregate);
  aggregate = NULL;
  return 0;
}

/* Bounds of an interval from outside and from inside, by another clock. */
struct bounds {
  uint64_t outer_start, inner_start, inner_end, outer_end;
};

/* The clocks may differ by this part. */
static void assert_within(uint64_t ns, const struct bounds *b) {
  const uint64_t least = b->inner_end - b->inner_start, most = b->outer_end - b->outer_start;
  assert_in_range(ns, least - least / 100 - 1000, most + most / 100 + 1000);
}

static void ticks_last_as_long_as_the_clock_says(void **state) {
  (void)state;
  struct bounds b;
  (void)gp_state();
  b.outer_start = gp_now();
  const uint64_t start = gp_ticks();
  b.inner_start = gp_now();
  spin(5 * MS);
  b.inner_end = gp_now();
  const uint64_t last = gp_ticks();
  b.outer_end = gp_now();
  assert_within((uint64_t)((double)(last - start) * gp_ticks_ns()), &b);
}

static void a_region_has_the_time_between_entry_and_exit(void **state) {
  (void)state;
  struct bounds b;
  b.outer_start = gp_now();
  const uint32_t token = gpuprof_region_begin("once");
  b.inner_start = gp_now();
  spin(2 * MS);
  b.inner_end = gp_now();
  gpuprof_region_end(token);
  b.outer_end = gp_now();
  assert_within(host_of("once", NULL)->inclusive, &b);
  assert_int_equal(host_of("once", NULL)->exclusive, host_of("once", NULL)->inclusive);
}

static void time_within_is_inclusive_only(void **state) {
  (void)state;
  const uint32_t outer = gpuprof_region_begin("outer"), inner = gpuprof_region_begin("inner");
  spin(2 * MS);
  gpuprof_region_end(inner);
  gpuprof_region_end(outer);
  const struct gp_host_row *around = host_of("outer", NULL), *within = host_of("outer", "inner");
  assert_true(within->inclusive >= MS);
  assert_int_equal(around->inclusive, around->exclusive + within->inclusive);
}

static void recursion_counts_once_for_the_outermost(void **state) {
  (void)state;
  const uint64_t start = gp_now();
  const uint32_t outer = gpuprof_region_begin("itself"), inner = gpuprof_region_begin("itself");
  spin(2 * MS);
  gpuprof_region_end(inner);
  gpuprof_region_end(outer);
  const uint64_t whole = gp_now() - start;
  assert_true(host_of("itself", NULL)->inclusive <= whole + whole / 100);
  assert_true(host_of("itself", "itself")->inclusive <= host_of("itself", NULL)->inclusive);
}

static void an_open_region_counts_up_to_the_document(void **state) {
  (void)state;
  const uint32_t token = gpuprof_region_begin("open");
  spin(2 * MS);
  assert_true(host_of("open", NULL)->inclusive >= MS);
  assert_null(host_of("open", NULL)->parts);
  gpuprof_region_end(token);
}

static void disabled_time_is_left_out(void **state) {
  (void)state;
  const uint64_t start = gp_now();
  const uint32_t token = gpuprof_region_begin("paused");
  gpuprof_disable();
  const uint64_t paused = gp_now();
  spin(20 * MS);
  const uint64_t paused_ns = gp_now() - paused;
  gpuprof_enable();
  gpuprof_region_end(token);
  const uint64_t whole = gp_now() - start;
  assert_true(host_of("paused", NULL)->inclusive <= whole - paused_ns + paused_ns / 100);
}

static void a_region_left_by_a_jump_ends_with_the_one_around_it(void **state) {
  (void)state;
  static jmp_buf out;
  const uint32_t outer = gpuprof_region_begin("around the jump");
  if (!setjmp(out)) {
    gpuprof_region_begin("left");
    longjmp(out, 1);
  }
  gpuprof_region_end(outer);
  const struct gp_host_row *left = host_of("around the jump", "left");
  assert_non_null(left->parts);
  assert_int_equal(left->parts->times.count, 1);
  spin(MS);
  const uint64_t before = left->inclusive;
  end(NULL);
  assert_int_equal(host_of("around the jump", "left")->inclusive, before);
}

static void *work(void *name) {
  const uint32_t token = gpuprof_region_begin(name);
  spin(MS);
  gpuprof_region_end(token);
  return NULL;
}

static void threads_add_up(void **state) {
  (void)state;
  static char name[] = "threads";
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, name);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  assert_true(host_of("threads", NULL)->inclusive >= 4 * (MS - MS / 100));
}

static void an_ended_thread_leaves_its_times_to_the_next(void **state) {
  (void)state;
  static char name[] = "one by one";
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, name);
    pthread_join(thread, NULL);
  }
  const struct gp_host_part *parts = host_of("one by one", NULL)->parts;
  assert_non_null(parts);
  assert_null(parts->next);
  assert_int_equal(parts->times.count, 50);
}

static void waiting_counts_for_the_region_and_those_around_it(void **state) {
  (void)state;
  const uint32_t outer = gpuprof_region_begin("waits"), inner = gpuprof_region_begin("inner");
  gp_host_waited(30);
  gpuprof_region_end(inner);
  gp_host_waited(4);
  gpuprof_region_end(outer);
  assert_int_equal(host_of("waits", "inner")->waiting, 30);
  assert_int_equal(host_of("waits", NULL)->waiting, 34);
}

static void many_executions_keep_a_sample(void **state) {
  (void)state;
  enum { MANY = 100000 };
  for (int i = 0; i < MANY; i++)
    gpuprof_region_end(gpuprof_region_begin("many"));
  const struct gp_distribution *d = &host_of("many", NULL)->parts->times;
  assert_int_equal(d->count, MANY);
  assert_in_range(d->kept, GP_HOST_SAMPLES / 2, GP_HOST_SAMPLES);
  for (uint32_t i = 0; i < d->kept; i++)
    assert_in_range(d->samples[i], d->minimum, d->maximum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(ticks_last_as_long_as_the_clock_says, end),
      cmocka_unit_test_teardown(a_region_has_the_time_between_entry_and_exit, end),
      cmocka_unit_test_teardown(time_within_is_inclusive_only, end),
      cmocka_unit_test_teardown(recursion_counts_once_for_the_outermost, end),
      cmocka_unit_test_teardown(an_open_region_counts_up_to_the_document, end),
      cmocka_unit_test_teardown(disabled_time_is_left_out, end),
      cmocka_unit_test_teardown(a_region_left_by_a_jump_ends_with_the_one_around_it, end),
      cmocka_unit_test_teardown(threads_add_up, end),
      cmocka_unit_test_teardown(an_ended_thread_leaves_its_times_to_the_next, end),
      cmocka_unit_test_teardown(waiting_counts_for_the_region_and_those_around_it, end),
      cmocka_unit_test_teardown(many_executions_keep_a_sample, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
