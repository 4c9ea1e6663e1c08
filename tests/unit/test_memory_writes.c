// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clones that read memory, on the fake device: they run again once somebody writes what they read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/memory_writes.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/repeats.h"
#include "report/aggregate.h"

#include <string.h>

/* All take (int, pointer, pointer): a number that the clone counts, what it reads, what the kernel writes. */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\treads\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t0\tlight\t3\t0:0:4\t1:0:8\n"
                            "loads\t0\t3\t1:0\n"
                            "stores\t0\t3\t2:0\n"
                            "kernel\t1\twrites\tgroups=2\n"
                            "clone\t1\tfree\t3\t0:0:4\n"
                            "stores\t1\t3\t2:0\n"
                            "kernel\t2\twrites_anywhere\tgroups=2\n"
                            "clone\t2\tfree\t3\t0:0:4\n"
                            "kernel\t3\treads_anywhere\tgroups=2\n"
                            "clone\t3\tlight\t3\t0:0:4\t1:0:8\n"
                            "stores\t3\t3\t2:0\n"
                            "kernel\t4\treads_and_writes_anywhere\tgroups=2\n"
                            "clone\t4\tlight\t3\t0:0:4\t1:0:8\n"
                            "loads\t4\t3\t1:0\n"
                            "end\n";
static const char *const names[] = {"reads", "writes", "writes_anywhere", "reads_anywhere", "reads_and_writes_anywhere", NULL};
enum { READS, WRITES, WRITES_ANYWHERE, READS_ANYWHERE, READS_AND_WRITES_ANYWHERE };
enum { ALLOCATION = 1 << 20, IN = 5 * ALLOCATION, OUT = 8 * ALLOCATION, ELSEWHERE = 11 * ALLOCATION };
static struct fake_unit unit;

static int begin(void **state) {
  (void)state;
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_parameters = 3, .clone_unit = unit.counters, .watches = 1};
  gp_memory_writes_begin_anew();
  return 0;
}

static void launch(int kernel, uint32_t number, uint64_t in, uint64_t out) {
  void *arguments[] = {&number, &in, &out};
  assert_int_equal(fake_launch_cloned(&unit, kernel, NULL, 2, arguments), 0);
}

/* How many clones run behind ten equal launches; two behind those of unwritten memory: the first launch, and the first repeat. */
enum { LAUNCHES = 10, FEW = 2 };
static int clones_of(int kernel, uint64_t in, uint64_t out) {
  const int before = fake.clones;
  for (int i = 0; i < LAUNCHES; i++)
    launch(kernel, 7, in, out);
  return fake.clones - before;
}

static void a_clone_runs_no_more_while_nothing_is_written(void **state) {
  (void)state;
  const uint32_t region = gpuprof_region_begin("unwritten");
  const uint64_t repeated = gp_repeats_count();
  assert_int_equal(clones_of(READS, IN + 64, OUT), FEW);
  assert_true(gp_repeats_count() > repeated);
  gpuprof_region_end(region);
  struct gp_aggregate *result = gp_aggregate_make();
  const struct gp_row *row = result->regions.children;
  while (row && strcmp(row->name, "unwritten"))
    row = row->next;
  assert_non_null(row);
  assert_int_equal(row->launches, LAUNCHES);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], LAUNCHES * 2);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], LAUNCHES * 7);
  gp_aggregate_free(result);
}

static void a_kernel_that_writes_there_makes_it_run_again(void **state) {
  (void)state;
  clones_of(READS, IN, OUT);
  launch(WRITES, 1, 0, IN + 4096);
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
  for (int i = 0; i < LAUNCHES; i++) /* also by a launch like those before */
    launch(WRITES, 1, 0, IN + 4096);
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
  launch(WRITES_ANYWHERE, 1, 0, 0);
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
}

static void a_kernel_that_writes_elsewhere_does_not(void **state) {
  (void)state;
  clones_of(READS, IN, OUT);
  const int before = fake.clones;
  for (int i = 0; i < LAUNCHES; i++) {
    launch(WRITES, 1, 0, ELSEWHERE);
    launch(READS, 7, IN, OUT);
  }
  assert_true(fake.clones - before <= 1); /* of the kernel that writes */
}

