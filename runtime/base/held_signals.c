// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/held_signals.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const int ours[] = {SIGPIPE, SIGXFSZ};
#define COUNT (sizeof ours / sizeof *ours)

void gp_signals_hold(struct gp_held_signals *held) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < COUNT; i++)
    sigaddset(&set, ours[i]);
  sigpending(&held->pending);
  pthread_sigmask(SIG_BLOCK, &set, &held->mask);
}

static void take_back(int signal) {
  const struct timespec at_once = {0};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  while (sigtimedwait(&set, NULL, &at_once) < 0 && errno == EINTR)
    ;
}

void gp_signals_release(const struct gp_held_signals *held) {
  const int reason = errno;
  for (size_t i = 0; i < COUNT; i++)
    if (!sigismember(&held->pending, ours[i]))
      take_back(ours[i]);
  pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
  errno = reason;
}
