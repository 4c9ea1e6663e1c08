// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The document of a running program, or of one with an end leaving the journal little to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "base/own_cost.h"
#include "base/state.h"
#include "document_file.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"
#include "process/journal.h"
#include "report/report.h"
#include "sanitized.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG_SECONDS 120

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tscale\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_fma=1\n"
                            "end\n";
static const char *const names[] = {"scale", NULL};
static struct fake_unit unit;

static int no_threads;

/* The first thread of a program, the journal, begins once it may. */
static int holds_journal;
static atomic_int journal_may_begin;
static void *(*held_start)(void *);

static void *start_held(void *closure) {
  while (!atomic_load(&journal_may_begin))
    usleep(1000);
  return held_start(closure);
}

/* In front of libc's, or of the sanitizer's, which has to know all threads. */
#if defined(WITH_ADDRESS_SANITIZER) || defined(WITH_THREAD_SANITIZER)
int __interceptor_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
#define NEXT_CREATE (void *)__interceptor_pthread_create
#else
#define NEXT_CREATE dlsym(RTLD_NEXT, "pthread_create")
#endif
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *closure) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&create = NEXT_CREATE;
  if (no_threads)
    return EAGAIN;
  if (!holds_journal)
    return create(thread, attributes, start, closure);
  holds_journal = 0;
  held_start = start;
  return create(thread, attributes, start_held, closure);
}

/* ---- Looking at the document ---- */

static void wait_for(const char *text) {
  while (!contains(text)) /* alarm() ends a hanging test */
    usleep(1000);
}

/* ---- Programs: the work of a child process. It ends by returning (exit). ---- */

static void launch(void) {
  const uint64_t threads = 64;
  fake_launch(&unit, 0, NULL, 64, &threads, 1);
}

static void end_while_the_journal_is_blocked(void) {
  launch();
  wait_for("\"launches\": 1");
  gp_report_hold(); /* like a thread interrupted anywhere by a signal */
  raise(SIGTERM);
}

/* As where exec() fails. */
static void go_on_while_the_journal_is_blocked(void) {
  launch();
  wait_for("\"launches\": 1");
  gp_report_hold();
  gp_journal_last("exec", 0);
  gp_journal_goes_on();
  gp_report_release();
  wait_for("\"exec\"");
  launch();
  wait_for("\"launches\": 2");
}

/* The journal tells its cost behind each look. */
static void let_the_journal_look(void) {
  atomic_store(&journal_may_begin, 1);
  while (!gp_own_threads_ns())
    usleep(1000);
}

static void end_after_a_look_of_the_journal(void) {
  holds_journal = 1;
  launch();
  let_the_journal_look();
}

static void begin_a_launch_without_a_document(void) {
  holds_journal = 1;
  gp_before_launch();
  let_the_journal_look();
}

static void launch_without_threads(void) {
  no_threads = 1;
  launch();
}

static atomic_int is_running, may_end;

static int run_long(void *unused) {
  (void)unused;
  atomic_store(&is_running, 1);
  while (!atomic_load(&may_end))
    usleep(1000);
  return 0;
}

static void *launch_long(void *unused) {
  gp_launch((struct gp_launch){.function = &is_running, .grid = {1, 1, 1}, .block = {1, 1, 1}}, run_long, NULL);
  return unused;
}

static pthread_t start_long_launch(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, launch_long, NULL))
    abort();
  while (!atomic_load(&is_running))
    usleep(1000);
  return thread;
}

static void run_a_kernel_for_long(void) {
  start_long_launch();
  launch(); /* a change of the document, while the other is inside for certain */
  wait_for("\"launches_running\": 1");
  raise(SIGKILL);
}

static void *launch_and_release(void *unused) {
  launch();
  atomic_store(&may_end, 1);
  return unused;
}

/* The kernel waits for a launch at the gate, and the gate for the kernel. */
static void flush_while_a_kernel_waits_for_a_launch(void) {
  pthread_t later;
  launch();
  pthread_t kernel = start_long_launch();
  if (pthread_create(&later, NULL, launch_and_release, NULL))
    abort();
  int error = gpuprof_flush();
  pthread_join(later, NULL);
  pthread_join(kernel, NULL);
  if (error)
    _exit(3);
}

static int flush_in_launch(void *unused) {
  (void)unused;
  int error = gpuprof_flush();
  return error || !contains("\"launches_running\": 1") ||
                 !contains("1 launch was running when this was written: it is not among")
             ? 3
             : 0;
}

static void flush_within_a_launch(void) {
  launch();
  if (gp_launch((struct gp_launch){.function = &unit, .grid = {1, 1, 1}, .block = {1, 1, 1}}, flush_in_launch, NULL))
    _exit(3);
}

static int flush_in_the_first_launch(void *described) {
  int error = gpuprof_flush();
  const int is_described = contains("\"name\": \"NVIDIA H200\"");
  const int says_why_not = contains("it is not described: no launch had ended");
  return error || !contains("\"launches_running\": 1") || contains("no kernel was launched") ||
                 is_described != *(int *)described || says_why_not == is_described
             ? 3
             : 0;
}

static void flush_within_the_first_launch(int described) {
  if (gp_launch((struct gp_launch){.function = &unit, .grid = {1, 1, 1}, .block = {1, 1, 1}},
                flush_in_the_first_launch, &described))
    _exit(3);
}

