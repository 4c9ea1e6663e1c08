// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Launches that repeat one of their thread: nothing but the program's call happens, and the counts are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "core/kernels.h"
#include "core/unlocked_launches.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/device_reset.h"
#include "launch/launch_hook.h"
#include "launch/repeats.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t0\tfree\t1\t0:0:4\n"
                            "kernel\t1\tgiven\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t1\t1\t-\t-\t0\tfp64_add=1\n"
                            "twin\t1\t1\n"
                            "counters\t1\t1\t8\n"
                            "end\n";
static const char *const names[] = {"free", "given", NULL};
enum { FREE, GIVEN };
#define STREAM ((void *)0x100)
static struct fake_unit unit;
static struct gp_aggregate *result;
static uint32_t root;
static const char *root_name;

static void begin(const char *name) {
  fake = (struct fake_state){
      .next_unique_bytes = UINT64_MAX, .clone_parameters = 1, .clone_unit = unit.counters, .counters_argument = 1};
  root_name = name;
  root = gpuprof_region_begin(name);
}

static const struct gp_row *row_of(const char *name) {
  if (result)
    gp_aggregate_free(result);
  result = gp_aggregate_make();
  assert_non_null(result);
  for (const struct gp_row *row = result->regions.children; row; row = row->next)
    if (!strcmp(row->name, name))
      return row;
  fail_msg("there is no region %s", name);
  return NULL;
}

static const struct gp_row *end(void) {
  gpuprof_region_end(root);
  return row_of(root_name);
}

static int launch(int kernel, uint32_t blocks, uint32_t number) {
  void *arguments[] = {&number};
  return fake_launch_cloned(&unit, kernel, STREAM, blocks, arguments);
}

static void launch_often(int kernel, int times, uint32_t blocks, uint32_t number) {
  for (int i = 0; i < times; i++)
    assert_int_equal(launch(kernel, blocks, number), 0);
}

/* ---- Counts ---- */

static void repeats_count_like_other_launches(void **state) {
  (void)state;
  begin("free");
  const uint64_t before = gp_repeats_count();
  launch_often(FREE, 100, 3, 7);
  assert_in_range(gp_repeats_count() - before, 97, 99);
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 100);
  assert_int_equal(row->threads, 300);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 300);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 700);
}

static void other_arguments_grids_and_regions_are_other_launches(void **state) {
  (void)state;
  begin("others");
  uint64_t adds = 0, doubles = 0;
  for (uint32_t i = 0; i < 600; i++) {
    const uint32_t blocks = 1 + i % 3, number = 10 + i % 5;
    const uint32_t inner = i % 2 ? gpuprof_region_begin("inner") : 0;
    launch_often(FREE, 1, blocks, number);
    if (inner)
      gpuprof_region_end(inner);
    adds += i % 2 ? blocks : 0;
    doubles += i % 2 ? number : 0;
  }
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 600);
  assert_int_equal(row->children->launches, 300);
  assert_int_equal(row->children->totals.amount[GP_COST_fp32_add], adds);
  assert_int_equal(row->children->totals.amount[GP_COST_fp64_add], doubles);
}

/* More of them than a thread remembers. */
static void many_different_launches_are_all_counted(void **state) {
  (void)state;
  begin("many");
  uint64_t doubles = 0;
  for (uint32_t round = 0; round < 5; round++)
    for (uint32_t number = 0; number < 3000; number++) {
      launch_often(FREE, 1, 1, number);
      doubles += number;
    }
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 15000);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 15000);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], doubles);
}

static void a_pause_counts_none(void **state) {
  (void)state;
  begin("pause");
  launch_often(FREE, 10, 1, 1);
  gpuprof_disable();
  launch_often(FREE, 10, 1, 1);
  gpuprof_enable();
  launch_often(FREE, 10, 1, 1);
  assert_int_equal(end()->launches, 20);
}

