/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The gate passed by every launch. A snapshot of the counts closes it: launches and their counts then belong
 * to one moment. Waiting is bounded on both sides: a kernel may wait for a launch waiting at the gate.
 * Thread-safe.
 */
#ifndef GP_GATE_H
#define GP_GATE_H

#include <stdint.h>

/* Around a launch, on the launching thread; calls may be nested. Passing costs about 15 ns. Leaves errno as it is. */
void gp_gate_enter(void);
void gp_gate_leave(void);
/* True if the calling thread is between the two. Async-signal-safe. */
int gp_gate_is_inside(void);
/* Launches inside now, of all threads. */
unsigned gp_gate_count(void);

/* From a handler of the signal, on a thread inside: raises the signal again once the thread has left. Returns
 * 1. */
int gp_gate_raise_later(int signal);
/* The signal to be raised then; 0: none. Async-signal-safe. */
int gp_gate_signal(void);

struct gp_gate_terms {
  uint64_t wait_ns;     /* for launches inside */
  uint64_t patience_ns; /* of launches at the closed gate: after it the first one opens the gate */
  unsigned excused;     /* launches inside that cannot leave, since their thread is ending the program */
};

/* Closes the gate and waits until no launch is inside. Returns the number of launches still inside. One
 * thread at a time may close it, and passes freely. A launch of this thread itself is not waited for. */
unsigned gp_gate_close(const struct gp_gate_terms *terms);
/* True if the gate is still closed: no launch has lost patience. */
int gp_gate_holds(void);
/* Returns 1 if the gate was closed all the time. *kept_ns: time launches had to wait although none was
 * inside. If the gate did not hold, their whole waiting time. */
int gp_gate_open(uint64_t *kept_ns);

/* To be called in the child of a fork, on its only thread. Returns the number of launches inside at the fork. */
unsigned gp_gate_in_child(void);

#endif
