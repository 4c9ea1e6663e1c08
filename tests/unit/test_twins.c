// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels counted by an instrumented twin: which of the two a launch runs, and with which counters; on the fake device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"
#include "core/kernels.h"
#include "core/uncounted.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/device_reset.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"
#include "sheet/modules.h"

#include <pthread.h>
#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t0\t1\t-\t-\t0\tfp64_add=1\n"
                            "twin\t0\t1\n"
                            "kernel\t1\tplain\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "kernel\t2\tgiven\tgroups=2\n"
                            "cost\t2\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t2\t1\t-\t-\t0\tfp64_add=1\n"
                            "twin\t2\t1\n"
                            "counters\t2\t1\t8\n"
                            "kernel\t3\tlight\tgroups=2\n"
                            "cost\t3\t0\t-\t-\t0\tfp32_add=1\n"
                            "cost\t3\t1\t-\t-\t0\tfp64_add=1\n"
                            "clone\t3\tlight\t2\t1:0:4\n"
                            "apart\t3\t0:0\t1:0\n"
                            "counters\t3\t2\t16\n"
                            "kernel\t4\tmany\tgroups=2\n"
                            "cost\t4\t0\t-\t-\t0\tfp32_add=1\n"
                            "twin\t4\t40\n"
                            "counters\t4\t40\t320\n"
                            "end\n";
static const char *const names[] = {"twinned", "plain", "given", "light", "many", NULL};
enum { TWINNED, PLAIN, GIVEN, LIGHT, MANY };
#define A ((void *)0x100)
#define B ((void *)0x200)
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

/* ---- Twins that get the address of their counters ---- */

static void begin_given(const char *name) {
  begin(name);
  fake.counters_argument = 1;
}

static int launch_in(void *stream, uint32_t blocks, uint32_t number) {
  void *arguments[] = {&number};
  return fake_launch_cloned(&unit, GIVEN, stream, blocks, arguments);
}

static uint32_t launch_in_region(const char *name, void *stream, uint32_t blocks) {
  const uint32_t region = gpuprof_region_begin(name);
  assert_int_equal(launch_in(stream, blocks, 0), 0);
  gpuprof_region_end(region);
  return blocks;
}

static uint64_t adds_of(const struct gp_row *parent, const char *name) {
  for (const struct gp_row *row = parent->children; row; row = row->next)
    if (!strcmp(row->name, name))
      return row->totals.amount[GP_COST_fp32_add];
  fail_msg("there is no region %s", name);
  return 0;
}

/* The streams of the fake device run the newest first: a switch would come too late or too early. */
static void launches_on_streams_need_no_fence(void **state) {
  (void)state;
  begin_given("streams");
  uint64_t first = 0, second = 0;
  for (uint32_t i = 1; i <= 3; i++) {
    first += launch_in_region("first", A, i);
    second += launch_in_region("second", B, 10 * i);
    first += launch_in_region("first", B, 100 * i);
    second += launch_in_region("second", A, 1000 * i);
  }
  assert_int_equal(fake.instrumented, 12);
  assert_int_equal(fake.numbers_asked, 0);
  assert_int_equal(fake.fences, 0);
  assert_int_equal(fake.fences_awaited, 0);
  assert_int_equal(fake.stores, 0);
  const struct gp_row *row = end();
  assert_int_equal(adds_of(row, "first"), first);
  assert_int_equal(adds_of(row, "second"), second);
}

/* Launches of graphs bind the counters. They stay bound, and are none of those that a launch gets. */
static void launches_behind_a_graph_need_no_fence(void **state) {
  (void)state;
  begin_given("behind a graph");
  struct gp_kernel *kernel = gp_kernel_of(&unit.functions[GIVEN]);
  launch_in_region("before", A, 1);
  gp_kernel_lock(kernel);
  assert_non_null(gp_kernel_bind_counters(kernel, gp_regions_context(), 0, A));
  gp_kernel_launched(kernel, 0, A);
  gp_kernel_unlock(kernel);
  const int fences = fake.fences, numbers = fake.numbers_asked;
  launch_in_region("behind", A, 2);
  launch_in_region("behind", B, 3);
  assert_int_equal(fake.fences, fences);
  assert_int_equal(fake.numbers_asked, numbers);
  const struct gp_row *row = end();
  assert_int_equal(adds_of(row, "before"), 1);
  assert_int_equal(adds_of(row, "behind"), 5);
}

static void copies_of_cloned_kernels_need_no_fence(void **state) {
  (void)state;
  begin("light");
  fake.counters_argument = 2;
  uint64_t same = 5u << 20;
  void *arguments[] = {&same, &same};
  for (int i = 0; i < 2; i++)
    assert_int_equal(fake_launch_cloned(&unit, LIGHT, i ? B : A, 3, arguments), 0);
  assert_int_equal(fake.instrumented, 2);
  assert_int_equal(fake.numbers_asked + fake.fences + fake.stores, 0);
  const struct gp_row *row = end();
  assert_int_equal(row->uncounted_launches, 0);
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 2 * 3);
}

static void a_kernel_with_many_parameters_gets_the_address_behind_them(void **state) {
  (void)state;
  begin("many");
  fake.counters_argument = 40;
  uint32_t numbers[40] = {7};
  void *arguments[40];
  for (int i = 0; i < 40; i++)
    arguments[i] = &numbers[i];
  assert_int_equal(fake_launch_cloned(&unit, MANY, A, 3, arguments), 0);
  assert_int_not_equal(fake.given, 0);
  assert_int_equal(end()->totals.amount[GP_COST_fp32_add], 3);
}

