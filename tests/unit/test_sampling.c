// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* GPUPROF_SAMPLE: which launches are counted, and what the counted ones stand for; on the fake device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "core/kernels.h"
#include "core/uncounted.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"

#include <stdlib.h>
#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "twin\t0\t1\n"
                            "kernel\t1\tfree\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t1\tfree\t1\n"
                            "kernel\t2\tlight\tgroups=2\n"
                            "cost\t2\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t2\tlight\t1\n"
                            "end\n";
static const char *const names[] = {"twinned", "free", "light", NULL};
enum { TWINNED, FREE, LIGHT };
static struct fake_unit unit;
static struct gp_aggregate *result;
static uint32_t root;
static const char *root_name;

static void begin(const char *name) {
  fake = (struct fake_state){
      .next_unique_bytes = UINT64_MAX, .clone_unit = unit.counters, .clone_parameters = 1, .time_source = GP_TIME_CUPTI};
  gp_log_reset();
  gp_uncounted_reset();
  root_name = name;
  root = gpuprof_region_begin(name);
}

static const struct gp_row *end(void) {
  gpuprof_region_end(root);
  if (result)
    gp_aggregate_free(result);
  result = gp_aggregate_make();
  assert_non_null(result);
  for (const struct gp_row *row = result->regions.children; row; row = row->next)
    if (!strcmp(row->name, root_name))
      return row;
  fail_msg("there is no region %s", root_name);
  return NULL;
}

static void launch(int kernel, uint32_t blocks, uint64_t ns) {
  uint32_t number = 1;
  void *arguments[] = {&number};
  fake.next_duration_ns = ns;
  assert_int_equal(fake_launch_cloned(&unit, kernel, NULL, blocks, arguments), 0);
}

static void every_third_launch_is_counted_and_stands_for_all(void **state) {
  (void)state;
  begin("third");
  for (int i = 0; i < 6; i++)
    launch(TWINNED, 4, 10);
  const struct gp_row *row = end();
  assert_int_equal(fake.instrumented, 2);
  assert_int_equal(row->launches, 6);
  assert_int_equal(row->plain_launches, 4);
  assert_int_equal(row->uncounted_launches, 0);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 6 * 4);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 6 * 1001);
}

/* Two blocks are counted, of 2 + 6 + 4. */
static void threads_are_the_proportion(void **state) {
  (void)state;
  begin("threads");
  launch(TWINNED, 2, 10);
  launch(TWINNED, 6, 10);
  launch(TWINNED, 4, 10);
  const struct gp_row *row = end();
  assert_int_equal(fake.instrumented, 1);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 12);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 6 * 1001);
}

static void times_are_of_plain_kernels(void **state) {
  (void)state;
  begin("times");
  const uint64_t ns[] = {1000, 10, 20, 3000, 30, 40};
  for (int i = 0; i < 6; i++)
    launch(TWINNED, 4, ns[i]);
  const struct gp_row *row = end();
  assert_int_equal(row->time.timed, 6);
  assert_int_equal(row->time.total, 100 * 6 / 4);
  assert_int_equal(row->time.part_count, 0); /* its execution had twins: no time is known of it */
  const struct gp_row *kernel = result->kernels.children;
  assert_non_null(kernel);
}

static void each_region_begins_with_a_counted_launch(void **state) {
  (void)state;
  begin("one");
  launch(TWINNED, 4, 10);
  assert_int_equal(end()->plain_launches, 0);
  begin("two");
  launch(TWINNED, 4, 10);
  assert_int_equal(end()->plain_launches, 0);
  assert_int_equal(fake.instrumented, 1); /* since begin() */
}

static void free_clones_count_every_launch(void **state) {
  (void)state;
  begin("free");
  for (int i = 0; i < 6; i++)
    launch(FREE, 4, 10);
  const struct gp_row *row = end();
  assert_int_equal(row->plain_launches, 0);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 24);
  assert_int_equal(row->time.total, 60);
}

/* The kernel runs as it is in each launch: all times are its own. */
static void light_clones_run_behind_every_third_launch(void **state) {
  (void)state;
  begin("light");
  for (int i = 0; i < 6; i++)
    launch(LIGHT, 4, 10);
  const struct gp_row *row = end();
  assert_int_equal(fake.clones, 2);
  assert_int_equal(row->plain_launches, 4);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 24);
  assert_int_equal(row->time.total, 60);
}

static int set_up(void **state) {
  (void)state;
  setenv("GPUPROF_SAMPLE", "3", 1);
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_third_launch_is_counted_and_stands_for_all),
      cmocka_unit_test(threads_are_the_proportion),
      cmocka_unit_test(times_are_of_plain_kernels),
      cmocka_unit_test(each_region_begins_with_a_counted_launch),
      cmocka_unit_test(free_clones_count_every_launch),
      cmocka_unit_test(light_clones_run_behind_every_third_launch),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
