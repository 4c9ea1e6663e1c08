#include "ends.h"

#include "journal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
  int signal, is_fault; /* fault: the instruction runs again, and raises it again, where the machine raised it */
} ends[] = {{SIGHUP, 0},  {SIGINT, 0},  {SIGQUIT, 0}, {SIGILL, 1},  {SIGABRT, 0}, {SIGBUS, 1},  {SIGFPE, 1},  {SIGSEGV, 1},
            {SIGSYS, 0},  {SIGPIPE, 0}, {SIGALRM, 0}, {SIGTERM, 0}, {SIGUSR1, 0}, {SIGUSR2, 0}, {SIGXCPU, 0}, {SIGXFSZ, 0}};
#define ENDS (sizeof ends / sizeof *ends)

static int is_fault(int signal) {
  for (size_t i = 0; i < ENDS; i++)
    if (ends[i].signal == signal)
      return ends[i].is_fault;
  return 0;
}

/* The program may call this as the handler that was there before its own, without `info` where it is no fault. */
static void on_signal(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  const struct sigaction plain = {.sa_handler = SIG_DFL};
  (void)context;
  gp_journal_last("signal", signal);
  sigaction(signal, &plain, NULL);
  if (!is_fault(signal) || info->si_code <= 0)
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal); /* blocked until this handler returns */
  errno = error;
}

void gp_ends_watch(void) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK}, current;
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
