// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unique bytes by address clones: remembered results, runs of clones, unknown results; on the fake device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "clones/addresses.h"
#include "core/kernels.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/device_reset.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"
#include "sanitized.h"

#include <stdlib.h>
#include <string.h>

/* All take (pointer, 32-bit number of sectors, and in `two` a second pointer). */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tone\tgroups=1\n"
                            "addresses\t0\tfree\t2\t@0:0:8\t1:0:4\n"
                            "kernel\t1\ttwo\tgroups=1\n"
                            "addresses\t1\tfree\t3\t@0:0:8\t1:0:4\t@2:0:8\n"
                            "kernel\t2\tabsolute\tgroups=1\n"
                            "addresses\t2\tfree\t2\t0:0:8\t1:0:4\n"
                            "kernel\t3\tlight\tgroups=1\n"
                            "addresses\t3\tlight\t2\t0:0:8\t1:0:4\n"
                            "kernel\t4\toverlapping\tgroups=2\n"
                            "clone\t4\tlight\t2\t0:0:8\n"
                            "apart\t4\t0:0\t0:0\n" /* never */
                            "addresses\t4\tfree\t2\t@0:0:8\t1:0:4\n"
                            "kernel\t5\tcomputed\tgroups=1\n" /* marks 4 bytes of each sector */
                            "addresses\t5\tfree\t2\t@0:0:8\t1:0:4\n"
                            "address_formula\t5\tclone\tparam 64 0 0;param 32 1 0;zext 64 1;mark 0 #32 2 #4;end\n"
                            "kernel\t6\tlong\tgroups=1\n" /* for ever */
                            "addresses\t6\tfree\t2\t@0:0:8\t1:0:4\n"
                            "address_formula\t6\tclone\tbr 1;br 1\n"
                            "kernel\t7\talone\tgroups=1\n"
                            "addresses\t7\tfree\t2\t@0:0:8\t1:0:4\n"
                            "address_formula\t7\talone\tbr 1;br 1\n"
                            "end\n";
static const char *const names[] = {"one", "two", "absolute", "light", "overlapping", "computed", "long", "alone", NULL};
enum { ONE, TWO, ABSOLUTE, LIGHT, OVERLAPPING, COMPUTED, LONG, ALONE };
static struct fake_unit unit;

/* The fake device's allocations are a MiB each. */
#define IN_ALLOCATION(number, offset) (((UINT64_C(100) + (number)) << 20) + (offset))

static uint32_t root;
static const char *root_name;
static void begin(const char *name) {
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_parameters = 2};
  gp_log_reset();
  gp_addresses_reset_time();
  root_name = name;
  root = gpuprof_region_begin(name);
}

static void launch(int kernel, uint32_t blocks, uint64_t pointer, uint32_t sectors, uint64_t second) {
  void *arguments[] = {&pointer, &sectors, &second};
  assert_int_equal(fake_launch_cloned(&unit, kernel, NULL, blocks, arguments), 0);
}

/* Of the test's region. */
static void expect(uint64_t launches, uint64_t known, uint64_t sectors) {
  gpuprof_region_end(root);
  struct gp_aggregate *result = gp_aggregate_make();
  const struct gp_row *row = result->regions.children;
  while (row && strcmp(row->name, root_name))
    row = row->next;
  assert_non_null(row);
  assert_int_equal(row->launches, launches);
  assert_int_equal(row->unique_launches, known);
  assert_int_equal(row->unique_bytes, 32 * sectors);
  gp_aggregate_free(result);
}

static int said(const char *part) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (strstr(message->text, part))
      return 1;
  return 0;
}

static void equal_launches_run_one_clone(void **state) {
  (void)state;
  begin("equal");
  for (int i = 0; i < 5; i++)
    launch(ONE, 3, IN_ALLOCATION(1, 0), 7, 0);
  assert_int_equal(fake.address_clones, 0); /* until somebody asks */
  expect(5, 5, 5 * 7);
  assert_int_equal(fake.address_clones, 1);
  assert_int_equal(fake.marked_grid[0], 3);
  assert_int_equal(fake.marked_pointer, IN_ALLOCATION(1, 0));
}

