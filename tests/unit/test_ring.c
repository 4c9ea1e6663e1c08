// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A ring hands each element of several threads to its reader once, in the order of each thread, and takes nothing when
 * it is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ring.h"

#include <pthread.h>
#include <sched.h>

enum { PLACES = 16, THREADS = 4, ELEMENTS = 5000 };

struct element {
  uint64_t thread, number, padding[7]; /* more than a line */
};

static struct gp_ring ring = {.places = PLACES, .cell = GP_RING_CELL(sizeof(struct element))};

static void put(uint64_t thread, uint64_t number) {
  const struct element element = {.thread = thread, .number = number, .padding = {[6] = thread ^ number}};
  while (!gp_ring_put(&ring, &element, sizeof element))
    sched_yield();
}

static int take(struct element *element) {
  const struct element *oldest = gp_ring_oldest(&ring);
  if (!oldest)
    return 0;
  *element = *oldest;
  gp_ring_drop(&ring);
  return 1;
}

static int reset(void **state) {
  (void)state;
  gp_ring_reset(&ring);
  return 0;
}

static void a_full_ring_takes_nothing_until_one_is_dropped(void **state) {
  (void)state;
  struct element element = {0};
  assert_null(gp_ring_oldest(&ring));
  for (element.number = 0; element.number < PLACES; element.number++)
    assert_int_equal(gp_ring_put(&ring, &element, sizeof element), 1);
  assert_int_equal(gp_ring_put(&ring, &element, sizeof element), 0);
  assert_int_equal(take(&element), 1);
  assert_int_equal(element.number, 0);
  element.number = PLACES;
  assert_int_equal(gp_ring_put(&ring, &element, sizeof element), 1);
  for (uint64_t i = 1; i <= PLACES; i++) {
    assert_int_equal(take(&element), 1);
    assert_int_equal(element.number, i);
  }
  assert_int_equal(take(&element), 0);
}

static void *put_all(void *thread) {
  for (uint64_t i = 0; i < ELEMENTS; i++)
    put((uint64_t)(uintptr_t)thread, i);
  return NULL;
}

static void each_element_of_each_thread_arrives_once_and_in_order(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  uint64_t next[THREADS] = {0};
  for (uintptr_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, put_all, (void *)i), 0);
  for (uint64_t taken = 0; taken < (uint64_t)THREADS * ELEMENTS;) {
    struct element element;
    if (!take(&element)) {
      sched_yield();
      continue;
    }
    assert_in_range(element.thread, 0, THREADS - 1);
    assert_int_equal(element.number, next[element.thread]++);
    assert_int_equal(element.padding[6], element.thread ^ element.number);
    taken++;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_null(gp_ring_oldest(&ring));
}

static void a_reset_ring_is_empty(void **state) {
  (void)state;
  put(0, 0);
  gp_ring_reset(&ring);
  assert_null(gp_ring_oldest(&ring));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_full_ring_takes_nothing_until_one_is_dropped, reset),
      cmocka_unit_test_setup(each_element_of_each_thread_arrives_once_and_in_order, reset),
      cmocka_unit_test_setup(a_reset_ring_is_empty, reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
