/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waiting for a change of a word. Async-signal-safe. Waits may return early at any time: callers check
 * again. */
#ifndef GP_FUTEX_H
#define GP_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word is `seen`, for `ns` at most. */
static inline void gp_futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t ns) {
  const struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &limit, NULL, 0);
}

static inline void gp_futex_wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0); }

#endif
