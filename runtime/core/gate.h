/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The gate that every launch passes. A snapshot of the counts closes it, so that launches and what they counted are of one
 * moment. Waiting is bounded on both sides: a kernel may wait for a launch that waits at the gate. Thread-safe.
 */
#ifndef GP_GATE_H
#define GP_GATE_H

#include <stdint.h>

/* Around a launch, on the launching thread; calls may be nested. Passing costs about 15 ns. Leaves errno as it is. */
void gp_gate_enter(void);
void gp_gate_leave(void);
/* Whether the calling thread is between the two. Async-signal-safe. */
int gp_gate_is_inside(void);

/* From a handler of the signal: raises it once the calling thread, which is inside, has left. Returns 1. */
int gp_gate_raise_later(int signal);
/* The signal that is raised then; 0: none. Async-signal-safe. */
int gp_gate_signal(void);

struct gp_gate_terms {
  uint64_t wait_ns;     /* for launches inside */
  uint64_t patience_ns; /* of launches that come to the closed gate: then the first one opens it */
  unsigned excused;     /* launches inside that cannot leave, since their thread is ending the program */
};

/* Closes the gate and waits until no launch is inside. Returns the number of launches that still are. One thread at a time
 * may have it closed; that thread passes freely. A launch that this thread itself is inside of is not waited for. */
unsigned gp_gate_close(const struct gp_gate_terms *terms);
/* Whether it still is, or a launch has lost patience. */
int gp_gate_holds(void);
/* Returns 1 if the gate was closed all the time. *kept_ns: how long launches had to wait although none was inside; after a
 * gate that did not hold, all that they waited. */
int gp_gate_open(uint64_t *kept_ns);

/* In the child of a fork, which has one thread. */
void gp_gate_in_child(void);

#endif
