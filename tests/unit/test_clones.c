// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels counted by clones: launches, remembered results, reports; on the fake device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/log.h"
#include "clones/clones.h"
#include "core/kernels.h"
#include "core/snapshot.h"
#include "core/uncounted.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/device_reset.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Both take (int, int, struct of 16 bytes). Group 0 adds one fp32 each, group 1 one fp64. */
static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t0\tfree\t3\t0:0:4\t2:8:4\n"
                            "kernel\t1\tlight\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t1\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t1\tlight\t3\t0:0:4\n"
                            "kernel\t2\tapart\tgroups=2\n"
                            "cost\t2\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t2\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t2\tlight\t3\t0:0:4\n"
                            "apart\t2\t1:0\t2:8\n"
                            "kernel\t3\tformula\tgroups=2\n"
                            "cost\t3\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t3\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t3\tfree\t3\t0:0:4\n"
                            "formula\t3\tparam 32 0 0;ctaid_x;eq 32 1 #0;zext 64 0;slt 32 0 #0;if 4 3 1;count 0 #1;if 2 2 4;"
                            "count 1 3;end;br 3;end\n"
                            "kernel\t4\tlarge\tgroups=16\n"
                            "cost\t4\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t4\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t4\tfree\t3\t0:0:4\n"
                            "end\n";
static const char *const names[] = {"free", "light", "apart", "formula", "large", NULL};
enum { FREE, LIGHT, APART, FORMULA, LARGE };
static struct fake_unit unit;
static struct gp_aggregate *result;

/* Tests share the process: each works below a region of its own. */
static uint32_t root;
static const char *root_name;

static void begin(const char *name) {
  fake = (struct fake_state){
      .next_unique_bytes = UINT64_MAX, .clone_parameters = 3, .clone_unit = unit.counters};
  gp_log_reset();
  gp_uncounted_reset();
  root_name = name;
  root = gpuprof_region_begin(name);
}

static const struct gp_row *row_named(const char *name) {
  for (const struct gp_row *row = result->regions.children; row; row = row->next)
    if (!strcmp(row->name, name))
      return row;
  fail_msg("there is no region %s", name);
  return NULL;
}

static void end(void) {
  gpuprof_region_end(root);
  if (result)
    gp_aggregate_free(result);
  result = gp_aggregate_make();
  assert_non_null(result);
}

static void expect(const char *region, uint64_t launches, uint64_t fp32, uint64_t fp64) {
  const struct gp_row *row = row_named(region);
  assert_int_equal(row->launches, launches);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], fp32);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], fp64);
}

static int expect_note(const char *text) {
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    if (strstr(message->text, text))
      return 1;
  return 0;
}

struct parameters {
  int32_t first, second;
  struct {
    int32_t a, b, c, d;
  } third;
};

static int launch_on(void *stream, int kernel, uint32_t blocks, struct parameters p) {
  void *arguments[] = {&p.first, &p.second, &p.third};
  return fake_launch_cloned(&unit, kernel, stream, blocks, arguments);
}
static int launch(int kernel, uint32_t blocks, struct parameters p) {
  return launch_on(NULL, kernel, blocks, p);
}

static void equal_launches_run_one_clone(void **state) {
  (void)state;
  begin("equal");
  for (int i = 0; i < 10; i++)
    assert_int_equal(launch(FREE, 3, (struct parameters){7, i, {i, i, 0, i}}), 0);
  end();
  assert_int_equal(fake.clones, 1);
  expect("equal", 10, 30, 70);
}

static void what_the_clone_reads_is_the_key(void **state) {
  (void)state;
  begin("key");
  launch(FREE, 5, (struct parameters){1, 0, {0, 0, 0, 0}});
  launch(FREE, 5, (struct parameters){2, 0, {0, 0, 0, 0}}); /* another argument */
  launch(FREE, 5, (struct parameters){2, 0, {0, 0, 9, 0}}); /* another member of one */
  launch(FREE, 6, (struct parameters){2, 0, {0, 0, 9, 0}}); /* another grid */
  launch(FREE, 5, (struct parameters){1, 8, {8, 8, 0, 8}}); /* as the first */
  end();
  assert_int_equal(fake.clones, 4);
  expect("key", 5, 5 + 5 + 5 + 6 + 5, 1 + 2 + 2 + 2 + 1);
}