static void an_ignored_or_captured_launch_is_none(void **state) {
  (void)state;
  begin("captured");
  launch_often(FREE, 10, 1, 1);
  fake.capturing = 1;
  launch_often(FREE, 10, 1, 1);
  fake.capturing = 0;
  assert_int_equal(end()->launches, 10);
}

static void a_failed_launch_is_none(void **state) {
  (void)state;
  begin("failed");
  launch_often(GIVEN, 10, 1, 1);
  fake.instrumented_problem = "it cannot run";
  launch_often(GIVEN, 1, 1, 1); /* the kernel itself runs */
  fake.instrumented_problem = NULL;
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 11);
  assert_int_equal(row->uncounted_launches, 1);
}

/* ---- Nothing else happens ---- */

static void assert_quiet(const struct fake_state *before) {
  assert_int_equal(fake.waits, before->waits);
  assert_int_equal(fake.stores, before->stores);
  assert_int_equal(fake.fences, before->fences);
  assert_int_equal(fake.fences_awaited, before->fences_awaited);
  assert_int_equal(fake.numbers_asked, before->numbers_asked);
  assert_int_equal(fake.clones, before->clones);
  assert_int_equal(fake.address_clones, before->address_clones);
}

static void a_repeat_does_nothing_on_the_device(void **state) {
  (void)state;
  begin("quiet");
  for (int kernel = FREE; kernel <= GIVEN; kernel++) {
    launch_often(kernel, 5, 2, 9);
    const struct fake_state before = fake;
    launch_often(kernel, 100, 2, 9);
    assert_quiet(&before);
    assert_int_equal(fake.instrumented - before.instrumented, kernel == GIVEN ? 100 : 0);
  }
  end();
}

static void *launch_on_a_thread(void *kernel) {
  launch_often(*(int *)kernel, 20, 2, 9);
  return NULL;
}

static void *launch_while_locked(void *kernel) {
  struct gp_kernel *locked = gp_kernel_of(&unit.functions[*(int *)kernel]);
  launch_often(*(int *)kernel, 5, 2, 9);
  gp_kernel_lock(locked); /* a launch that takes it would never return */
  launch_on_a_thread(kernel);
  gp_kernel_unlock(locked);
  return NULL;
}

static void a_repeat_takes_no_lock_of_its_kernel(void **state) {
  (void)state;
  begin("unlocked");
  for (int kernel = FREE; kernel <= GIVEN; kernel++)
    launch_while_locked(&kernel);
  assert_int_equal(end()->launches, 50);
}

/* ---- What ends repeats ---- */

static void a_reset_of_the_device_ends_them(void **state) {
  (void)state;
  begin("reset");
  launch_often(GIVEN, 10, 2, 3);
  const uint64_t counters = fake.given;
  gp_device_resets(0);
  launch_often(GIVEN, 1, 2, 3);
  assert_true(fake.given && fake.given != counters);
  launch_often(GIVEN, 9, 2, 3);
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 20);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 40);
  assert_int_equal(row->uncounted_launches, 0);
}

static int reached;
static void reset_elsewhere(void) { reached = gp_unlocked_launches_run(gp_kernel_of(&unit.functions[GIVEN])); }

static void a_repeat_under_way_is_known(void **state) {
  (void)state;
  begin("under way");
  launch_often(GIVEN, 5, 2, 3);
  fake.while_launching = reset_elsewhere;
  launch_often(GIVEN, 1, 2, 3);
  assert_int_equal(reached, 1);
  fake.while_launching = NULL;
  reset_elsewhere();
  assert_int_equal(reached, 0);
  end();
}

/* Counters of many paths are brought home while the launches go on. */
static void counters_brought_home_are_given_anew(void **state) {
  (void)state;
  char name[16];
  begin("home");
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 200; i++) {
      snprintf(name, sizeof name, "path %d", i);
      const uint32_t region = gpuprof_region_begin(name);
      launch_often(GIVEN, 4, 2, 3);
      gpuprof_region_end(region);
    }
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 2400);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 4800);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 2400 * 1003);
}

