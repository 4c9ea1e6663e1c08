// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Builds with assertions end a process whose threads take locks in another order than locks.h has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The checks are part of this program even where the runtime is built without them. */
#ifdef NDEBUG
#undef NDEBUG
#include "base/lock_order.c"
#undef GP_LOCK_ORDER_UNCHECKED
#undef GP_LOCK_ORDER_H
#endif
#include "base/lock_order.h"
#include "base/locks.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t report = PTHREAD_MUTEX_INITIALIZER, regions = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER, another = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t graphs = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t modules = PTHREAD_RWLOCK_INITIALIZER;

static char sentence[512];

/* The output of `act` in a child; null if it returns. */
static const char *death_by(void (*act)(void)) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    act();
    _exit(0);
  }
  close(ends[1]);
  const ssize_t length = read(ends[0], sentence, sizeof sentence - 1);
  close(ends[0]);
  sentence[length > 0 ? length : 0] = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? sentence : NULL;
}

static void in_order(void) {
  pthread_mutex_lock(&report);
  pthread_rwlock_rdlock(&modules);
  pthread_mutex_lock(&regions);
  gp_assert_held(&modules);
  pthread_mutex_unlock(&report);
  pthread_mutex_unlock(&regions);
  pthread_rwlock_unlock(&modules);
  pthread_mutex_lock(&report);
}

static void in_another_order(void) {
  pthread_mutex_lock(&regions);
  pthread_mutex_lock(&report);
}

static void reading_after(void) {
  pthread_mutex_lock(&regions);
  pthread_rwlock_rdlock(&modules);
}

static void twice(void) {
  pthread_rwlock_rdlock(&modules);
  pthread_rwlock_rdlock(&modules);
}

static void without_waiting(void) {
  pthread_mutex_lock(&regions);
  pthread_mutex_trylock(&report);
}

static void without_the_lock(void) {
  pthread_mutex_lock(&regions);
  pthread_mutex_unlock(&regions);
  gp_assert_held(&regions);
}

static void without_the_lock_of_another_file(void) {
  pthread_mutex_lock(&regions);
  gp_assert_holds(GP_LOCK_REGIONS);
  gp_assert_holds(GP_LOCK_REPORT);
}

static void take_kernel(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  gp_lock_stands_behind(lock, GP_LOCK_CUDA_GRAPHS);
}

static void a_kernel_after_regions(void) {
  pthread_mutex_lock(&regions);
  take_kernel(&kernel);
}

static void two_kernels(void) {
  take_kernel(&kernel);
  take_kernel(&another);
}

static void two_kernels_of_a_graph(void) {
  pthread_mutex_lock(&graphs);
  two_kernels();
}

static void locks_in_order_are_taken(void **state) {
  (void)state;
  assert_null(death_by(in_order));
  assert_null(death_by(two_kernels_of_a_graph));
}

static void a_breach_of_the_order_ends_the_process(void **state) {
  (void)state;
  assert_non_null(death_by(in_another_order));
  assert_non_null(strstr(sentence, "REPORT is taken after REGIONS"));
  assert_non_null(death_by(reading_after));
  assert_non_null(strstr(sentence, "MODULES is taken after REGIONS"));
}

static void a_lock_is_not_taken_twice(void **state) {
  (void)state;
  assert_non_null(death_by(twice));
  assert_non_null(strstr(sentence, "MODULES is taken again"));
}

static void what_does_not_wait_may_come_in_any_order(void **state) {
  (void)state;
  assert_null(death_by(without_waiting));
}

static void a_lock_that_is_not_held_is_noticed(void **state) {
  (void)state;
  assert_non_null(death_by(without_the_lock));
  assert_non_null(strstr(sentence, "REGIONS is not held"));
  assert_non_null(death_by(without_the_lock_of_another_file));
  assert_non_null(strstr(sentence, "REPORT is not held"));
}

static void kernels_stand_behind_graphs(void **state) {
  (void)state;
  assert_non_null(death_by(a_kernel_after_regions));
  assert_non_null(strstr(sentence, "is taken after REGIONS"));
  assert_non_null(death_by(two_kernels)); /* two threads might take them in turn */
}

static int set_up(void **state) {
  (void)state;
  gp_lock_know(GP_LOCK_REPORT, &report, NULL);
  gp_lock_know(GP_LOCK_REGIONS, &regions, NULL);
  gp_lock_know(GP_LOCK_CUDA_GRAPHS, &graphs, NULL);
  gp_lock_know(GP_LOCK_MODULES, NULL, &modules);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locks_in_order_are_taken),
      cmocka_unit_test(a_breach_of_the_order_ends_the_process),
      cmocka_unit_test(a_lock_is_not_taken_twice),
      cmocka_unit_test(what_does_not_wait_may_come_in_any_order),
      cmocka_unit_test(a_lock_that_is_not_held_is_noticed),
      cmocka_unit_test(kernels_stand_behind_graphs),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