/* Address 0 would be that of the counters bound last, for another region. */
static void without_memory_the_kernel_itself_runs(void **state) {
  (void)state;
  begin_given("exhausted");
  fake.fail_allocation = 1;
  assert_int_equal(launch_in(A, 2, 3), 0);
  fake.fail_allocation = 0;
  assert_int_equal(fake.instrumented, 0);
  const struct gp_row *row = end();
  assert_int_equal(row->launches, 1);
  assert_int_equal(row->uncounted_launches, 1);
}

/* It is not known which of the modules' twins runs: the counters of both are bound. */
static void a_kernel_of_two_modules_gets_no_address(void **state) {
  (void)state;
  static const char text[] = "gpuprof-sheet\t1\nkernel\t0\tinlined\tgroups=2\ncost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                             "twin\t0\t1\ncounters\t0\t1\t8\nend\n";
  static const char *const inlined[] = {"inlined", NULL};
  static struct fake_unit a, b;
  fake_register(&a, text, inlined);
  fake_register(&b, text, inlined);
  gp_modules_register_function(b.handle, &a.functions[0], "inlined"); /* the linker kept one stub */
  begin_given("two modules");
  fake.clone_unit = a.counters;
  uint32_t number = 0;
  void *arguments[] = {&number};
  assert_int_equal(fake_launch_cloned(&a, 0, A, 3, arguments), 0);
  assert_int_equal(fake.given, 0);
  assert_int_equal(fake.stores, 2);
  assert_int_equal(end()->totals.amount[GP_COST_fp32_add], 3);
  fake_unregister(&b);
  fake_unregister(&a);
}

/* ---- Several threads ---- */

static uint32_t number_of_threads = 5;
static void *arguments_of_threads[] = {&number_of_threads};

static void *launch_given(void *name) {
  const uint32_t region = gpuprof_region_begin(name);
  fake_launch_cloned(&unit, GIVEN, B, 3, arguments_of_threads);
  gpuprof_region_end(region);
  return NULL;
}

static _Atomic int inside, met;

/* Waits in the launch for another one, for a second at most. */
static void meet(void) {
  const uint64_t last = gp_now() + 1000000000;
  inside++;
  while (inside < 2 && gp_now() < last)
    ;
  met += inside >= 2;
}

/* With counters bound for all launches one would wait for the other, to switch them. */
static void launches_of_different_regions_do_not_wait_for_each_other(void **state) {
  (void)state;
  begin_given("threads");
  fake.while_launching = meet;
  inside = met = 0;
  pthread_t other;
  pthread_create(&other, NULL, launch_given, "another region");
  assert_int_equal(launch_in(A, 2, 3), 0);
  pthread_join(other, NULL);
  assert_int_equal(met, 2);
  fake.while_launching = NULL;
  assert_int_equal(end()->totals.amount[GP_COST_fp32_add], 2);
}

static void *launch_without_memory(void *unused) {
  (void)unused;
  const uint32_t region = gpuprof_region_begin("needs counters");
  fake.allocations_left = 1; /* none, until counters are released */
  fake_launch(&unit, PLAIN, NULL, 1, NULL, 2);
  fake.allocations_left = 0;
  gpuprof_region_end(region);
  return NULL;
}

static void run_in_thread(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

static void need_memory(void) { run_in_thread(launch_without_memory); }

/* Counters are released to make room for others, but not those that a launch under way has got. */
static void counters_outlive_the_launch_that_got_them(void **state) {
  (void)state;
  begin_given("under way");
  fake.while_launching = need_memory;
  assert_int_equal(launch_in(A, 4, 3), 0);
  fake.while_launching = NULL;
  const struct gp_record *record = gp_kernel_of(&unit.functions[GIVEN])->records;
  assert_int_equal(record->counters[0], fake.given);
  assert_int_equal(end()->totals.amount[GP_COST_fp32_add], 4);
}

static pthread_t resetting;

static void *reset(void *unused) {
  (void)unused;
  gp_device_resets(0);
  return NULL;
}

static void begin_reset(void) {
  struct gp_kernel *kernel = gp_kernel_of(&unit.functions[GIVEN]);
  const uint64_t last = gp_now() + 1000000000;
  pthread_create(&resetting, NULL, reset, NULL);
  for (int waits = 0; !waits && gp_now() < last;) {
    gp_kernel_lock(kernel);
    waits = kernel->targets[0].resetting;
    gp_kernel_unlock(kernel);
  }
}

/* Counts are saved behind it, not before. */
static void a_reset_of_the_device_waits_for_a_launch_under_way(void **state) {
  (void)state;
  begin_given("reset");
  fake.while_launching = begin_reset;
  assert_int_equal(launch_in(A, 4, 3), 0);
  fake.while_launching = NULL;
  pthread_join(resetting, NULL);
  assert_int_equal(gp_kernel_of(&unit.functions[GIVEN])->targets[0].resetting, 0);
  assert_int_equal(launch_in(A, 5, 3), 0);
  const struct gp_row *row = end();
  assert_int_equal(row->totals.amount[GP_COST_fp32_add], 9);
  assert_int_equal(row->uncounted_launches, 0);
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
      cmocka_unit_test(launches_on_streams_need_no_fence),
      cmocka_unit_test(launches_behind_a_graph_need_no_fence),
      cmocka_unit_test(copies_of_cloned_kernels_need_no_fence),
      cmocka_unit_test(a_kernel_with_many_parameters_gets_the_address_behind_them),
      cmocka_unit_test(without_memory_the_kernel_itself_runs),
      cmocka_unit_test(a_kernel_of_two_modules_gets_no_address),
      cmocka_unit_test(launches_of_different_regions_do_not_wait_for_each_other),
      cmocka_unit_test(counters_outlive_the_launch_that_got_them),
      cmocka_unit_test(a_reset_of_the_device_waits_for_a_launch_under_way),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
