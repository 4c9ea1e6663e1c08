/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches and the correlation ids that CUPTI's callbacks told for them. Each thread notes its own in a ring, without a
 * lock; whoever reads CUPTI's records takes them all. Thread-safe. */
#ifndef GP_TIED_LAUNCHES_H
#define GP_TIED_LAUNCHES_H

#include <stdint.h>

struct gp_tied_launch {
  uint64_t id;
  uint32_t correlation;
};

/* By the launching thread. Returns 0 if its ring is full, or there is no memory for one. */
int gp_tied_launches_put(struct gp_tied_launch launch);
/* Takes some launches in their threads' order, at most `room`; returns how many. */
uint32_t gp_tied_launches_take(struct gp_tied_launch *launches, uint32_t room);
/* How many have been put by all threads. */
uint64_t gp_tied_launches_count(void);

#endif
