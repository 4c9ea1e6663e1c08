// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How a launch is counted and timed, decided before anything is launched; on the fake device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_plan.h"

#include <pthread.h>
#include <string.h>

/* Takes a number, a pointer read by its clone, and a written pointer. */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tplain\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "kernel\t1\tcloned\tgroups=1\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t1\tlight\t3\t0:0:4\n"
                            "apart\t1\t1:0\t2:0\n"
                            "end\n";
static const char *const names[] = {"plain", "cloned", NULL};
enum { PLAIN, CLONED };
enum { MEBIBYTE = 1 << 20 }; /* an allocation of the fake device */
static struct fake_unit unit;

static uint32_t number;
static uint64_t read_through, written_through;
static void *arguments[] = {&number, &read_through, &written_through};

static struct gp_launch_plan plan_of(int index) {
  struct gp_launch launch = {.function = &unit.functions[index], .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
  struct gp_kernel *kernel = gp_kernel_of(launch.function);
  assert_non_null(kernel);
  const struct gp_here here = gp_regions_here();
  gp_kernel_lock(kernel);
  const struct gp_launch_plan plan = gp_launch_plan(kernel, &launch, &here);
  gp_kernel_unlock(kernel);
  return plan;
}

static void the_kernel_itself_is_launched_and_timed(void **state) {
  (void)state;
  const uint32_t token = gpuprof_region_begin("training");
  const struct gp_context *region = gp_regions_context();
  const struct gp_launch_plan plan = plan_of(PLAIN);
  gpuprof_region_end(token);
  assert_ptr_equal(plan.context, region);
  assert_ptr_not_equal(plan.context, gp_context_root());
  assert_true(plan.launches && plan.awaits && plan.clone_counts);
  assert_null(plan.objection);
  assert_false(plan.marks_in_place || plan.compares_lanes_in_place || plan.measures);
}

static void a_clone_counts_where_pointers_are_disjoint(void **state) {
  (void)state;
  read_through = 5 * MEBIBYTE;
  written_through = 6 * MEBIBYTE;
  const struct gp_launch_plan plan = plan_of(CLONED);
  assert_null(plan.objection);
  assert_true(plan.clone_counts);
}

static void the_instrumented_kernel_takes_the_place_where_they_are_not(void **state) {
  (void)state;
  read_through = written_through = 5 * MEBIBYTE;
  const struct gp_launch_plan plan = plan_of(CLONED);
  assert_non_null(plan.objection);
  assert_non_null(strstr(plan.objection, "one allocation"));
  assert_false(plan.clone_counts);
}

static void a_block_that_the_clone_cannot_have_is_an_objection(void **state) {
  (void)state;
  read_through = written_through = 0;
  assert_null(plan_of(CLONED).objection);
  fake_unregister(&unit);
  fake_register(&unit, sheet, names);
  fake.clone_threads = 16;
  const char *objection = plan_of(CLONED).objection;
  assert_non_null(objection);
  assert_non_null(strstr(objection, "blocks of this size"));
}

static void nothing_is_planned_while_counting_pauses(void **state) {
  (void)state;
  gpuprof_disable();
  const struct gp_launch_plan plan = plan_of(PLAIN);
  gpuprof_enable();
  assert_null(plan.context);
  assert_true(plan.launches);
  assert_false(plan.awaits || plan.clone_counts || plan.measures);
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_kernel_itself_is_launched_and_timed),
      cmocka_unit_test(a_clone_counts_where_pointers_are_disjoint),
      cmocka_unit_test(the_instrumented_kernel_takes_the_place_where_they_are_not),
      cmocka_unit_test(a_block_that_the_clone_cannot_have_is_an_objection),
      cmocka_unit_test(nothing_is_planned_while_counting_pauses),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
