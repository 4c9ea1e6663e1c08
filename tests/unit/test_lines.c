// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Work of source lines: added up from groups, and executions of the most executed block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"

#include <stdlib.h>
#include <string.h>

/* Line 4 is in the entry and in two parts of an unrolled loop (groups 1 and 2), line 6 in a region; one term
 * has no line. */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "file\t0\tapp.cu\n"
                            "region\t0\t-\tname=whole\tkind=kernel\tfile=app.cu\tline=3\n"
                            "region\t1\t0\tname=inner\tkind=device\tfile=app.cu\tline=5\n"
                            "kernel\t0\tfirst\tgroups=3\tfile=0\tline=3\n"
                            "cost\t0\t0\t0\t0\t4\tinteger=1\tglobal_load=4\n"
                            "cost\t0\t0\t0\t-\t0\tfp32_mul=1\n"
                            "cost\t0\t1\t0\t0\t4\tfp32_fma=4\tshared_store=8\n"
                            "cost\t0\t1\t1\t0\t6\tspecial=2\n"
                            "cost\t0\t2\t0\t0\t4\tfp32_fma=1\n"
                            "end\n";
static const char *const names[] = {"first", NULL};
static struct fake_unit unit;
static struct gp_aggregate *result;

static const struct gp_line *line_of(const struct gp_row *row, unsigned line) {
  for (size_t i = 0; i < row->line_count; i++)
    if (row->lines[i].line == line)
      return &row->lines[i];
  return NULL;
}

static void lines_add_up_over_groups(void **state) {
  (void)state;
  const struct gp_row *kernel = result->kernels.children;
  assert_int_equal(kernel->line_count, 2);
  const struct gp_line *loop = line_of(kernel, 4);
  assert_string_equal(loop->file, "app.cu");
  assert_int_equal(loop->flops, 2 * 2 * (4 * 50 + 3));
  assert_int_equal(loop->bytes, 2 * 4 * 32);
  assert_int_equal(loop->shared_bytes, 2 * 8 * 50);
  assert_int_equal(loop->integer_ops, 2 * 32);
  assert_int_equal(line_of(kernel, 6)->special_functions, 2 * 2 * 50);
}

static void executions_are_those_of_the_block_that_ran_most(void **state) {
  (void)state;
  const struct gp_row *kernel = result->kernels.children;
  assert_int_equal(line_of(kernel, 4)->executions, 2 * 50);
  assert_int_equal(line_of(kernel, 6)->executions, 2 * 50);
}

static void what_has_no_line_is_in_the_totals_only(void **state) {
  (void)state;
  const struct gp_row *kernel = result->kernels.children;
  uint64_t in_lines = 0;
  for (size_t i = 0; i < kernel->line_count; i++)
    in_lines += kernel->lines[i].flops;
  assert_int_equal(gp_totals_flops(&kernel->totals) - in_lines, 2 * 32);
}

static void a_line_stands_in_its_innermost_region(void **state) {
  (void)state;
  const struct gp_row *whole = result->regions.children;
  while (whole && strcmp(whole->name, "whole"))
    whole = whole->next;
  assert_non_null(whole);
  assert_int_equal(whole->line_count, 1);
  assert_int_equal(line_of(whole, 4)->executions, 2 * 50);
  assert_int_equal(whole->children->line_count, 1);
  assert_int_equal(line_of(whole->children, 6)->executions, 2 * 50);
  assert_int_equal(line_of(whole->children, 6)->special_functions, 2 * 2 * 50);
}

static int set_up(void **state) {
  (void)state;
  if (fake_begin(&unit, sheet, names))
    return -1;
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX};
  const uint64_t counts[] = {32, 50, 3};
  for (int launch = 0; launch < 2; launch++)
    if (fake_launch(&unit, 0, NULL, 32, counts, 3))
      return -1;
  fake_device.flush();
  result = gp_aggregate_make();
  return result ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  gp_aggregate_free(result);
  fake_unregister(&unit);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_add_up_over_groups),
      cmocka_unit_test(executions_are_those_of_the_block_that_ran_most),
      cmocka_unit_test(what_has_no_line_is_in_the_totals_only),
      cmocka_unit_test(a_line_stands_in_its_innermost_region),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