static void a_pointer_at_an_end_of_the_allocation_writes_it(void **state) {
  (void)state;
  const uint64_t near[] = {IN - 4, IN + ALLOCATION};
  for (int i = 0; i < 2; i++) {
    clones_of(READS, IN, OUT);
    launch(WRITES, 1, 0, near[i]);
    assert_int_equal(clones_of(READS, IN, OUT), FEW);
  }
}

static void other_work_that_writes_there_makes_it_run_again(void **state) {
  (void)state;
  clones_of(READS, IN, OUT);
  gp_memory_written(ELSEWHERE);
  assert_int_equal(clones_of(READS, IN, OUT), 0);
  gp_memory_written(IN + 8);
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
  gp_memory_written_anywhere();
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
  gp_memory_released(IN);
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
  gp_memory_all_released();
  assert_int_equal(clones_of(READS, IN, OUT), FEW);
}

static void another_array_has_counts_of_its_own(void **state) {
  (void)state;
  clones_of(READS, IN, OUT);
  assert_int_equal(clones_of(READS, ELSEWHERE, OUT), FEW);
  assert_int_equal(clones_of(READS, IN, OUT), 0);
}

static void a_kernel_that_may_write_what_its_clone_reads_has_it_each_time(void **state) {
  (void)state;
  assert_int_equal(clones_of(READS, IN, IN + 8), LAUNCHES);
  assert_int_equal(clones_of(READS_AND_WRITES_ANYWHERE, IN, OUT), LAUNCHES);
}

static void a_clone_that_reads_anywhere_runs_each_time(void **state) {
  (void)state;
  assert_int_equal(clones_of(READS_ANYWHERE, IN, OUT), LAUNCHES);
}

static void memory_that_others_write_has_it_each_time(void **state) {
  (void)state;
  fake.shared_memory = 1;
  assert_int_equal(clones_of(READS, IN, OUT), LAUNCHES);
  assert_int_equal(clones_of(READS, 5, OUT), LAUNCHES); /* in no allocation */
}

static void writes_that_are_not_seen_have_it_each_time(void **state) {
  (void)state;
  clones_of(READS, IN, OUT);
  gp_memory_writes_unseen("a test says so");
  assert_int_equal(clones_of(READS, IN, OUT), LAUNCHES);
  begin(state);
  fake.watches = 0;
  assert_int_equal(clones_of(READS, IN, OUT), LAUNCHES);
}

/* Numbers of writes grow for ever: memory for results does not. */
static void memory_that_is_written_all_the_time_takes_no_memory(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    launch(READS, 7, IN, OUT);
    launch(READS, 7, IN, OUT);
    gp_memory_written(IN);
  }
  assert_int_equal(fake.clones, 4000);
  assert_int_equal(clones_of(READS, IN, OUT), LAUNCHES); /* no more results */
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_clone_runs_no_more_while_nothing_is_written, begin),
      cmocka_unit_test_setup(a_kernel_that_writes_there_makes_it_run_again, begin),
      cmocka_unit_test_setup(a_kernel_that_writes_elsewhere_does_not, begin),
      cmocka_unit_test_setup(a_pointer_at_an_end_of_the_allocation_writes_it, begin),
      cmocka_unit_test_setup(other_work_that_writes_there_makes_it_run_again, begin),
      cmocka_unit_test_setup(another_array_has_counts_of_its_own, begin),
      cmocka_unit_test_setup(a_kernel_that_may_write_what_its_clone_reads_has_it_each_time, begin),
      cmocka_unit_test_setup(a_clone_that_reads_anywhere_runs_each_time, begin),
      cmocka_unit_test_setup(memory_that_others_write_has_it_each_time, begin),
      cmocka_unit_test_setup(writes_that_are_not_seen_have_it_each_time, begin),
      cmocka_unit_test_setup(memory_that_is_written_all_the_time_takes_no_memory, begin),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