static void launches_counted_by_a_formula_run_no_clone(void **state) {
  (void)state;
  begin("formula");
  for (int i = 0; i < 20000; i++) /* more than are remembered */
    launch(FORMULA, 1 + (uint32_t)i % 50, (struct parameters){i, 0, {0}});
  launch(FORMULA, 1, (struct parameters){0, 0, {0}});
  assert_int_equal(fake.waits, 0);
  end();
  assert_int_equal(fake.clones, 0);
  expect("formula", 20001, 20000 / 50 * (50 * 51 / 2) + 1, 20000ull * 19999 / 2);
}

/* With a negative argument it has no end. */
static void launches_that_a_formula_cannot_count_run_the_clone(void **state) {
  (void)state;
  begin("no result");
  launch(FORMULA, 3, (struct parameters){-1, 0, {0}});
  launch(FORMULA, 4, (struct parameters){-1, 0, {0}});
  launch(FORMULA, 4, (struct parameters){20005, 0, {0}});
  end();
  assert_int_equal(fake.clones, 2);
  const struct gp_row *row = row_named("no result");
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 11);
  assert_int_equal(row->uncounted_launches, 0);
}

/* The clone's counts are of the launch alone: they say nothing of a kernel that stopped. */
static void launches_of_a_stopped_device_count_if_they_have_ended(void **state) {
  (void)state;
  begin("read before");
  launch(FREE, 3, (struct parameters){41, 0, {0}});
  end();
  begin("stopped");
  fake.time_source = GP_TIME_CUPTI;
  fake.next_duration_ns = 5;
  launch(FREE, 3, (struct parameters){41, 0, {0}});
  launch(FREE, 3, (struct parameters){41, 0, {0}});
  fake.time_source = GP_TIME_NONE;
  launch(FREE, 3, (struct parameters){41, 0, {0}});
  fake.stopped = 719;
  gp_snapshot_begin(GP_AT_THE_END, 0);
  end();
  gp_snapshot_end();
  assert_int_equal(row_named("stopped")->launches, 3);
  assert_int_equal(row_named("stopped")->uncounted_launches, 1);
  assert_true(expect_note("it stopped with 'a fake error': launches not known to have ended"));
  fake.stopped = 0;
  begin("working");
  launch(FREE, 3, (struct parameters){41, 0, {0}});
  gp_snapshot_begin(GP_AT_THE_END, 0);
  end();
  gp_snapshot_end();
  assert_int_equal(row_named("working")->uncounted_launches, 0);
}

static void regions_share_what_is_remembered(void **state) {
  (void)state;
  begin("one");
  launch(FREE, 11, (struct parameters){4, 0, {0}});
  end();
  assert_int_equal(fake.clones, 1);
  begin("two");
  launch(FREE, 11, (struct parameters){4, 0, {0}});
  launch(FREE, 11, (struct parameters){4, 0, {0}});
  end();
  assert_int_equal(fake.clones, 0);
  expect("one", 1, 11, 4);
  expect("two", 2, 22, 8);
}

/* Like the journal: earlier work on the device would delay it. */
static int pass_by(void) {
  if (result)
    gp_aggregate_free(result);
  gp_snapshot_begin(GP_ON_THE_WAY, 0);
  result = gp_aggregate_make();
  assert_non_null(result);
  return gp_snapshot_end().exact;
}