static void flush_within_the_first_launch_of_a_driver(void) { flush_within_the_first_launch(0); }

static void flush_within_the_first_launch_without_a_driver(void) {
  static struct gp_device_ops in_call;
  in_call = fake_device;
  in_call.idle = NULL;
  gp_device_override(&in_call);
  flush_within_the_first_launch(1);
}

static void flush_beside_two_launches(void) {
  launch();
  pthread_t first = start_long_launch();
  atomic_store(&is_running, 0);
  pthread_t second = start_long_launch();
  if (gpuprof_flush() || !contains("2 launches were running when this was written: they are not among"))
    _exit(3);
  atomic_store(&may_end, 1);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

/* Runs a program in a child; returns its status. */
static int run_to(const char *output, void (*program)(void), const char *journal) {
  fflush(stderr);
  pid_t child = fork();
  if (!child) {
    alarm(HANG_SECONDS);
    setenv("GPUPROF_OUTPUT", output, 1);
    setenv("GPUPROF_JOURNAL", journal, 1);
    gp_device_override(&fake_device);
    fake.next_unique_bytes = UINT64_MAX;
    fake_register(&unit, sheet, names);
    program();
    exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static int run(void (*program)(void), const char *journal) { return run_to(path, program, journal); }

/* ---- Tests ---- */

static void the_signal_is_told_where_the_journal_is_blocked(void **state) {
  (void)state;
  int status = run(end_while_the_journal_is_blocked, "1");
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  assert_true(contains("\"state\": \"running\""));
  assert_true(contains("\"signal\":   15,"));
}

static void a_failed_exec_does_not_end_a_blocked_journal(void **state) {
  (void)state;
  assert_int_equal(run(go_on_while_the_journal_is_blocked, "1"), 0);
}

static void a_pipe_gets_the_document_after_a_look_of_the_journal(void **state) {
  (void)state;
  int ends[2];
  char output[32], text[4096] = "";
  assert_int_equal(pipe(ends), 0);
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); /* the program ends before its document is read */
  snprintf(output, sizeof output, "/dev/fd/%d", ends[1]);
  assert_int_equal(run_to(output, end_after_a_look_of_the_journal, "1"), 0);
  close(ends[1]);
  const ssize_t length = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  assert_true(length > 0);
  assert_non_null(strstr(text, "\"state\": \"complete\""));
}

static void a_look_before_the_place_is_chosen_loses_nothing(void **state) {
  (void)state;
  assert_int_equal(run(begin_a_launch_without_a_document, "1"), 0);
  assert_true(contains("\"state\": \"complete\""));
}

static void a_journal_without_a_thread_is_one_sentence(void **state) {
  (void)state;
  assert_int_equal(run(launch_without_threads, "1"), 0);
  assert_true(contains("\"state\": \"complete\""));
  assert_true(contains("no thread could be started: "));
}

static void no_journal_is_kept_where_it_is_off(void **state) {
  (void)state;
  assert_int_equal(run(launch_without_threads, "0"), 0);
  assert_true(contains("\"state\": \"complete\""));
  assert_false(contains("no thread could be started: "));
}

static void a_long_launch_does_not_hold_up_the_journal(void **state) {
  (void)state;
  int status = run(run_a_kernel_for_long, "1");
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  assert_true(contains("\"consistent\": false"));
  assert_true(contains("\"launches\": 1"));
}

static void a_flush_does_not_stop_what_a_kernel_waits_for(void **state) {
  (void)state;
  assert_int_equal(run(flush_while_a_kernel_waits_for_a_launch, "0"), 0);
  assert_true(contains("\"launches\": 2"));
}

static void a_flush_within_a_launch_says_that_it_runs(void **state) {
  (void)state;
  assert_int_equal(run(flush_within_a_launch, "0"), 0);
  assert_true(contains("\"consistent\": true"));
  assert_false(contains(
      "was running when this was written")); /* a message on one document is not repeated for the next */
}

static void several_running_launches_are_said_to_run(void **state) {
  (void)state;
  assert_int_equal(run(flush_beside_two_launches, "0"), 0);
  assert_true(contains("\"launches_running\": 0"));
}

/* It was launched, though no launch has ended. A driver may be locked by it. */
static void a_running_first_launch_was_launched(void **state) {
  (void)state;
  assert_int_equal(run(flush_within_the_first_launch_of_a_driver, "0"), 0);
  assert_int_equal(run(flush_within_the_first_launch_without_a_driver, "0"), 0);
}

static int clean(void **state) {
  (void)state;
  unlink(path);
  return 0;
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, clean)
  const struct CMUnitTest tests[] = {
      TEST(the_signal_is_told_where_the_journal_is_blocked),
      TEST(a_failed_exec_does_not_end_a_blocked_journal),
      TEST(a_pipe_gets_the_document_after_a_look_of_the_journal),
      TEST(a_look_before_the_place_is_chosen_loses_nothing),
      TEST(a_journal_without_a_thread_is_one_sentence),
      TEST(no_journal_is_kept_where_it_is_off),
      TEST(a_long_launch_does_not_hold_up_the_journal),
      TEST(a_flush_does_not_stop_what_a_kernel_waits_for),
      TEST(a_flush_within_a_launch_says_that_it_runs),
      TEST(several_running_launches_are_said_to_run),
      TEST(a_running_first_launch_was_launched),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
