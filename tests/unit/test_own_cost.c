// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof's account of its own cost: sums over threads, quantiles of samples, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/own_cost.h"
#include "gpuprof.h"

#include <pthread.h>

static int begin(void **state) {
  (void)state;
  gp_own_cost_begin_anew();
  return 0;
}

static void launch(uint64_t ticks, uint64_t call_ns) {
  const int is_sample = gp_own_cost_samples_launch();
  gp_own_cost_launched(ticks, call_ns);
  if (is_sample)
    gp_own_cost_sample(GP_OWN_LAUNCH, ticks);
}

static void *launch_many(void *ticks) {
  for (int i = 0; i < 1000; i++)
    launch(*(const uint64_t *)ticks, 7);
  return NULL;
}

static void launches_of_all_threads_are_summed(void **state) {
  (void)state;
  uint64_t ns[] = {100, 200, 300};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, launch_many, &ns[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(gp_own_cost_launches().launches, 3000);
  assert_int_equal(gp_own_cost_launches().ticks, 600000);
  assert_int_equal(gp_own_cost_launches().calls_ns, 3 * 7000);
  assert_in_range(gp_own_cost_quantiles(GP_OWN_LAUNCH).samples, 3 * 1000 / 16, GP_OWN_SAMPLES);
  assert_int_equal(gp_own_cost_quantiles(GP_OWN_LAUNCH).median, 200);
}

/* The first launches of a program are slow, and few. */
static void the_first_launches_and_each_16th_are_samples(void **state) {
  (void)state;
  for (int i = 0; i < 49; i++)
    launch(5, 1);
  assert_int_equal(gp_own_cost_quantiles(GP_OWN_LAUNCH).samples, 16 + 3);
}

static void quantiles_are_of_the_latest_samples(void **state) {
  (void)state;
  assert_int_equal(gp_own_cost_quantiles(GP_OWN_REGION).samples, 0);
  gp_own_cost_sample(GP_OWN_REGION, 1000000);
  for (uint64_t i = 1; i <= GP_OWN_SAMPLES; i++)
    gp_own_cost_sample(GP_OWN_REGION, i);
  const struct gp_own_quantiles q = gp_own_cost_quantiles(GP_OWN_REGION);
  assert_int_equal(q.samples, GP_OWN_SAMPLES);
  assert_int_equal(q.median, GP_OWN_SAMPLES / 2);
  assert_int_equal(q.p95, 487);
  assert_int_equal(q.maximum, GP_OWN_SAMPLES);
}

static void a_few_samples_have_quantiles(void **state) {
  (void)state;
  for (uint64_t i = 1; i <= 3; i++)
    gp_own_cost_sample(GP_OWN_LAUNCH, i);
  const struct gp_own_quantiles q = gp_own_cost_quantiles(GP_OWN_LAUNCH);
  assert_int_equal(q.median, 2);
  assert_int_equal(q.p95, 3);
}

static void memory_is_added_and_taken_off(void **state) {
  (void)state;
  const uint64_t before = gp_own_memory(GP_OWN_DEVICE);
  gp_own_memory_add(GP_OWN_DEVICE, 100);
  gp_own_memory_add(GP_OWN_DEVICE, -40);
  assert_int_equal(gp_own_memory(GP_OWN_DEVICE), before + 60);
}

/* Eight together, behind one that is left out. */
static void a_few_of_many_executions_of_a_region_are_samples(void **state) {
  (void)state;
  for (int i = 0; i < 4 * 1024; i++)
    gpuprof_region_end(gpuprof_region_begin("sampled"));
  const struct gp_own_quantiles q = gp_own_cost_quantiles(GP_OWN_REGION);
  assert_int_equal(q.samples, 4 * 8);
  assert_true(q.median > 0 && q.median <= q.maximum);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(launches_of_all_threads_are_summed, begin),
      cmocka_unit_test_setup(the_first_launches_and_each_16th_are_samples, begin),
      cmocka_unit_test_setup(quantiles_are_of_the_latest_samples, begin),
      cmocka_unit_test_setup(a_few_samples_have_quantiles, begin),
      cmocka_unit_test_setup(memory_is_added_and_taken_off, begin),
      cmocka_unit_test_setup(a_few_of_many_executions_of_a_region_are_samples, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
