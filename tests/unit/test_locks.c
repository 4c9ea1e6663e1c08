// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A fork knows every lock of the runtime, waits for the brief ones, and leaves all of them free in the child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/locks.h"
#include "base/log.h"
#include "base/state.h"
#include "cpu/cpu_library.h"
#include "sanitized.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The CPU device makes its locks known when it is opened; tests without it do not have them. */
extern gp_cpu_open_function gp_cpu_open __attribute__((weak));

static int is_of_cpu_device(enum gp_lock lock) {
  static const enum gp_lock locks[] = {
      GP_LOCK_API_EVENT,  GP_LOCK_API_LAUNCH, GP_LOCK_API_MEMORY, GP_LOCK_API_POOL,
      GP_LOCK_API_STREAM, GP_LOCK_ARENA,      GP_LOCK_CAPTURE,    GP_LOCK_API_POOL_SHARE,
      GP_LOCK_IPC,        GP_LOCK_LAUNCHING,  GP_LOCK_MAPPINGS,   GP_LOCK_DRIVER_CONTEXTS,
      GP_LOCK_OBJECTS,    GP_LOCK_SHARE,      GP_LOCK_GRAPH_CONDITIONS, GP_LOCK_GRAPH_MEMORY};
  for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
    if (locks[i] == lock)
      return 1;
  return 0;
}

static void every_lock_is_known(void **state) {
  (void)state;
  static const char *const names[] = {
#define LOCK(name, kind) #name,
      GP_LOCKS(LOCK)
#undef LOCK
  };
  for (int i = 0; i < GP_LOCK_COUNT; i++)
    if (!gp_lock_is_known((enum gp_lock)i) && (gp_cpu_open || !is_of_cpu_device((enum gp_lock)i)))
      fail_msg("no file has made %s known", names[i]);
}

static atomic_int stop;

static void *log_always(void *unused) {
  while (!atomic_load(&stop))
    gp_remark("locks", "the same sentence");
  return unused;
}

static int log_in_child(void) {
  pid_t child = fork();
  if (!child) {
    alarm(60);
    gp_remark("locks", "a sentence of the child");
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static void locks_are_free_in_children(void **state) {
  (void)state;
  pthread_t threads[3];
  (void)gp_state(); /* from here on forks are prepared */
  for (int i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, log_always, NULL), 0);
  const int forks = SANITIZED ? 20 : 60; /* a fork copies the sanitizer's tables, too, in a third of a second */
  for (int i = 0; i < forks; i++)
    assert_int_equal(log_in_child(), 0);
  atomic_store(&stop, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  gp_remark("locks", "the parent goes on");
}

/* Stand for two of the runtime's from here on, so this is the last test. */
static pthread_mutex_t brief = PTHREAD_MUTEX_INITIALIZER, of_long = PTHREAD_MUTEX_INITIALIZER;

static int is_free(pthread_mutex_t *lock) { return !pthread_mutex_trylock(lock) && !pthread_mutex_unlock(lock); }

static void a_fork_takes_the_brief_locks_alone(void **state) {
  (void)state;
  gp_lock_know(GP_LOCK_SIBLINGS, &brief, NULL);
  gp_lock_know(GP_LOCK_HARDWARE, &of_long, NULL);
  gp_locks_before_fork();
  const int brief_is_free = is_free(&brief), long_is_free = is_free(&of_long);
  gp_locks_in_parent();
  assert_false(brief_is_free);
  assert_true(long_is_free);
  assert_true(is_free(&brief));
}

int main(void) {
  setenv("GPUPROF_OUTPUT", "/dev/null", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lock_is_known),
      cmocka_unit_test(locks_are_free_in_children),
      cmocka_unit_test(a_fork_takes_the_brief_locks_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
