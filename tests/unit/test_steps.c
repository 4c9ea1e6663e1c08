// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lines of steps on the fake device: growth of the store, the rate of the runtime's looks, and the values read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "core/time_steps.h"
#include "fake_device.h"

#include <string.h>

static struct gpuprof_step_control control;

/* As compiled code finds it. */
static struct gpuprof_step_store *store(void) {
  return (struct gpuprof_step_store *)(uintptr_t)*(uint64_t *)(uintptr_t)control.cell;
}

/* Claims the next line of the store for a step, as compiled code does, and adds to its first counter. */
static void claim(uint64_t id, int64_t step, uint64_t line, uint64_t amount) {
  uint64_t *keys = (uint64_t *)(uintptr_t)store()->keys, *lines = (uint64_t *)(uintptr_t)store()->lines;
  uint64_t at = store()->used++;
  keys[at] = id << GPUPROF_STEP_ID_SHIFT | line << GPUPROF_STEP_LINE_SHIFT |
             (uint64_t)(step + (1ll << (GPUPROF_STEP_BITS - 1)));
  lines[at * GPUPROF_STEP_LINE] += amount;
}

static int begin(void **state) {
  (void)state;
  gp_device_override(&fake_device);
  gp_time_steps_device_resets(0);
  return 0;
}

static void each_kernel_gets_ids_of_its_own(void **state) {
  (void)state;
  uint64_t first = 0, second = 0, again;
  assert_int_equal(gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 3, &first), 0);
  assert_int_equal(control.first_id, first);
  assert_true(first > 0);
  assert_int_equal(gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 1, &second), 0);
  assert_int_equal(second, first + 3);
  again = first; /* after a reset of the device */
  assert_int_equal(gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 3, &again), 0);
  assert_int_equal(again, first);
  assert_int_equal(store()->mask + 1, 1u << 17);
}

static void a_larger_store_takes_the_place_of_one_that_is_half_claimed(void **state) {
  (void)state;
  uint64_t id = 0;
  gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 1, &id);
  const struct gpuprof_step_store *before = store();
  const uint64_t capacity = before->mask + 1;
  gp_time_steps_before_launch(0);
  for (uint64_t i = 0; i < capacity / 2; i++)
    claim(id, (int64_t)i, 0, 1);
  gp_time_steps_before_launch(0);
  assert_ptr_equal(store(), before); /* no more than half */
  claim(id, -7, 0, 1);
  gp_time_steps_before_launch(0);
  assert_ptr_not_equal(store(), before);
  assert_int_equal(store()->mask + 1, 2 * capacity);
  assert_int_equal(store()->used, 0);
}

static void the_device_is_seldom_waited_for(void **state) {
  (void)state;
  uint64_t id = 0;
  gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 1, &id);
  fake.waits = 0;
  for (int launch = 0; launch < 2560; launch++) {
    gp_time_steps_before_launch(0);
    if (launch < 4)
      claim(id, launch, 0, 1);
  }
  assert_in_range(fake.waits, 1, 16);
}

static void lines_of_all_stores_are_read_in_order(void **state) {
  (void)state;
  struct gp_step_lines all;
  uint64_t id = 0;
  size_t count;
  gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 2, &id);
  claim(id + 1, 4, 0, 10);
  claim(id, 1ll << 34, 2, 20);
  gp_time_steps_device_resets(0); /* read values stay */
  gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 2, &id);
  claim(id, -(1ll << 34), 0, 30);
  claim(id, 1ll << 34, 2, 40);
  assert_int_equal(gp_time_steps_read(&all), 0);
  const struct gp_step_line *line = gp_time_steps_of(&all, id, &count);
  assert_int_equal(count, 3);
  assert_true(line[0].step == -(1ll << 34) && line[0].line == 0 && line[0].counts[0] == 30);
  assert_true(line[1].step == 1ll << 34 && line[1].line == 2);
  assert_int_equal(line[1].counts[0] + line[2].counts[0], 60);
  line = gp_time_steps_of(&all, id + 1, &count);
  assert_int_equal(count, 1);
  assert_true(line->step == 4 && line->counts[0] == 10 && line->counts[1] == 0);
  gp_time_steps_of(&all, id + 2, &count);
  assert_int_equal(count, 0);
  gp_time_steps_free(&all);
}

static void without_memory_steps_have_no_lines(void **state) {
  (void)state;
  uint64_t id = 0;
  fake.fail_allocation = 1;
  assert_int_not_equal(gp_time_steps_prepare(0, (uint64_t)(uintptr_t)&control, 1, &id), 0);
  fake.fail_allocation = 0;
  assert_int_equal(control.first_id, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(each_kernel_gets_ids_of_its_own, begin),
      cmocka_unit_test_setup(a_larger_store_takes_the_place_of_one_that_is_half_claimed, begin),
      cmocka_unit_test_setup(the_device_is_seldom_waited_for, begin),
      cmocka_unit_test_setup(lines_of_all_stores_are_read_in_order, begin),
      cmocka_unit_test_setup(without_memory_steps_have_no_lines, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