static void other_numbers_and_grids_are_other_launches(void **state) {
  (void)state;
  begin("other");
  launch(ONE, 3, IN_ALLOCATION(1, 0), 17, 0);
  launch(ONE, 3, IN_ALLOCATION(1, 0), 18, 0);
  launch(ONE, 4, IN_ALLOCATION(1, 0), 17, 0);
  expect(3, 3, 17 + 18 + 17);
  assert_int_equal(fake.address_clones, 3);
}

static void other_buffers_of_the_same_place_in_a_sector_are_the_same(void **state) {
  (void)state;
  begin("buffers");
  launch(ONE, 3, IN_ALLOCATION(1, 4), 27, 0);
  launch(ONE, 3, IN_ALLOCATION(2, 32 + 4), 27, 0);
  expect(2, 2, 27 + 27);
  assert_int_equal(fake.address_clones, 1);
}

static void another_place_in_a_sector_is_another_launch(void **state) {
  (void)state;
  begin("place");
  launch(ONE, 3, IN_ALLOCATION(1, 0), 37, 0);
  launch(ONE, 3, IN_ALLOCATION(1, 8), 37, 0);
  expect(2, 2, 37 + 37);
  assert_int_equal(fake.address_clones, 2);
}

static void pointers_into_one_allocation_keep_their_distance(void **state) {
  (void)state;
  begin("distance");
  fake.clone_parameters = 3;
  launch(TWO, 3, IN_ALLOCATION(1, 0), 47, IN_ALLOCATION(1, 256)); /* a clone */
  launch(TWO, 3, IN_ALLOCATION(2, 64), 47, IN_ALLOCATION(2, 320));
  assert_int_equal(fake.address_clones, 0);
  launch(TWO, 3, IN_ALLOCATION(1, 0), 47,
         IN_ALLOCATION(1, 512)); /* a clone: nearer, they may share sectors */
  launch(TWO, 3, IN_ALLOCATION(1, 0), 47, IN_ALLOCATION(2, 256)); /* a clone: now apart */
  launch(TWO, 3, IN_ALLOCATION(3, 0), 47, IN_ALLOCATION(4, 512));
  expect(5, 5, 5 * 47);
  assert_int_equal(fake.address_clones, 3);
}

static void one_buffer_twice_is_not_two_buffers(void **state) {
  (void)state;
  begin("twice");
  fake.clone_parameters = 3;
  launch(TWO, 3, IN_ALLOCATION(1, 0), 117, IN_ALLOCATION(1, 0));
  launch(TWO, 3, IN_ALLOCATION(1, 0), 117, IN_ALLOCATION(2, 0));
  expect(2, 2, 2 * 117);
  assert_int_equal(fake.address_clones, 2);
}

static void a_pointer_that_is_more_than_a_base_counts_as_it_is(void **state) {
  (void)state;
  begin("absolute");
  launch(ABSOLUTE, 3, IN_ALLOCATION(1, 0), 57, 0);
  launch(ABSOLUTE, 3, IN_ALLOCATION(2, 0), 57, 0);
  launch(ABSOLUTE, 3, IN_ALLOCATION(1, 0), 57, 0);
  expect(3, 3, 3 * 57);
  assert_int_equal(fake.address_clones, 2);
}

static void pointers_of_no_allocation_count_as_they_are(void **state) {
  (void)state;
  begin("unknown");
  launch(ONE, 3, 64, 67, 0);
  launch(ONE, 3, 128, 67, 0);
  launch(ONE, 3, 64, 67, 0);
  expect(3, 3, 3 * 67);
  assert_int_equal(fake.address_clones, 2);
}

static void a_full_table_grows(void **state) {
  (void)state;
  begin("grows");
  fake.slots_needed = 1 << 17;
  launch(ONE, 3, IN_ALLOCATION(1, 0), 77, 0);
  expect(1, 1, 77);
  assert_int_equal(fake.address_clones, 2);
}

static void more_than_the_largest_table_is_not_known(void **state) {
  (void)state;
  begin("too much");
  fake.slots_needed = UINT64_MAX;
  launch(ONE, 3, IN_ALLOCATION(1, 0), 87, 0);
  expect(1, 0, 0);
  assert_true(said("touches more than 128 GiB"));
}

static void a_clone_that_does_not_run_is_said(void **state) {
  (void)state;
  begin("problem");
  fake.clone_problem = "it is a fake";
  launch(ONE, 3, IN_ALLOCATION(1, 0), 97, 0);
  expect(1, 0, 0);
  assert_true(said("its unique bytes are not known: it is a fake"));
}

