// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Threads that launch one kernel at once: launches of a kernel that a free clone counts do not wait for one another. */
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
                            "end\n";
static const char *const names[] = {"free", NULL};
static struct fake_unit unit;

enum { THREADS = 4, LAUNCHES = 2000 };

static int32_t argument = 7;
static void *arguments[] = {&argument};

static struct gp_launch launch_of_unit(void) {
  return (struct gp_launch){.function = &unit.functions[0], .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
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

static void *launch_once(void *unused) {
  gp_launch(launch_of_unit(), meet, NULL);
  return unused;
}

static int nothing(void *unused) {
  (void)unused;
  return 0;
}

static void a_launch_does_not_wait_for_one_under_way(void **state) {
  (void)state;
  pthread_t threads[2];
  gp_launch(launch_of_unit(), nothing, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, launch_once, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(met, 2);
}

/* ---- Nothing is lost ---- */

static void *launch_many(void *name) {
  const uint32_t region = gpuprof_region_begin(name);
  for (int i = 0; i < LAUNCHES; i++)
    gp_launch(launch_of_unit(), nothing, NULL);
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
      cmocka_unit_test(a_launch_does_not_wait_for_one_under_way),
      cmocka_unit_test(launches_of_all_threads_are_counted),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