static void a_busy_device_is_not_waited_for(void **state) {
  (void)state;
  begin("busy");
  launch(LIGHT, 3, (struct parameters){1, 0, {0}});
  gp_device()->synchronize();
  launch(LIGHT, 5, (struct parameters){1, 0, {0}});
  launch(FREE, 17, (struct parameters){1, 0, {0}});
  const int waits = fake.waits;
  assert_false(pass_by());
  assert_int_equal(fake.waits, waits);
  expect("busy", 3, 3, 1); /* the work so far */
  gp_device()->synchronize();
  assert_true(pass_by());
  expect("busy", 3, 3 + 5 + 17, 3);
  end();
  expect("busy", 3, 3 + 5 + 17, 3);
}

static void *launch_beside(void *unused) {
  const uint32_t region = gpuprof_region_begin("beside");
  launch(LIGHT, 5, (struct parameters){1, 0, {0}});
  launch(FREE, 61, (struct parameters){1, 0, {0}});
  gpuprof_region_end(region);
  return unused;
}

/* A thread does this while a document is read, and gets through the gate: it may wait only so long. */
static void do_while_reading(void *(*call)(void *unused)) {
  pthread_t thread;
  gp_device()->synchronize();
  if (result)
    gp_aggregate_free(result);
  gp_snapshot_begin(GP_ON_THE_WAY, 0);
  pthread_create(&thread, NULL, call, NULL);
  pthread_join(thread, NULL);
  result = gp_aggregate_make();
  assert_non_null(result);
  gp_snapshot_end();
}

static void clones_launched_while_a_document_is_read_keep_their_counts(void **state) {
  (void)state;
  begin("main thread's");
  do_while_reading(launch_beside);
  end();
  expect("beside", 2, 5 + 61, 1 + 1);
  assert_int_equal(row_named("beside")->uncounted_launches, 0);
}

static void *foresee(void *unused) {
  struct parameters p = {9, 0, {0}};
  void *arguments[] = {&p.first, &p.second, &p.third};
  const struct gp_launch l = {.function = &unit.functions[FREE], .grid = {67, 1, 1}, .block = {1, 1, 1}, .arguments = arguments};
  assert_non_null(gp_clones_foresee(gp_kernel_of(&unit.functions[FREE]), &l));
  return unused;
}

/* Like a graph that is made. */
static void clones_of_foreseen_launches_keep_their_counts(void **state) {
  (void)state;
  begin("foreseen");
  do_while_reading(foresee);
  launch(FREE, 67, (struct parameters){9, 0, {0}});
  end();
  assert_int_equal(fake.clones, 1);
  expect("foreseen", 1, 67, 9);
}

/* Launches for which no room is left are summed up on the device, and their clones run each time. */
static void a_launch_never_waits_for_room(void **state) {
  (void)state;
  enum { LAUNCHES = 6000 };
  uint64_t sum = 0;
  begin("full");
  fake.clone_groups = 16;
  const int waits = fake.waits;
  for (int i = 0; i < LAUNCHES; i++, sum += (uint64_t)i)
    launch(LARGE, 1, (struct parameters){100 + i, 0, {0}});
  assert_int_equal(fake.clones, LAUNCHES);
  launch(LARGE, 1, (struct parameters){100, 0, {0}}); /* of those remembered */
  assert_int_equal(fake.clones, LAUNCHES);
  launch(LARGE, 1, (struct parameters){99 + LAUNCHES, 0, {0}});
  assert_int_equal(fake.clones, LAUNCHES + 1);
  assert_int_equal(fake.waits, waits);
  end();
  expect("full", LAUNCHES + 2, LAUNCHES + 2, sum + 99 * LAUNCHES + 100 + 99 + LAUNCHES);
  launch(LARGE, 1, (struct parameters){99 + LAUNCHES, 0, {0}}); /* there is room again */
  launch(LARGE, 1, (struct parameters){99 + LAUNCHES, 0, {0}});
  assert_int_equal(fake.clones, LAUNCHES + 2);
}

static void devices_do_not_share(void **state) {
  (void)state;
  begin("devices");
  launch(FREE, 13, (struct parameters){1, 0, {0}});
  fake.device = 1;
  launch(FREE, 13, (struct parameters){1, 0, {0}});
  fake.device = 0;
  end();
  assert_int_equal(fake.clones, 2);
  expect("devices", 2, 26, 2);
}

