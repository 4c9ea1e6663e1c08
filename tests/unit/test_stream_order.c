// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Streams wait for switches of a kernel's counters, and switches for launches on other streams; the host waits for none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/stream_order.h"
#include "fake_device.h"

#define A ((void *)0x100)
#define B ((void *)0x200)
#define C ((void *)0x300)

static struct gp_stream_order order;

static int begin(void **state) {
  (void)state;
  fake.waits = fake.fences_awaited = 0;
  gp_device_override(&fake_device);
  return 0;
}

static int end(void **state) {
  (void)state;
  gp_stream_order_device_resets(&order);
  gp_device_override(NULL);
  return 0;
}

static void switch_in(void *stream) {
  gp_stream_order_before_switch(&order, stream);
  gp_stream_order_switched(&order, stream);
}

static void launch_in(void *stream) {
  gp_stream_order_before_launch(&order, stream);
  gp_stream_order_launched(&order, stream);
}

static void one_stream_awaits_nothing(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    switch_in(A);
    launch_in(A);
    launch_in(A);
  }
  assert_int_equal(fake.fences_awaited, 0);
}

static void a_second_stream_awaits_the_switch_once(void **state) {
  (void)state;
  switch_in(A);
  launch_in(A);
  launch_in(B);
  launch_in(B);
  assert_int_equal(fake.fences_awaited, 1);
  assert_int_equal(fake.waits, 0);
}

static void a_switch_awaits_the_launches_of_others(void **state) {
  (void)state;
  switch_in(A);
  launch_in(NULL); /* the default stream: its fence is set now */
  launch_in(B);
  launch_in(A);
  fake.fences_awaited = 0;
  switch_in(A);
  assert_int_equal(fake.fences_awaited, 2);
  assert_int_equal(fake.waits, 0);
}

/* Another launch of the kernel may have counters of another kind. */
/* Threads launch in streams of their own: each launch has its fence, in whatever order they end. */
static void launches_under_way_together_have_fences_of_their_own(void **state) {
  (void)state;
  switch_in(A);
  gp_stream_order_before_launch(&order, A);
  gp_stream_order_before_launch(&order, B);
  gp_stream_order_launched(&order, A);
  gp_stream_order_launched(&order, B);
  const int before = fake.fences_awaited;
  switch_in(C);
  assert_int_equal(fake.fences_awaited, before + 3); /* the switch before, and both launches */
}

static void a_launch_that_was_not_begun_sets_no_fence(void **state) {
  (void)state;
  switch_in(A);
  launch_in(B);
  const int fences = fake.fences;
  gp_stream_order_launched(&order, B);
  assert_int_equal(fake.fences, fences);
  launch_in(B);
  assert_int_equal(fake.fences, fences + 1);
}

/* The order of two switches, also if nothing was launched between them. */
static void a_switch_awaits_the_switch_before(void **state) {
  (void)state;
  switch_in(A);
  switch_in(B);
  assert_int_equal(fake.fences_awaited, 1);
}

static void streams_that_ended_take_no_memory(void **state) {
  (void)state;
  switch_in(A);
  for (uintptr_t i = 0; i < 100; i++) {
    launch_in((void *)(0x1000 + i % 8 * 0x100));
    if (i % 4 == 3)
      fake_device.synchronize();
  }
  assert_in_range(order.capacity, 1, 8);
}

static void a_device_whose_launches_end_in_their_calls_needs_no_order(void **state) {
  (void)state;
  struct gp_device_ops without = fake_device;
  without.fence = NULL;
  gp_device_override(&without);
  switch_in(A);
  launch_in(B);
  switch_in(B);
  assert_int_equal(order.capacity, 0);
  assert_int_equal(fake.fences_awaited, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(one_stream_awaits_nothing),
      TEST(a_second_stream_awaits_the_switch_once),
      TEST(a_switch_awaits_the_launches_of_others),
      TEST(launches_under_way_together_have_fences_of_their_own),
      TEST(a_switch_awaits_the_switch_before),
      TEST(a_launch_that_was_not_begun_sets_no_fence),
      TEST(streams_that_ended_take_no_memory),
      TEST(a_device_whose_launches_end_in_their_calls_needs_no_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
