// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernel times from event pairs, on a fake CUDA runtime. The test
 * includes the file under test, to see the times handed to the core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "fakes.h"

#define gp_events_launch_begin tested_launch_begin
#define gp_events_launch_end tested_launch_end
#define gp_events_flush tested_flush
#define gp_events_idle tested_idle
#define gp_events_forget tested_forget
#define gp_launch_time seen_launch_time
#include "../../runtime/cuda/events.c"

static uint64_t seen_ids, seen_count, last_start;

void seen_launch_time(uint64_t id, uint64_t start, uint64_t duration, enum gp_time_source source) {
  assert_int_equal(source, GP_TIME_EVENT);
  assert_int_equal(duration, 1000000); /* the fake's events are a millisecond apart */
  assert_true(start > last_start);
  last_start = start;
  seen_ids += id;
  seen_count++;
}

static void launch(uint64_t id, int error) {
  const struct gp_launch l = {.id = id, .device = 0};
  tested_launch_begin(&l);
  tested_launch_end(&l, error);
}

static void every_launch_gets_its_time(void **state) {
  (void)state;
  assert_true(gp_cuda_usable());
  seen_count = seen_ids = 0;
  for (uint64_t id = 1; id <= 10; id++)
    launch(id, 0);
  assert_int_equal(seen_count, 0);
  tested_flush();
  assert_int_equal(seen_count, 10);
  assert_int_equal(seen_ids, 55);
}

static void failed_launches_have_none(void **state) {
  (void)state;
  seen_count = 0;
  launch(1, 9);
  tested_flush();
  assert_int_equal(seen_count, 0);
}

static void captured_launches_have_none(void **state) {
  (void)state;
  void (*fake_set_capture_status)(int);
  *(void **)&fake_set_capture_status =
      dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_set_capture_status");
  fake_set_capture_status(1);
  seen_count = 0;
  launch(1, 0);
  fake_set_capture_status(0);
  tested_flush();
  assert_int_equal(seen_count, 0);
}

static void finished_launches_are_collected_before_the_list_grows_long(void **state) {
  (void)state;
  seen_count = 0;
  for (uint64_t id = 1; id <= 5000; id++)
    launch(id, 0);
  assert_true(seen_count >= 2000);
  tested_flush();
  assert_int_equal(seen_count, 5000);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_launch_gets_its_time),
      cmocka_unit_test(failed_launches_have_none),
      cmocka_unit_test(captured_launches_have_none),
      cmocka_unit_test(finished_launches_are_collected_before_the_list_grows_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
