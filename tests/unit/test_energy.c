// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Joules of windows between two updates of a device's counter, and their share of regions open in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/nvml.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/energy_sampler.h"
#include "report/report_energy.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tscale\tgroups=1\n"
                            "end\n";
static const char *const names[] = {"scale", NULL};
static struct fake_unit unit;

static int set_up(void **state) {
  (void)state;
  gp_energy_forget();
  fake.used = 1;
  fake.millijoules[0] = fake.millijoules[1] = 1000;
  fake.other_processes = 0;
  fake.energy_problem = NULL;
  gp_energy_look(); /* what the counters say at the beginning */
  return 0;
}

/* Something passes: windows must not be empty. */
static void let_time_pass(void) {
  const struct timespec time = {.tv_nsec = 100000};
  nanosleep(&time, NULL);
}

static int update(int device, uint64_t millijoules) {
  let_time_pass();
  fake.millijoules[device] += millijoules;
  return gp_energy_look();
}

static void assert_near(double value, double expected) {
  if (fabs(value - expected) > 1e-9 * fabs(expected))
    fail_msg("%.17g, expected %.17g", value, expected);
}

static void windows_lie_between_updates(void **state) {
  (void)state;
  assert_int_equal(gp_energy_look(), 0);
  assert_int_equal(update(0, 70), 0);    /* how long it took is not known */
  assert_int_equal(gp_energy_look(), 0); /* no update */
  assert_int_equal(update(0, 5000), 1);
  assert_int_equal(update(0, 2500), 1);
  assert_near(gp_energy_totals().run.joules, 7.5);
  assert_int_equal(gp_energy_totals().run.windows, 2);
  assert_true(gp_energy_totals().run.seconds > 0);
}

static void regions_have_the_share_of_their_open_time(void **state) {
  (void)state;
  update(0, 1);
  update(0, 1);
  const uint32_t outer_token = gpuprof_region_begin("outer");
  const struct gp_context *outer = gp_regions_context();
  update(0, 1000); /* opened within it */
  const struct gp_energy before = gp_energy_of(outer);
  const uint32_t inner_token = gpuprof_region_begin("inner");
  const struct gp_context *inner = gp_regions_context();
  let_time_pass();
  gpuprof_region_end(inner_token);
  let_time_pass();
  update(0, 8000);
  const struct gp_energy after = gp_energy_of(outer), part = gp_energy_of(inner);
  gpuprof_region_end(outer_token);
  assert_near(after.joules - before.joules, 8); /* open throughout */
  assert_int_equal(after.windows, before.windows + 1);
  assert_true(part.joules > 0 && part.joules < 8);
  /* by time: the same power as the whole */
  assert_near(part.joules / part.seconds, (after.joules - before.joules) / (after.seconds - before.seconds));
  update(0, 4000);
  const struct gp_energy ended = gp_energy_of(outer); /* closed within it */
  update(0, 4000);
  assert_near(gp_energy_of(outer).joules, ended.joules);
  assert_near(gp_energy_of(inner).joules, part.joules);
}

static void regions_that_ended_before_have_none(void **state) {
  (void)state;
  const uint32_t token = gpuprof_region_begin("before");
  const struct gp_context *before = gp_regions_context();
  let_time_pass();
  gpuprof_region_end(token);
  update(0, 1); /* the first window begins */
  update(0, 5000);
  assert_int_equal(gp_energy_of(before).windows, 0);
  assert_true(gp_energy_of(before).joules == 0);
}

static void a_counter_that_goes_back_drops_the_window(void **state) {
  (void)state;
  update(0, 1);
  update(0, 1000);
  fake.millijoules[0] = 5;
  assert_int_equal(gp_energy_look(), 1);
  update(0, 2000);
  assert_near(gp_energy_totals().run.joules, 3);
  assert_int_equal(gp_energy_totals().dropped, 1);
}

static void idle_power_is_of_windows_without_launches(void **state) {
  (void)state;
  const uint64_t threads = 1;
  update(0, 1);
  update(0, 6000);
  fake_launch(&unit, 0, NULL, 1, &threads, 1);
  gp_device()->synchronize(); /* it has ended before the window */
  update(0, 9000);
  assert_near(gp_energy_totals().idle.joules, 6);
  assert_near(gp_energy_totals().run.joules, 15);
}

static void windows_of_several_devices_wait_for_all(void **state) {
  (void)state;
  fake.used = 3;
  gp_energy_look();
  update(0, 1);
  update(1, 1); /* both have had an update */
  assert_int_equal(update(0, 1000), 0);
  assert_int_equal(update(1, 3000), 1);
  assert_near(gp_energy_totals().run.joules, 4);
}

static void a_refusal_is_a_state(void **state) {
  (void)state;
  fake.energy_problem = "the driver does not permit reading it";
  assert_int_equal(gp_energy_look(), 0);
  assert_string_equal(gp_energy_totals().problem, "the driver does not permit reading it");
  assert_int_equal(gp_energy_totals().run.windows, 0);
}

static void other_processes_are_seen(void **state) {
  (void)state;
  fake.other_processes = 2;
  gp_energy_look();
  fake.other_processes = 0;
  gp_energy_look();
  assert_int_equal(gp_energy_totals().other_processes, 2);
}

/* The member of a row with so much energy. */
static char *written(struct gp_energy energy, int in_kernel) {
  const struct gp_row row = {.energy = energy, .in_kernel = in_kernel};
  char *text;
  size_t bytes;
  struct gp_json json;
  FILE *stream = open_memstream(&text, &bytes);
  gp_json_begin(&json, stream);
  gp_json_compact(&json, 1);
  gp_json_object(&json, NULL);
  gp_report_row_energy(&json, &row);
  gp_json_close_object(&json);
  gp_json_end(&json);
  fclose(stream);
  return text;
}

static void assert_written(struct gp_energy energy, int in_kernel, const char *expected) {
  char *text = written(energy, in_kernel);
  assert_string_equal(text, expected);
  free(text);
}

static void short_windows_are_null(void **state) {
  (void)state;
  static const char null[] = "{\"energy_joules\": null,\"energy_seconds\": null}\n";
  assert_written((struct gp_energy){250, 1, 10}, 0, "{\"energy_joules\": 250.0,\"energy_seconds\": 1.0}\n");
  assert_written((struct gp_energy){250, 0.99, 10}, 0, null);
  assert_written((struct gp_energy){250, 1, 9}, 0, null);
  assert_written((struct gp_energy){250, 1, 10}, 1, null);
}

static void a_machine_without_nvml_says_so(void **state) {
  (void)state;
  uint64_t millijoules;
  unsigned others;
  if (dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    puts("skipped: this machine has NVML");
    skip();
  }
  assert_non_null(strstr(gp_nvml_energy(0, &millijoules, &others), "libnvidia-ml.so.1 was not found"));
}

static int begin(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(windows_lie_between_updates),
      TEST(regions_have_the_share_of_their_open_time),
      TEST(regions_that_ended_before_have_none),
      TEST(a_counter_that_goes_back_drops_the_window),
      TEST(idle_power_is_of_windows_without_launches),
      TEST(windows_of_several_devices_wait_for_all),
      TEST(a_refusal_is_a_state),
      TEST(other_processes_are_seen),
      TEST(short_windows_are_null),
      TEST(a_machine_without_nvml_says_so),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
