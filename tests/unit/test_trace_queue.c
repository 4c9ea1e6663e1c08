// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The queue of trace events: order, a bound, and several writers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "timeline/trace_queue.h"

static int begin(void **state) {
  (void)state;
  gp_trace_queue_reset();
  return 0;
}

static void put(uint64_t number, enum gp_trace_kind kind) {
  gp_trace_queue_put(&(struct gp_trace_event){.kind = (unsigned char)kind, .value = number, .registers = 32});
}

static void events_keep_their_order(void **state) {
  (void)state;
  struct gp_trace_event event;
  assert_false(gp_trace_queue_take(&event));
  put(1, GP_TRACE_CALL);
  put(2, GP_TRACE_KERNEL);
  assert_true(gp_trace_queue_take(&event));
  assert_int_equal(event.value, 1);
  assert_true(gp_trace_queue_take(&event));
  assert_int_equal(event.value, 2);
  assert_int_equal(event.registers, 32);
  assert_false(gp_trace_queue_take(&event));
}

static void a_full_queue_drops_and_counts(void **state) {
  (void)state;
  struct gp_trace_event event;
  for (uint64_t i = 0; i < GP_TRACE_EVENTS + 5; i++)
    put(i, GP_TRACE_CALL);
  assert_int_equal(gp_trace_queue_dropped(), 5);
  for (uint64_t i = 0; i < GP_TRACE_EVENTS; i++) {
    assert_true(gp_trace_queue_take(&event));
    assert_int_equal(event.value, i);
  }
  assert_false(gp_trace_queue_take(&event));
  put(7, GP_TRACE_CALL); /* there is room again */
  assert_true(gp_trace_queue_take(&event));
  assert_int_equal(event.value, 7);
}

#define WRITERS 4
#define EACH 50000u

static void *write_many(void *writer) {
  for (uint64_t i = 0; i < EACH; i++)
    put((uint64_t)(uintptr_t)writer << 32 | i, GP_TRACE_CALL);
  return NULL;
}

static void several_threads_write(void **state) {
  (void)state;
  pthread_t threads[WRITERS];
  uint64_t next[WRITERS] = {0}, taken = 0;
  struct gp_trace_event event;
  for (uintptr_t i = 0; i < WRITERS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, write_many, (void *)i), 0);
  while (taken + gp_trace_queue_dropped() < (uint64_t)WRITERS * EACH) {
    if (!gp_trace_queue_take(&event))
      continue;
    const uint64_t writer = event.value >> 32, number = event.value & UINT32_MAX;
    assert_true(number >= next[writer]); /* each thread's events are in order, some may be missing */
    next[writer] = number + 1;
    taken++;
  }
  for (int i = 0; i < WRITERS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(taken + gp_trace_queue_dropped(), (uint64_t)WRITERS * EACH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(events_keep_their_order, begin),
      cmocka_unit_test_setup(a_full_queue_drops_and_counts, begin),
      cmocka_unit_test_setup(several_threads_write, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
