// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Outstanding times of launches: each thread has its own, any thread takes them, and none is taken twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/state.h"
#include "core/kernels.h"
#include "fake_device.h"
#include "launch/launch_threads.h"
#include "launch/launch_times.h"

#include <pthread.h>
#include <sched.h>

static struct gp_kernel kernel;
static struct gp_record record = {.kernel = &kernel};
static int flushes, looks;

static void flush(void) { flushes++; }
static int idle(void) { return ++looks, 0; }

static uint64_t await(void) {
  const uint64_t id = gp_launch_next_id(gp_launch_thread());
  gp_launch_times_await(id, &record, NULL, 0);
  return id;
}

static uint64_t times(void) {
  gp_records_lock();
  const uint64_t count = record.time.count;
  gp_records_unlock();
  return count;
}

static void a_time_is_taken_once(void **state) {
  (void)state;
  const uint64_t before = times(), id = await();
  gp_launch_time(id, 1, 10, GP_TIME_EVENT);
  gp_launch_time(id, 1, 10, GP_TIME_EVENT); /* of another source */
  assert_int_equal(times() - before, 1);
}

static void a_launch_that_failed_has_none(void **state) {
  (void)state;
  const uint64_t before = times(), id = await();
  gp_launch_times_cancel(id);
  gp_launch_time(id, 1, 10, GP_TIME_EVENT);
  assert_int_equal(times(), before);
}

static void threads_have_numbers_of_their_own(void **state) {
  (void)state;
  assert_int_equal(gp_launch_id_thread(gp_launch_next_id(NULL)), 0);
  const uint64_t first = gp_launch_next_id(gp_launch_thread()), second = gp_launch_next_id(gp_launch_thread());
  assert_int_not_equal(gp_launch_id_thread(first), 0);
  assert_int_equal(gp_launch_id_thread(first), gp_launch_id_thread(second));
  assert_int_equal(gp_launch_id_place(second), gp_launch_id_place(first) + 1);
}

/* A device that never tells a time is waited for seldom; the oldest launches are given up. */
static void a_silent_device_does_not_stop_launches(void **state) {
  (void)state;
  enum { LAUNCHES = 40000, PLACES = 16384 };
  const uint64_t lost = gp_launches_untimed(), before = times();
  uint64_t last = 0;
  flushes = looks = 0;
  for (int i = 0; i < LAUNCHES; i++)
    last = await();
  assert_int_equal(gp_launches_untimed() - lost, LAUNCHES - PLACES);
  assert_in_range(flushes, 1, 10);
  assert_in_range(looks, 1, LAUNCHES);
  gp_launch_time(last, 1, 10, GP_TIME_EVENT);
  assert_int_equal(times() - before, 1);
}

static _Atomic uint64_t published;
static _Atomic int ended;

static void *take_times(void *unused) {
  for (uint64_t taken = 0; !ended; sched_yield())
    for (const uint64_t now = published; taken != now; taken = now)
      gp_launch_time(now, 1, 10, GP_TIME_EVENT);
  return unused;
}

/* Two threads are told of each launch. */
static void two_threads_may_take_it(void **state) {
  (void)state;
  pthread_t threads[2];
  const uint64_t before = times();
  uint64_t all = 0;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, take_times, NULL);
  for (; all < 200; all++) {
    const uint64_t last = times();
    const uint64_t id = await();
    gp_launch_times_issued(id, NULL, 5);
    published = id;
    while (times() == last)
      sched_yield();
  }
  ended = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(times() - before, all);
}

static void *take_the_coming(void *unused) {
  for (uint64_t taken = 0; !ended;) {
    const uint64_t now = published;
    if (taken != now)
      gp_launch_time(taken = now, 1, 10, GP_TIME_EVENT);
  }
  return unused;
}

/* The time comes while a later launch needs the place. */
static void no_launch_is_both_timed_and_given_up(void **state) {
  (void)state;
  enum { LAUNCHES = 2000000, PLACES = 16384 };
  pthread_t taker;
  static uint64_t ids[PLACES];
  for (int i = 0; i < PLACES; i++)
    ids[i] = await();
  const uint64_t before = times() + gp_launches_untimed();
  ended = 0;
  pthread_create(&taker, NULL, take_the_coming, NULL);
  for (int i = 0; i < LAUNCHES; i++) {
    published = ids[i % PLACES];
    for (volatile int pause = 0; pause < i % 64; pause++)
      ;
    ids[i % PLACES] = await();
  }
  ended = 1;
  pthread_join(taker, NULL);
  assert_int_equal(times() + gp_launches_untimed() - before, LAUNCHES);
}

static int set_up(void **state) {
  (void)state;
  static struct gp_device_ops device;
  device = fake_device;
  device.flush = flush;
  device.idle = idle;
  gp_state();
  gp_device_override(&device);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_time_is_taken_once),
      cmocka_unit_test(a_launch_that_failed_has_none),
      cmocka_unit_test(threads_have_numbers_of_their_own),
      cmocka_unit_test(two_threads_may_take_it),
      cmocka_unit_test(a_silent_device_does_not_stop_launches),
      cmocka_unit_test(no_launch_is_both_timed_and_given_up),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
