/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SIGPIPE and SIGXFSZ, raised by writing to a closed pipe or beyond a limit. Signals caused by the runtime's
 * own writing stay invisible to the program and its handlers.
 */
#ifndef GP_HELD_SIGNALS_H
#define GP_HELD_SIGNALS_H

#include <signal.h>

struct gp_held_signals {
  sigset_t mask, pending; /* earlier ones */
};

/* Blocks both on the calling thread. */
void gp_signals_hold(struct gp_held_signals *held);
/* Removes signals of the meantime, and restores the thread's mask. Keeps errno. */
void gp_signals_release(const struct gp_held_signals *held);

#endif
