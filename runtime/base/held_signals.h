/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SIGPIPE and SIGXFSZ, which writing to a closed pipe or beyond a limit raises: neither the program nor its handlers see
 * those that the runtime's own writing causes.
 */
#ifndef GP_HELD_SIGNALS_H
#define GP_HELD_SIGNALS_H

#include <signal.h>

struct gp_held_signals {
  sigset_t mask, pending; /* before */
};

/* Blocks both on the calling thread. */
void gp_signals_hold(struct gp_held_signals *held);
/* Takes back those that came meanwhile, and restores the thread's mask. Keeps errno. */
void gp_signals_release(const struct gp_held_signals *held);

#endif