static void a_clone_that_reads_memory_runs_each_time(void **state) {
  (void)state;
  begin("light");
  for (int i = 0; i < 4; i++)
    launch(LIGHT, 2, (struct parameters){i / 2, 0, {0}});
  end();
  assert_int_equal(fake.clones, 4);
  expect("light", 4, 8, 0 + 0 + 1 + 1);
}

/* ---- Launches partly countable by the clone ---- */

/* Read pointers of "apart", and a structure with its written pointer. */
static int launch_apart(uint32_t number, uint64_t read, uint64_t written) {
  const uint64_t structure[] = {0, written};
  void *arguments[] = {&number, &read, (void *)(uintptr_t)structure};
  return fake_launch_cloned(&unit, APART, NULL, 2, arguments);
}

enum { MEBIBYTE = 1 << 20 }; /* an allocation of the fake device */

static void pointers_into_different_allocations_leave_it_to_the_clone(void **state) {
  (void)state;
  begin("different");
  launch_apart(3, 5 * MEBIBYTE, 6 * MEBIBYTE);
  launch_apart(4, 8 * MEBIBYTE, 7 * MEBIBYTE - 1);
  end();
  assert_int_equal(fake.clones, 2);
  assert_int_equal(fake.instrumented, 0);
  expect("different", 2, 4, 7);
}

static void pointers_into_one_allocation_take_the_copy_with_counters(void **state) {
  (void)state;
  begin("one allocation");
  launch_apart(3, 5 * MEBIBYTE, 6 * MEBIBYTE - 1);
  launch_apart(4, 5 * MEBIBYTE, 5 * MEBIBYTE);
  launch_apart(5, 5 * MEBIBYTE, 6 * MEBIBYTE);
  end();
  assert_int_equal(fake.clones, 1);
  assert_int_equal(fake.instrumented, 2);
  expect("one allocation", 3, 6, 1003 + 1004 + 5);
  assert_true(expect_note("some of its launches ran a copy with counters: it may write what its control flow depends on"));
}

static void regions_keep_the_counts_of_instances_apart(void **state) {
  (void)state;
  begin("first");
  launch_apart(1, 5 * MEBIBYTE, 5 * MEBIBYTE);
  end();
  begin("second");
  launch_apart(2, 5 * MEBIBYTE, 5 * MEBIBYTE);
  end();
  expect("first", 1, 2, 1001);
  expect("second", 1, 2, 1002);
}

/* Its registers may keep a clone out of block sizes that fit the kernel. */
static void a_clone_too_large_for_the_block_leaves_it_to_the_copy_with_counters(void **state) {
  (void)state;
  begin("large blocks");
  fake.clone_threads = 512;
  fake.block_threads = 1024;
  launch(LIGHT, 2, (struct parameters){3, 0, {0}});
  fake.block_threads = 512;
  launch(LIGHT, 2, (struct parameters){4, 0, {0}});
  end();
  assert_int_equal(fake.instrumented, 1);
  assert_int_equal(fake.clones, 1);
  const struct gp_row *row = row_named("large blocks");
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 4);
  assert_int_equal(row->totals.amount[GP_COST_fp64_add], 1003 + 4);
  assert_int_equal(row->uncounted_launches, 0);
  assert_true(expect_note("some of its launches ran a copy with counters: its clone cannot be launched in blocks of this size"));
}

static void unknown_memory_takes_the_copy_with_counters(void **state) {
  (void)state;
  begin("unknown");
  launch_apart(3, 100, 6 * MEBIBYTE); /* below the first allocation */
  launch_apart(4, 6 * MEBIBYTE, 100);
  end();
  assert_int_equal(fake.instrumented, 2);
  expect("unknown", 2, 4, 1003 + 1004);
}