static void a_module_that_goes_ends_them(void **state) {
  (void)state;
  static struct fake_unit other;
  fake_register(&other, sheet, names);
  begin("module");
  fake.clone_unit = other.counters;
  uint32_t number = 4;
  void *arguments[] = {&number};
  for (int i = 0; i < 10; i++)
    fake_launch_cloned(&other, FREE, STREAM, 1, arguments);
  struct gp_kernel *kernel = gp_kernel_of(&other.functions[FREE]);
  const uint64_t generation = gp_launch_generation_now();
  fake_unregister(&other);
  assert_null(kernel->host);
  assert_true(gp_launch_generation_now() > generation);
  const uint64_t before = gp_repeats_count();
  fake_launch_cloned(&other, FREE, STREAM, 1, arguments); /* a function that nobody knows */
  assert_int_equal(gp_repeats_count(), before);
  assert_int_equal(end()->launches, 10);
}

/* ---- Threads ---- */

static _Atomic int goes_on;
static void *launch_and_count(void *count) {
  const uint32_t region = gpuprof_region_begin("threads");
  uint32_t number = 5;
  void *arguments[] = {&number};
  for (; goes_on; ++*(uint64_t *)count)
    fake_launch_cloned(&unit, FREE, STREAM, 1, arguments);
  gpuprof_region_end(region);
  return NULL;
}

/* Readings settle what threads go on to count. */
static void launches_may_be_read_meanwhile(void **state) {
  (void)state;
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  static uint64_t counts[THREADS];
  uint64_t sum = 0, last = 0;
  begin("reader");
  goes_on = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, launch_and_count, &counts[i]);
  while (!gp_repeats_count())
    ;
  for (int i = 0; i < 50; i++) {
    struct gp_aggregate *now = gp_aggregate_make();
    assert_non_null(now);
    for (const struct gp_row *row = now->regions.children; row; row = row->next)
      if (!strcmp(row->name, "threads")) {
        assert_true(row->launches >= last);
        last = row->launches;
      }
    gp_aggregate_free(now);
  }
  goes_on = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += counts[i];
  }
  end();
  const struct gp_row *row = row_of("threads");
  assert_int_equal(row->launches, sum);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 5 * sum);
}

static void ended_threads_have_been_counted(void **state) {
  (void)state;
  int kernel = FREE;
  begin("ended");
  const uint64_t before = row_of("ended")->launches;
  for (int i = 0; i < 10; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, launch_on_a_thread, &kernel);
    pthread_join(thread, NULL);
  }
  struct gp_row outside = row_of("ended")[0];
  gpuprof_region_end(root);
  assert_int_equal(outside.launches, before); /* those threads are in no region */
  struct gp_kernel *known = gp_kernel_of(&unit.functions[FREE]);
  uint64_t launches = 0;
  for (const struct gp_record *record = known->records; record; record = record->next)
    launches += record->context == gp_context_root() ? record->launches : 0;
  assert_int_equal(launches, 200);
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeats_count_like_other_launches),
      cmocka_unit_test(other_arguments_grids_and_regions_are_other_launches),
      cmocka_unit_test(many_different_launches_are_all_counted),
      cmocka_unit_test(a_pause_counts_none),
      cmocka_unit_test(an_ignored_or_captured_launch_is_none),
      cmocka_unit_test(a_failed_launch_is_none),
      cmocka_unit_test(a_repeat_does_nothing_on_the_device),
      cmocka_unit_test(a_repeat_takes_no_lock_of_its_kernel),
      cmocka_unit_test(a_reset_of_the_device_ends_them),
      cmocka_unit_test(a_repeat_under_way_is_known),
      cmocka_unit_test(counters_brought_home_are_given_anew),
      cmocka_unit_test(a_module_that_goes_ends_them),
      cmocka_unit_test(launches_may_be_read_meanwhile),
      cmocka_unit_test(ended_threads_have_been_counted),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
