// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gate of launches: counts inside are whole while it is closed, and nobody waits for ever on either side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/gate.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define THREADS 4

static const struct gp_gate_terms patient = {.wait_ns = 60 * SECOND, .patience_ns = 60 * SECOND};

/* A launch adds to both; a reader seeing only one of them was let in too early. */
static atomic_uint begun, ended;
static atomic_int stop;

static void launch(void) {
  gp_gate_enter();
  gp_gate_enter(); /* like a launching callback */
  atomic_fetch_add(&begun, 1);
  sched_yield();
  atomic_fetch_add(&ended, 1);
  gp_gate_leave();
  gp_gate_leave();
}

static void *launch_always(void *unused) {
  while (!atomic_load(&stop))
    launch();
  return unused;
}

static void no_launch_is_inside_while_the_gate_is_closed(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  uint64_t kept;
  unsigned before = 0;
  atomic_store(&stop, 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_always, NULL), 0);
  for (int i = 0; i < 2000; i++) {
    assert_int_equal(gp_gate_close(&patient), 0);
    const unsigned first = atomic_load(&begun);
    assert_int_equal(atomic_load(&ended), first);
    sched_yield();
    assert_int_equal(atomic_load(&begun), first);
    assert_true(gp_gate_open(&kept));
    while (i % 100 == 0 && atomic_load(&begun) == before) /* and it opens again */
      sched_yield();
    before = first;
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static void own_launches_are_not_waited_for(void **state) {
  (void)state;
  uint64_t kept;
  const struct gp_gate_terms endless = {.wait_ns = 600 * SECOND, .patience_ns = 600 * SECOND}; /* ctest ends it before */
  gp_gate_enter();
  assert_true(gp_gate_is_inside());
  assert_int_equal(gp_gate_close(&endless), 1);
  launch(); /* passes its own gate */
  assert_true(gp_gate_open(&kept));
  gp_gate_leave();
  assert_false(gp_gate_is_inside());
  assert_int_equal(gp_gate_close(&patient), 0);
  assert_true(gp_gate_open(&kept));
}

static atomic_int is_inside, may_leave;

static void *stay_inside(void *unused) {
  gp_gate_enter();
  atomic_store(&is_inside, 1);
  while (!atomic_load(&may_leave))
    usleep(1000);
  gp_gate_leave();
  return unused;
}

static pthread_t start_long_launch(void) {
  pthread_t thread;
  atomic_store(&is_inside, 0);
  atomic_store(&may_leave, 0);
  assert_int_equal(pthread_create(&thread, NULL, stay_inside, NULL), 0);
  while (!atomic_load(&is_inside))
    usleep(1000);
  return thread;
}

static void a_launch_that_does_not_end_is_told(void **state) {
  (void)state;
  const struct gp_gate_terms terms = {.wait_ns = SECOND / 100, .patience_ns = 60 * SECOND};
  pthread_t thread = start_long_launch();
  uint64_t kept;
  assert_int_equal(gp_gate_close(&terms), 1);
  assert_true(gp_gate_open(&kept));
  const struct gp_gate_terms excusing = {.wait_ns = 60 * SECOND, .patience_ns = 60 * SECOND, .excused = 1};
  assert_int_equal(gp_gate_close(&excusing), 1); /* a thread ending the program never leaves */
  assert_true(gp_gate_open(&kept));
  atomic_store(&may_leave, 1);
  pthread_join(thread, NULL);
}

static void *launch_and_release(void *unused) {
  launch();
  atomic_store(&may_leave, 1);
  return unused;
}

/* A kernel waiting for a later launch: the closing thread waits for the kernel, the kernel for the launch at the gate. */
static void a_launch_that_loses_patience_opens_the_gate(void **state) {
  (void)state;
  const struct gp_gate_terms terms = {.wait_ns = 600 * SECOND, .patience_ns = SECOND / 10};
  pthread_t first = start_long_launch(), second;
  uint64_t kept;
  assert_int_equal(pthread_create(&second, NULL, launch_and_release, NULL), 0);
  gp_gate_close(&terms); /* the second may have come in before */
  const int held = gp_gate_open(&kept);
  assert_true(held || kept > 0);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

static volatile sig_atomic_t signals;
static void take_signal(int signal) {
  (void)signal;
  signals++;
}

/* ThreadSanitizer holds a signal back until the thread's next intercepted call. */
static int signals_taken(void) {
  poll(NULL, 0, 0);
  return signals;
}

static void a_signal_can_wait_for_the_launch(void **state) {
  (void)state;
  uint64_t kept;
  signals = 0;
  signal(SIGUSR1, take_signal);
  gp_gate_enter();
  gp_gate_enter();
  assert_int_equal(gp_gate_signal(), 0);
  assert_true(gp_gate_raise_later(SIGUSR1));
  assert_int_equal(gp_gate_signal(), SIGUSR1);
  gp_gate_leave();
  assert_int_equal(signals_taken(), 0);
  gp_gate_leave();
  assert_int_equal(signals_taken(), 1);
  assert_int_equal(gp_gate_signal(), 0);
  launch();
  assert_int_equal(signals_taken(), 1);
  assert_int_equal(gp_gate_close(&patient), 0); /* a snapshot is inside too */
  gp_gate_raise_later(SIGUSR1);
  gp_gate_open(&kept);
  assert_int_equal(signals_taken(), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_launch_is_inside_while_the_gate_is_closed),
      cmocka_unit_test(own_launches_are_not_waited_for),
      cmocka_unit_test(a_launch_that_does_not_end_is_told),
      cmocka_unit_test(a_launch_that_loses_patience_opens_the_gate),
      cmocka_unit_test(a_signal_can_wait_for_the_launch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