static void memory_at_two_addresses_takes_the_copy_with_counters(void **state) {
  (void)state;
  begin("shared");
  fake.shared_memory = 9;
  launch_apart(3, 5 * MEBIBYTE, 6 * MEBIBYTE);
  end();
  assert_int_equal(fake.instrumented, 1);
  expect("shared", 1, 2, 1003);
}

static void null_pointers_read_and_write_nothing(void **state) {
  (void)state;
  begin("null");
  launch_apart(3, 0, 6 * MEBIBYTE);
  launch_apart(4, 6 * MEBIBYTE, 0);
  end();
  assert_int_equal(fake.clones, 2);
  expect("null", 2, 4, 7);
}

static void instrumented_kernels_survive_a_reset_of_the_device(void **state) {
  (void)state;
  begin("instrumented kernels and reset");
  launch_apart(3, 5 * MEBIBYTE, 5 * MEBIBYTE);
  gp_device_resets(0);
  launch_apart(4, 5 * MEBIBYTE, 5 * MEBIBYTE);
  end();
  expect("instrumented kernels and reset", 2, 4, 1003 + 1004);
}

static void a_launch_without_its_copy_is_listed_as_uncounted(void **state) {
  (void)state;
  begin("lost");
  fake.instrumented_problem = "its module does not have the copy";
  launch_apart(3, 5 * MEBIBYTE, 5 * MEBIBYTE);
  fake.instrumented_problem = NULL;
  end();
  expect("lost", 1, 0, 0);
  assert_int_equal(result->uncounted_count, 1);
  assert_string_equal(result->uncounted[0].what, "launches of apart");
  assert_string_equal(result->uncounted[0].why, "its module does not have the copy");
  assert_string_equal(result->uncounted[0].path, "lost");
  assert_int_equal(result->uncounted[0].launches, 1);
  assert_false(gp_row_is_counted(row_named("lost")));
}

/* ---- Rows with missing launches ---- */

static const struct gp_row *kernel_named(const char *name) {
  for (const struct gp_row *row = result->kernels.children; row; row = row->next)
    if (!strcmp(row->mangled, name))
      return row;
  fail_msg("there is no kernel %s", name);
  return NULL;
}

static void expect_uncounted(const char *kernel, uint64_t launches, const char *why) {
  const struct gp_row *row = row_named(root_name);
  assert_int_equal(row->uncounted_launches, launches);
  assert_true(kernel_named(kernel)->uncounted_launches >= launches);
  for (size_t i = 0; i < result->uncounted_count; i++) {
    const struct gp_uncounted *u = &result->uncounted[i];
    if (u->path && !strcmp(u->path, root_name) && strstr(u->what, kernel)) {
      assert_int_equal(u->launches, launches);
      assert_non_null(strstr(u->why, why));
      return;
    }
  }
  fail_msg("launches of %s are not in the list", kernel);
}

static void launches_whose_clone_is_refused_are_missing(void **state) {
  (void)state;
  begin("missing");
  launch(FREE, 31, (struct parameters){1, 0, {0}});
  fake.clone_problem = "the driver refused";
  launch(FREE, 37, (struct parameters){1, 0, {0}});
  launch(FREE, 37, (struct parameters){1, 0, {0}});
  fake.clone_problem = NULL;
  end();
  expect("missing", 3, 31, 1);
  expect_uncounted("free", 2, "the driver refused");
  assert_true(gp_row_is_counted(row_named("missing")));
}

