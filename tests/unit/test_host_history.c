// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the host did in a gap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/regions.h"
#include "timeline/host_history.h"

static struct gp_context root, outer = {.parent = &root}, inner = {.parent = &outer};

static int begin(void **state) {
  (void)state;
  gp_host_history_reset();
  return 0;
}

static void add(enum gp_host_event_kind kind, uint64_t start, uint64_t end, const struct gp_context *context) {
  gp_host_history_add((struct gp_host_event){.start = start, .end = end, .context = context, .kind = kind});
}

static void launch(uint64_t time, const struct gp_context *context, uint64_t execution) {
  gp_host_history_add(
      (struct gp_host_event){.start = time, .end = time, .context = context, .kind = GP_HOST_LAUNCH, .execution = execution});
}

static void waits_and_copies_are_added_up(void **state) {
  (void)state;
  add(GP_HOST_WAIT, 50, 120, &root);
  add(GP_HOST_WAIT, 150, 160, &root);
  add(GP_HOST_COPY, 180, 400, &root);
  const struct gp_host_activity found = gp_host_history_during(100, 200);
  assert_int_equal(found.wait_ns, 30);
  assert_int_equal(found.copy_ns, 20);
  assert_null(found.region);
}

static void the_innermost_region_counts(void **state) {
  (void)state;
  add(GP_HOST_REGION, 110, 190, &inner);
  add(GP_HOST_REGION, 0, 500, &outer);
  assert_ptr_equal(gp_host_history_during(100, 200).region, &inner);
  assert_ptr_equal(gp_host_history_during(200, 400).region, &outer); /* the inner one was not open */
  assert_null(gp_host_history_during(450, 700).region);             /* open for a fifth of it */
}

static void an_open_region_holds_the_launches_around(void **state) {
  (void)state;
  launch(90, &inner, 4);
  launch(210, &inner, 4);
  assert_ptr_equal(gp_host_history_during(100, 200).region, &inner);
}

static void another_execution_is_not_open_between(void **state) {
  (void)state;
  launch(90, &inner, 4);
  launch(210, &inner, 5);
  assert_ptr_equal(gp_host_history_during(100, 200).region, &outer); /* as far as is known */
  add(GP_HOST_REGION, 80, 95, &outer);
  assert_ptr_equal(gp_host_history_during(100, 200).region, &root);
}

static void old_events_give_way(void **state) {
  (void)state;
  add(GP_HOST_WAIT, 100, 200, &root);
  for (unsigned i = 0; i < GP_HOST_EVENTS; i++)
    add(GP_HOST_WAIT, 1000 + i, 1001 + i, &root);
  assert_int_equal(gp_host_history_during(100, 200).wait_ns, 0);
  assert_int_equal(gp_host_history_during(1000, 1010).wait_ns, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(waits_and_copies_are_added_up, begin),
      cmocka_unit_test_setup(the_innermost_region_counts, begin),
      cmocka_unit_test_setup(an_open_region_holds_the_launches_around, begin),
      cmocka_unit_test_setup(another_execution_is_not_open_between, begin),
      cmocka_unit_test_setup(old_events_give_way, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
