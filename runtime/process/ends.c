// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ends.h"

#include "core/gate.h"
#include "process/journal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LAUNCH_WAIT_NS 200000000

/* The instruction of a fault runs again and raises it again if the machine raised it. A sent signal may wait
 * for the launch interrupted by it. A signal raised by the thread itself may not. */
enum nature { FAULT, OWN, SENT };
static const struct {
  int signal;
  enum nature nature;
} ends[] = {{SIGHUP, SENT},  {SIGINT, SENT}, {SIGQUIT, SENT}, {SIGILL, FAULT},  {SIGABRT, OWN},  {SIGBUS, FAULT},
            {SIGFPE, FAULT}, {SIGSEGV, FAULT}, {SIGSYS, OWN}, {SIGPIPE, OWN},   {SIGALRM, SENT}, {SIGTERM, SENT},
            {SIGUSR1, SENT}, {SIGUSR2, SENT},  {SIGXCPU, SENT}, {SIGXFSZ, OWN}};
#define ENDS (sizeof ends / sizeof *ends)

static enum nature nature_of(int signal) {
  for (size_t i = 0; i < ENDS; i++)
    if (ends[i].signal == signal)
      return ends[i].nature;
  return OWN;
}

/* Sends the signal to the calling thread after a delay. Async-signal-safe, unlike timer_create(). */
static int send_later(int signal) {
  struct sigevent event;
  int timer;
  const struct itimerspec in = {.it_value = {.tv_nsec = LAUNCH_WAIT_NS}};
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  return !syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) && !syscall(SYS_timer_settime, timer, 0, &in, NULL);
}

/* A launch holds locks, including the driver's; the journal needs them to read counts. The signal comes again
 * when the launch leaves, or after a delay. */
static int waits_for_launch(int signal) {
  return nature_of(signal) == SENT && gp_gate_is_inside() && !gp_gate_signal() && send_later(signal) &&
         gp_gate_raise_later(signal);
}

/* The program may call this as the handler preceding its own, without `info` unless it is a fault. */
static void on_signal(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  const struct sigaction plain = {.sa_handler = SIG_DFL};
  (void)context;
  if (waits_for_launch(signal)) {
    errno = error;
    return;
  }
  gp_journal_last("signal", signal);
  sigaction(signal, &plain, NULL);
  if (nature_of(signal) != FAULT || info->si_code <= 0)
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal); /* blocked until this handler returns */
  errno = error;
}

void gp_ends_watch(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART}, current;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < ENDS; i++)
    if (!sigaction(ends[i].signal, NULL, &current) && !(current.sa_flags & SA_SIGINFO) && current.sa_handler == SIG_DFL)
      sigaction(ends[i].signal, &action, NULL);
}

void gp_ends_unwatch(void) {
  const struct sigaction plain = {.sa_handler = SIG_DFL};
  struct sigaction current;
  for (size_t i = 0; i < ENDS; i++)
    if (!sigaction(ends[i].signal, NULL, &current) && current.sa_flags & SA_SIGINFO && current.sa_sigaction == on_signal)
      sigaction(ends[i].signal, &plain, NULL);
}