static void a_clone_that_did_not_end_is_missing(void **state) {
  (void)state;
  static const uint64_t elsewhere;
  begin("unfinished");
  fake.clone_unit = &elsewhere; /* the header names no unit of the kernel */
  launch(LIGHT, 2, (struct parameters){1, 0, {0}});
  launch(LIGHT, 2, (struct parameters){1, 0, {0}});
  launch(FREE, 41, (struct parameters){1, 0, {0}});
  launch(FREE, 41, (struct parameters){1, 0, {0}});
  end();
  assert_int_equal(row_named("unfinished")->launches, 4);
  assert_int_equal(row_named("unfinished")->uncounted_launches, 4);
  assert_false(gp_row_is_counted(row_named("unfinished")));
  uint32_t again = gpuprof_region_begin("unfinished");
  fake.clone_unit = unit.counters;
  launch(LIGHT, 2, (struct parameters){5, 0, {0}}); /* lost counts stay lost */
  gpuprof_region_end(again);
  gp_aggregate_free(result);
  result = gp_aggregate_make();
  expect("unfinished", 5, 2, 5);
  assert_int_equal(row_named("unfinished")->uncounted_launches, 4);
}

static void counts_that_cannot_be_read_are_missing(void **state) {
  (void)state;
  begin("unreadable");
  launch(LIGHT, 2, (struct parameters){1, 0, {0}});
  fake.fail_read = 1;
  end();
  expect_uncounted("light", 1, "could not be read");
  fake.fail_read = 0;
  gp_aggregate_free(result);
  result = gp_aggregate_make();
  expect("unreadable", 1, 2, 1);
  assert_int_equal(row_named("unreadable")->uncounted_launches, 0);
}

static void counting_goes_on_after_a_report(void **state) {
  (void)state;
  begin("on");
  launch(LIGHT, 1, (struct parameters){5, 0, {0}});
  gp_aggregate_free(gp_aggregate_make());
  launch(LIGHT, 1, (struct parameters){6, 0, {0}});
  launch(FREE, 17, (struct parameters){5, 0, {0}});
  gp_aggregate_free(gp_aggregate_make());
  launch(FREE, 17, (struct parameters){5, 0, {0}});
  end();
  expect("on", 4, 1 + 1 + 17 + 17, 5 + 6 + 5 + 5);
}

static void nothing_is_counted_outside_of_enabled_parts(void **state) {
  (void)state;
  begin("paused");
  launch(FREE, 2, (struct parameters){1, 0, {0}});
  gpuprof_disable();
  launch(FREE, 2, (struct parameters){1, 0, {0}});
  gpuprof_enable();
  end();
  expect("paused", 1, 2, 1);
}

static void a_clone_that_cannot_run_is_said(void **state) {
  (void)state;
  begin("refused");
  fake.clone_problem = "the driver refused";
  launch(FREE, 19, (struct parameters){1, 0, {0}});
  fake.clone_problem = NULL;
  launch(FREE, 19, (struct parameters){1, 0, {0}});
  end();
  expect("refused", 2, 19, 1);
  assert_true(expect_note("some of its launches are not counted: the driver refused"));
}

static void no_memory_is_said(void **state) {
  (void)state;
  begin("memory");
  fake.fail_allocation = 1;
  launch(FREE, 23, (struct parameters){1, 0, {0}});
  fake.fail_allocation = 0;
  end();
  expect("memory", 1, 0, 0);
  assert_true(expect_note("some of its launches are not counted: out of memory"));
}

static void captured_launches_are_said(void **state) {
  (void)state;
  begin("captured");
  launch(FREE, 2, (struct parameters){1, 0, {0}});
  fake.capturing = 1;
  launch(FREE, 2, (struct parameters){1, 0, {0}});
  fake.capturing = 0;
  end();
  expect("captured", 1, 2, 1);
  assert_int_equal(fake.clones, 0); /* equal ones ran in tests before, and none runs in a capture */
  assert_true(expect_note("and count for the region that launches the graph"));
}

static void counts_survive_a_reset_of_the_device(void **state) {
  (void)state;
  begin("reset");
  launch(FREE, 29, (struct parameters){3, 0, {0}});
  launch(LIGHT, 29, (struct parameters){3, 0, {0}});
  gp_device_resets(0);
  fake.fail_read = 1; /* the device's counts are gone */
  gp_aggregate_free(result);
  result = gp_aggregate_make();
  expect("reset", 2, 2 * 29, 2 * 3);
  fake.fail_read = 0;
  launch(FREE, 29, (struct parameters){3, 0, {0}});
  launch(LIGHT, 29, (struct parameters){3, 0, {0}});
  end();
  expect("reset", 4, 4 * 29, 4 * 3);
}

