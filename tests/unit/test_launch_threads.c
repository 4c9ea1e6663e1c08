// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Threads that launch one kernel at once: launches with the same counters do not wait for one another, switches do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "core/kernels.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t0\tfree\t1\t0:0:4\n"
                            "kernel\t1\tcounted\tgroups=1\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
enum { FREE, COUNTED };
static const char *const names[] = {"free", "counted", NULL};
static struct fake_unit unit;

enum { THREADS = 4, LAUNCHES = 2000 };

static int32_t argument = 7;
static void *arguments[] = {&argument};

static struct gp_launch launch_of(int kernel) {
  return (struct gp_launch){.function = &unit.functions[kernel], .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
}

/* ---- Two launches at once ---- */

static _Atomic int inside, met;

/* Waits in the launch for another one, for a second at most. */
static int meet(void *unused) {
  (void)unused;
  const uint64_t end = gp_now() + 1000000000;
  inside++;
  while (inside < 2 && gp_now() < end)
    ;
  met += inside >= 2;
  return 0;
}

static void *launch_once(void *kernel) {
  gp_launch(launch_of(*(int *)kernel), meet, NULL);
  return NULL;
}

static int nothing(void *unused) {
  (void)unused;
  return 0;
}

static void two_launches_meet(int kernel) {
  pthread_t threads[2];
  inside = met = 0;
  gp_launch(launch_of(kernel), nothing, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, launch_once, &kernel);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(met, 2);
}

static void a_launch_counted_by_a_clone_does_not_wait_for_another(void **state) {
  (void)state;
  two_launches_meet(FREE);
}

static void a_launch_with_counters_does_not_wait_for_another(void **state) {
  (void)state;
  two_launches_meet(COUNTED);
}

/* ---- A switch of counters waits ---- */

static _Atomic int other_comes, stores_then = -1;

/* Gives the other thread time to switch the counters, if it can. */
static int look_at_stores(void *unused) {
  (void)unused;
  const int before = fake.stores;
  inside = 1;
  while (!other_comes)
    ;
  const uint64_t end = gp_now() + 50000000;
  while (gp_now() < end && fake.stores == before)
    ;
  stores_then = fake.stores - before;
  return 0;
}

static void *launch_elsewhere(void *unused) {
  while (!inside)
    ;
  const uint32_t region = gpuprof_region_begin("elsewhere");
  other_comes = 1;
  gp_launch(launch_of(COUNTED), nothing, NULL);
  gpuprof_region_end(region);
  return unused;
}

static void a_switch_waits_for_launches_under_way(void **state) {
  (void)state;
  pthread_t other;
  inside = 0;
  pthread_create(&other, NULL, launch_elsewhere, NULL);
  const uint32_t region = gpuprof_region_begin("here");
  gp_launch(launch_of(COUNTED), look_at_stores, NULL);
  gpuprof_region_end(region);
  pthread_join(other, NULL);
  assert_int_equal(stores_then, 0);
}

/* ---- A switch is not put off for ever ---- */

enum { MANY = 200000 };
static _Atomic int goes_on, entered, wants_switch, after; /* after: launches since a switch is wanted */

/* Stays until the other thread is in its call, too; for 20 ms at most, since a switch keeps the other one out. */
static int enter_and_yield(void *unused) {
  (void)unused;
  const int own = ++entered;
  after += wants_switch;
  const uint64_t end = gp_now() + 20000000;
  while (goes_on && entered == own && gp_now() < end)
    ;
  return 0;
}

/* Two of them: one is in the call whenever the other leaves it, unless it is kept out. */
static void *launch_on_and_on(void *unused) {
  const uint32_t region = gpuprof_region_begin("on and on");
  while (goes_on && after < MANY)
    gp_launch(launch_of(COUNTED), enter_and_yield, NULL);
  gpuprof_region_end(region);
  return unused;
}

static void a_switch_comes_between_launches_that_overlap(void **state) {
  (void)state;
  pthread_t threads[2];
  goes_on = 1;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, launch_on_and_on, NULL);
  while (entered < 10)
    ;
  const uint32_t region = gpuprof_region_begin("in between");
  wants_switch = 1;
  gp_launch(launch_of(COUNTED), nothing, NULL);
  gpuprof_region_end(region);
  goes_on = 0;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert_in_range(after, 0, MANY - 1);
}

/* ---- Nothing is lost ---- */

static void *launch_many(void *name) {
  const uint32_t region = gpuprof_region_begin(name);
  for (int i = 0; i < LAUNCHES; i++)
    gp_launch(launch_of(FREE), nothing, NULL);
  gpuprof_region_end(region);
  return NULL;
}

static void launches_of_all_threads_are_counted(void **state) {
  (void)state;
  static char region[] = "threads";
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, launch_many, region);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  struct gp_aggregate *aggregate = gp_aggregate_make();
  assert_non_null(aggregate);
  const struct gp_row *row = aggregate->regions.children;
  while (row && strcmp(row->name, region))
    row = row->next;
  assert_non_null(row);
  assert_int_equal(row->launches, THREADS * LAUNCHES);
  assert_int_equal(row->threads, THREADS * LAUNCHES * 32);
  gp_aggregate_free(aggregate);
}

static int set_up(void **state) {
  (void)state;
  const int off = fake_begin(&unit, sheet, names);
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_parameters = 1, .clone_unit = unit.counters};
  return off;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_counted_by_a_clone_does_not_wait_for_another),
      cmocka_unit_test(a_launch_with_counters_does_not_wait_for_another),
      cmocka_unit_test(a_switch_waits_for_launches_under_way),
      cmocka_unit_test(a_switch_comes_between_launches_that_overlap),
      cmocka_unit_test(launches_of_all_threads_are_counted),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
