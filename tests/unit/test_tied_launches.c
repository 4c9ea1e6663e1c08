// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Launches and their correlation ids, from the threads that launch to the one that reads records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/tied_launches.h"

#include <pthread.h>

enum { THREADS = 3, LAUNCHES = 50000 };

static uint32_t take_all(void) {
  struct gp_tied_launch taken[64];
  uint32_t count, sum = 0;
  while ((count = gp_tied_launches_take(taken, 64)))
    sum += count;
  return sum;
}

static void launches_come_in_their_order(void **state) {
  (void)state;
  struct gp_tied_launch taken[4];
  for (uint32_t i = 1; i <= 6; i++)
    assert_int_equal(gp_tied_launches_put((struct gp_tied_launch){i, 100 + i}), 1);
  assert_int_equal(gp_tied_launches_take(taken, 4), 4);
  assert_int_equal(taken[3].id, 4);
  assert_int_equal(taken[3].correlation, 104);
  assert_int_equal(gp_tied_launches_take(taken, 4), 2);
  assert_int_equal(taken[1].id, 6);
  assert_int_equal(gp_tied_launches_take(taken, 4), 0);
}

static void a_full_ring_takes_no_more(void **state) {
  (void)state;
  const uint64_t before = gp_tied_launches_count();
  uint32_t put = 0;
  while (put < 1u << 20 && gp_tied_launches_put((struct gp_tied_launch){put, put}))
    put++;
  assert_in_range(put, 1024, (1u << 20) - 1);
  assert_int_equal(gp_tied_launches_count() - before, put);
  assert_int_equal(take_all(), put);
  assert_int_equal(gp_tied_launches_put((struct gp_tied_launch){1, 1}), 1);
  assert_int_equal(take_all(), 1);
}

static void *put_many(void *thread) {
  for (uint64_t i = 0; i < LAUNCHES;)
    i += (uint64_t)gp_tied_launches_put((struct gp_tied_launch){(uint64_t)(uintptr_t)thread << 32 | i, (uint32_t)i});
  return NULL;
}

static void each_launch_is_taken_once(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  uint64_t next[THREADS] = {0}, all = 0;
  struct gp_tied_launch taken[64];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, put_many, (void *)i);
  while (all < (uint64_t)THREADS * LAUNCHES) {
    const uint32_t count = gp_tied_launches_take(taken, 64);
    for (uint32_t i = 0; i < count; i++) {
      assert_int_equal((uint32_t)taken[i].id, next[taken[i].id >> 32]++);
      assert_int_equal((uint32_t)taken[i].id, taken[i].correlation);
    }
    all += count;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(take_all(), 0);
}

static void *put_one(void *unused) {
  gp_tied_launches_put((struct gp_tied_launch){7, 7});
  return unused;
}

static void what_an_ended_thread_put_is_there(void **state) {
  (void)state;
  for (int i = 0; i < 100; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, put_one, NULL);
    pthread_join(thread, NULL);
  }
  assert_int_equal(take_all(), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_come_in_their_order),
      cmocka_unit_test(a_full_ring_takes_no_more),
      cmocka_unit_test(each_launch_is_taken_once),
      cmocka_unit_test(what_an_ended_thread_put_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
