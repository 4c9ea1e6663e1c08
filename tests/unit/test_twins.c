// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels counted by an instrumented twin: which of the two a launch runs; on the fake device. */
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

#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "twin\t0\t1\n"
                            "kernel\t1\tplain\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
static const char *const names[] = {"twinned", "plain", NULL};
enum { TWINNED, PLAIN };
static struct fake_unit unit;
static struct gp_aggregate *result;
static uint32_t root;
static const char *root_name;

static void begin(const char *name) {
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_unit = unit.counters};
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

static int launch(int kernel, uint32_t blocks, uint32_t number) {
  void *arguments[] = {&number};
  return fake_launch_cloned(&unit, kernel, NULL, blocks, arguments);
}

/* The twin of the fake device counts 1000 more than a clone. */
static void counted_launches_run_the_twin(void **state) {
  (void)state;
  begin("counted");
  launch(TWINNED, 2, 3);
  launch(TWINNED, 3, 4);
  const struct gp_row *row = end();
  assert_int_equal(fake.instrumented, 2);
  assert_int_equal(fake.clones, 0);
  assert_int_equal(row->launches, 2);
  assert_int_equal(row->uncounted_launches, 0);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 5);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 2007);
}

static void a_pause_runs_the_kernel_itself(void **state) {
  (void)state;
  begin("paused");
  gpuprof_disable();
  assert_int_equal(launch(TWINNED, 2, 3), 0);
  gpuprof_enable();
  assert_int_equal(fake.instrumented, 0);
  launch(TWINNED, 2, 3);
  assert_int_equal(end()->launches, 1);
  assert_int_equal(fake.instrumented, 1);
}

static void a_kernel_with_its_own_counters_has_none(void **state) {
  (void)state;
  begin("plain");
  const uint64_t counts[] = {7, 0};
  fake_launch(&unit, PLAIN, NULL, 7, counts, 2);
  assert_int_equal(end()->totals.amount[GP_COST_fp32_add], 7);
  assert_int_equal(fake.instrumented, 0);
}

static void a_twin_that_cannot_run_leaves_its_launch_uncounted(void **state) {
  (void)state;
  begin("refused");
  fake.instrumented_problem = "its module does not have the copy";
  assert_int_equal(launch(TWINNED, 2, 3), 0);
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 1);
  assert_int_equal(row->uncounted_launches, 1);
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_launches_run_the_twin),
      cmocka_unit_test(a_pause_runs_the_kernel_itself),
      cmocka_unit_test(a_kernel_with_its_own_counters_has_none),
      cmocka_unit_test(a_twin_that_cannot_run_leaves_its_launch_uncounted),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
