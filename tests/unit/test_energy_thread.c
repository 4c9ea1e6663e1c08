// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* GPUPROF_ENERGY=1: the first launch starts the thread that looks at the counter, and the end of the program ends it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/own_cost.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/energy_sampler.h"
#include "core/regions.h"

#include <stdlib.h>
#include <time.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tscale\tgroups=1\n"
                            "end\n";
static const char *const names[] = {"scale", NULL};
static struct fake_unit unit;

static void wait_for_windows(uint64_t windows) {
  const struct timespec pause = {.tv_nsec = 1000000};
  while (gp_energy_totals().run.windows < windows)
    nanosleep(&pause, NULL);
}

static void a_launch_begins_and_the_end_ends(void **state) {
  (void)state;
  const uint64_t threads = 1;
  fake.used = 1;
  fake.energy_step = 1000; /* each look finds an update of a joule */
  assert_false(gp_energy_totals().wanted);
  const uint32_t token = gpuprof_region_begin("training");
  const struct gp_context *context = gp_regions_context();
  fake_launch(&unit, 0, NULL, 1, &threads, 1);
  assert_true(gp_energy_totals().wanted);
  wait_for_windows(3);
  gp_energy_finish();
  gpuprof_region_end(token);
  const struct gp_energy_totals totals = gp_energy_totals();
  assert_null(totals.problem);
  assert_true(totals.run.joules == (double)totals.run.windows);
  assert_true(gp_energy_of(context).joules > 0);
  assert_true(gp_energy_of(context).joules <= totals.run.joules);
  assert_true(gp_own_threads_ns() > 0); /* its time is of gpuprof's own cost */
  gp_energy_finish(); /* it has ended */
  assert_int_equal(gp_energy_totals().run.windows, totals.run.windows);
}

static int begin(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  setenv("GPUPROF_ENERGY", "1", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_launch_begins_and_the_end_ends)};
  return cmocka_run_group_tests(tests, begin, NULL);
}