static void light_clones_are_for_runs_that_ask_for_them(void **state) {
  (void)state;
  begin("light");
  launch(LIGHT, 3, IN_ALLOCATION(1, 0), 7, 0);
  expect(1, 0, 0);
  assert_int_equal(fake.address_clones, 0);
  assert_true(said("'gpuprof run --unique'"));
}

static void a_copy_with_counters_touches_what_the_kernel_does(void **state) {
  (void)state;
  begin("copy with counters");
  fake.clone_unit = unit.counters;
  launch(OVERLAPPING, 3, IN_ALLOCATION(1, 0), 127, 0);
  assert_int_equal(fake.instrumented, 1);
  expect(1, 1, 127);
}

static void what_waits_is_found_before_the_device_is_reset(void **state) {
  (void)state;
  begin("reset");
  launch(ONE, 3, IN_ALLOCATION(1, 0), 107, 0);
  gp_device_resets(0);
  assert_int_equal(fake.address_clones, 1);
  expect(1, 1, 107);
  assert_int_equal(fake.address_clones, 1);
}

static void keys_are_bounded(void **state) {
  (void)state;
  enum { KEYS = 16384 };
  SKIP_IF(THREAD_SANITIZED, "the fake device clears a table 16384 times, which takes many minutes, and there is one thread");
  begin("bounded");
  for (uint32_t i = 0; i < KEYS; i++)
    launch(ABSOLUTE, 5, IN_ALLOCATION(1, 0), 1000 + i, 0);
  assert_true(said("its launches differ too often"));
  launch(ONE, 3, IN_ALLOCATION(1, 0), 7, 0); /* remembered results stay */
  gpuprof_region_end(root);
}

static void the_host_computes_before_a_clone_runs(void **state) {
  (void)state;
  begin("host");
  for (int i = 0; i < 3; i++)
    launch(COMPUTED, 3, IN_ALLOCATION(1, 0), 47, 0);
  expect(3, 3, 3 * 47);
  assert_int_equal(fake.address_clones, 0);
}

static void a_clone_does_what_takes_the_host_too_long(void **state) {
  (void)state;
  begin("too long");
  launch(LONG, 3, IN_ALLOCATION(1, 0), 57, 0);
  expect(1, 1, 57);
  assert_int_equal(fake.address_clones, 1);
}

static void without_a_clone_it_is_not_known(void **state) {
  (void)state;
  begin("alone");
  launch(ALONE, 3, IN_ALLOCATION(1, 0), 67, 0);
  expect(1, 0, 0);
  assert_int_equal(fake.address_clones, 0);
  assert_true(said("takes too long"));
}

static int use_fake_device(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  unsetenv("GPUPROF_UNIQUE");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_launches_run_one_clone),
      cmocka_unit_test(other_numbers_and_grids_are_other_launches),
      cmocka_unit_test(other_buffers_of_the_same_place_in_a_sector_are_the_same),
      cmocka_unit_test(another_place_in_a_sector_is_another_launch),
      cmocka_unit_test(pointers_into_one_allocation_keep_their_distance),
      cmocka_unit_test(one_buffer_twice_is_not_two_buffers),
      cmocka_unit_test(a_pointer_that_is_more_than_a_base_counts_as_it_is),
      cmocka_unit_test(pointers_of_no_allocation_count_as_they_are),
      cmocka_unit_test(a_full_table_grows),
      cmocka_unit_test(a_clone_that_does_not_run_is_said),
      cmocka_unit_test(light_clones_are_for_runs_that_ask_for_them),
      cmocka_unit_test(a_copy_with_counters_touches_what_the_kernel_does),
      cmocka_unit_test(what_waits_is_found_before_the_device_is_reset),
      cmocka_unit_test(the_host_computes_before_a_clone_runs),
      cmocka_unit_test(a_clone_does_what_takes_the_host_too_long),
      cmocka_unit_test(without_a_clone_it_is_not_known),
      cmocka_unit_test(keys_are_bounded),
      cmocka_unit_test(more_than_the_largest_table_is_not_known),
  };
  return cmocka_run_group_tests(tests, use_fake_device, NULL);
}