/* Too many to remember: the later ones are counted at each launch. */
static void memory_is_bounded_and_counts_are_exact(void **state) {
  (void)state;
  enum { LAUNCHES = 20000 };
  begin("bounded");
  uint64_t sum = 0;
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < LAUNCHES; i++) {
      launch(FREE, 1, (struct parameters){1000 + i, 0, {0}});
      sum += 1000 + (uint64_t)i;
    }
  end();
  assert_in_range(fake.clones, LAUNCHES + 1, 2 * LAUNCHES - 1);
  expect("bounded", 2 * LAUNCHES, 2 * LAUNCHES, sum);
}

static void *launch_many(void *stream) {
  uint32_t region = gpuprof_region_begin("threads");
  for (int i = 0; i < 500; i++) {
    launch_on(stream, FREE, 1 + (uint32_t)(i % 5), (struct parameters){50, 0, {0}});
    launch_on(stream, LIGHT, 1, (struct parameters){1, 0, {0}});
  }
  gpuprof_region_end(region);
  return NULL;
}

static void threads_may_launch_together(void **state) {
  (void)state;
  begin("main thread");
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_many, (void *)(i + 1)), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  end();
  expect("threads", 4000, 4 * (500 * 3 + 500), 4 * (500 * 50 + 500));
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_launches_run_one_clone),
      cmocka_unit_test(what_the_clone_reads_is_the_key),
      cmocka_unit_test(launches_of_a_stopped_device_count_if_they_have_ended),
      cmocka_unit_test(regions_share_what_is_remembered),
      cmocka_unit_test(a_launch_never_waits_for_room),
      cmocka_unit_test(devices_do_not_share), cmocka_unit_test(a_busy_device_is_not_waited_for),
      cmocka_unit_test(clones_launched_while_a_document_is_read_keep_their_counts),
      cmocka_unit_test(clones_of_foreseen_launches_keep_their_counts),
      cmocka_unit_test(a_clone_that_reads_memory_runs_each_time),
      cmocka_unit_test(pointers_into_different_allocations_leave_it_to_the_clone),
      cmocka_unit_test(pointers_into_one_allocation_take_the_copy_with_counters),
      cmocka_unit_test(regions_keep_the_counts_of_instances_apart),
      cmocka_unit_test(unknown_memory_takes_the_copy_with_counters),
      cmocka_unit_test(memory_at_two_addresses_takes_the_copy_with_counters),
      cmocka_unit_test(null_pointers_read_and_write_nothing),
      cmocka_unit_test(instrumented_kernels_survive_a_reset_of_the_device),
      cmocka_unit_test(a_launch_without_its_copy_is_listed_as_uncounted),
      cmocka_unit_test(a_clone_too_large_for_the_block_leaves_it_to_the_copy_with_counters),
      cmocka_unit_test(launches_whose_clone_is_refused_are_missing),
      cmocka_unit_test(a_clone_that_did_not_end_is_missing),
      cmocka_unit_test(counts_that_cannot_be_read_are_missing),
      cmocka_unit_test(counting_goes_on_after_a_report),
      cmocka_unit_test(nothing_is_counted_outside_of_enabled_parts),
      cmocka_unit_test(a_clone_that_cannot_run_is_said),
      cmocka_unit_test(no_memory_is_said),
      cmocka_unit_test(captured_launches_are_said),
      cmocka_unit_test(counts_survive_a_reset_of_the_device),
      cmocka_unit_test(threads_may_launch_together),
      cmocka_unit_test(memory_is_bounded_and_counts_are_exact),
      cmocka_unit_test(launches_that_a_formula_cannot_count_run_the_clone),
      cmocka_unit_test(launches_counted_by_a_formula_run_no_clone),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
