// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Counters of many regions: device memory is bounded, and every count is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/counters.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tadd\tgroups=2\n"
                            "kernel\t1\tmultiply\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp32_fma=1\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_mul=1\n"
                            "end\n";
static const char *const names[] = {"add", "multiply", NULL};
static struct fake_unit unit;

#define REGIONS 1000u

static void launch(int kernel, uint64_t threads, uint64_t loops) {
  const uint64_t counts[] = {threads, loops};
  assert_int_equal(fake_launch(&unit, kernel, NULL, (uint32_t)threads, counts, kernel ? 1 : 2), 0);
}

static void launch_in_each_region(const char *around) {
  const uint32_t token = gpuprof_region_begin(around);
  for (unsigned i = 0; i < REGIONS; i++) {
    char name[32];
    snprintf(name, sizeof name, "layer_%u", i);
    const uint32_t region = gpuprof_region_begin(name);
    launch(0, 1 + i % 7, i);
    launch(1, 3, 0);
    launch(0, 2, 1);
    gpuprof_region_end(region);
  }
  gpuprof_region_end(token);
}

static const struct gp_row *child(const struct gp_row *parent, const char *name) {
  const struct gp_row *row = parent->children;
  while (row && strcmp(row->name, name))
    row = row->next;
  assert_non_null(row);
  return row;
}

/* Each region was run `rounds` times. */
static void check(const char *around, unsigned rounds) {
  struct gp_aggregate *result = gp_aggregate_make();
  assert_non_null(result);
  const struct gp_row *row = child(&result->regions, around)->children;
  uint64_t all = 0;
  for (unsigned i = 0; i < REGIONS; i++, row = row->next) {
    char name[32];
    snprintf(name, sizeof name, "layer_%u", i);
    assert_string_equal(row->name, name); /* in order of first use, however they are found */
    assert_int_equal(row->launches, 3 * rounds);
    assert_int_equal(row->totals.amount[GP_COST_fp32_add], rounds * (3 + i % 7));
    assert_int_equal(row->totals.amount[GP_COST_fp32_fma], rounds * (i + 1));
    assert_int_equal(row->totals.amount[GP_COST_fp32_mul], rounds * 3);
    assert_int_equal(row->uncounted_launches, 0);
    all += row->totals.amount[GP_COST_fp32_fma];
  }
  assert_null(row);
  assert_int_equal(child(&result->regions, around)->totals.amount[GP_COST_fp32_fma], all);
  gp_aggregate_free(result);
}

static void counters_on_the_device_are_bounded(void **state) {
  (void)state;
  for (unsigned round = 1; round <= 3; round++) {
    launch_in_each_region("bounded");
    assert_in_range(gp_counters_kept(0), 1, FAKE_COUNTERS_KEPT + FAKE_COUNTERS_KEPT / 8);
    check("bounded", round);
  }
}

static void a_full_device_gets_the_counters_of_others(void **state) {
  (void)state;
  launch_in_each_region("full");
  const size_t kept = gp_counters_kept(0);
  fake.allocations_left = 4; /* fewer than a region needs if nothing is released */
  launch_in_each_region("full");
  fake.allocations_left = 0;
  assert_in_range(gp_counters_kept(0), 1, kept);
  check("full", 2);
}

static void counts_that_cannot_be_read_stay_on_the_device(void **state) {
  (void)state;
  launch_in_each_region("unreadable");
  fake.fail_read = 1;
  launch_in_each_region("unreadable");
  fake.fail_read = 0;
  check("unreadable", 2);
}

static uint64_t read_meanwhile;

static void *read_counts(void *unused) {
  struct gp_aggregate *result = gp_aggregate_make();
  read_meanwhile += result->regions.totals.amount[GP_COST_fp32_fma];
  gp_aggregate_free(result);
  return unused;
}

/* As of a device: memory has what was there before until it is zeroed, and a document is made meanwhile. */
static int allocate_slowly(uint64_t *address, size_t bytes) {
  pthread_t reader;
  const int error = fake_device.allocate(address, bytes);
  if (error)
    return error;
  memset((void *)(uintptr_t)*address, 1, bytes);
  pthread_create(&reader, NULL, read_counts, NULL);
  pthread_join(reader, NULL);
  memset((void *)(uintptr_t)*address, 0, bytes);
  return 0;
}

static void launch_in(const char *name) {
  const uint32_t region = gpuprof_region_begin(name);
  launch(0, 5, 0);
  gpuprof_region_end(region);
}

static void counters_are_read_once_they_are_zero(void **state) {
  (void)state;
  static struct gp_device_ops device;
  launch_in("fresh");
  launch_in_each_region("bounded"); /* its counters go home */
  read_counts(NULL);
  const uint64_t before = read_meanwhile;
  read_meanwhile = 0;
  device = fake_device;
  device.allocate = allocate_slowly;
  gp_device_override(&device);
  launch_in("fresh");
  gp_device_override(&fake_device);
  assert_int_equal(read_meanwhile, before);
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_on_the_device_are_bounded),
      cmocka_unit_test(a_full_device_gets_the_counters_of_others),
      cmocka_unit_test(counts_that_cannot_be_read_stay_on_the_device),
      cmocka_unit_test(counters_are_read_once_they_are_zero),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
