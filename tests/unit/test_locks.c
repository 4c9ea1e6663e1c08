/* A fork knows every lock of the runtime, waits for the brief ones, and leaves all of them free in the child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/locks.h"
#include "core/log.h"
#include "core/state.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void every_lock_is_known(void **state) {
  (void)state;
  static const char *const names[] = {
#define LOCK(name, kind) #name,
      GP_LOCKS(LOCK)
#undef LOCK
  };
  for (int i = 0; i < GP_LOCK_COUNT; i++)
    if (!gp_lock_is_known((enum gp_lock)i))
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
  for (int i = 0; i < 60; i++)
    assert_int_equal(log_in_child(), 0);
  atomic_store(&stop, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  gp_remark("locks", "the parent goes on");
}

int main(void) {
  setenv("GPUPROF_OUTPUT", "/dev/null", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lock_is_known),
      cmocka_unit_test(locks_are_free_in_children),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
