// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* GPUPROF_WARMUP: the decision for a launch takes as much time after any number of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/kernels.h"
#include "core/warmup.h"
#include "fake_device.h"
#include "gpuprof.h"

#include <stdlib.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\twork\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
static const char *const names[] = {"work", NULL};
static struct fake_unit unit;

static void launch(void) {
  const uint64_t threads = 1;
  assert_int_equal(fake_launch(&unit, 0, NULL, 1, &threads, 1), 0);
}

static struct gp_kernel *kernel(void) { return gp_kernel_of(&unit.functions[0]); }

static void all_steps_of_a_region_share_one_tally(void **state) {
  (void)state;
  enum { STEPS = 500 };
  const uint32_t token = gpuprof_region_begin("training");
  for (int step = 0; step < STEPS; step++) {
    gpuprof_step(step);
    launch();
  }
  gpuprof_region_end(token);
  assert_int_equal(kernel()->warmups.count, 1);
  unsigned records = 0;
  for (const struct gp_record *record = kernel()->records; record; record = record->next, records++) {
    assert_int_equal(record->warmup->launches, STEPS);
    assert_int_equal(record->warmup->early, 2);
  }
  assert_int_equal(records, STEPS);
}

static void each_region_has_a_tally_of_its_own(void **state) {
  (void)state;
  const size_t before = kernel()->warmups.count;
  const uint32_t token = gpuprof_region_begin("validation");
  launch();
  gpuprof_region_end(token);
  assert_int_equal(kernel()->warmups.count, before + 1);
  assert_int_equal(kernel()->records->warmup->launches, 1);
  assert_int_equal(kernel()->records->warmup->early, 1);
  assert_false(gp_warmup_leaves_out(kernel()->records));
}

static int set_up(void **state) {
  (void)state;
  setenv("GPUPROF_WARMUP", "2", 1);
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_steps_of_a_region_share_one_tally),
      cmocka_unit_test(each_region_has_a_tally_of_its_own),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
