/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A bounded queue of small elements from any thread to one reader, without locks. Nobody waits: a full queue takes
 * nothing. */
#ifndef GP_RING_H
#define GP_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A cache line begins with 8 bytes of the ring's own: the element is behind them. */
#define GP_RING_HEAD 8u
#define GP_RING_LINE 64u
#define GP_RING_CELL(bytes) (((bytes) + GP_RING_HEAD + GP_RING_LINE - 1) / GP_RING_LINE * GP_RING_LINE)

/* Initialized with `places` and `cell`; the rest is 0. */
struct gp_ring {
  size_t places, cell;           /* elements at most; GP_RING_CELL() of an element's bytes */
  _Atomic(unsigned char *) cells; /* made by the first element */
  _Atomic uint64_t next_put;
  uint64_t next_take; /* of the reader */
};

/* Adds the element's first `bytes`. Returns 1, or 0 if the ring is full or memory is exhausted. */
int gp_ring_put(struct gp_ring *ring, const void *element, size_t bytes);

/* For the reader: the oldest element, or null. It stays until gp_ring_drop(). */
const void *gp_ring_oldest(const struct gp_ring *ring);
void gp_ring_drop(struct gp_ring *ring);

/* In the child of a fork: forgets all. */
void gp_ring_reset(struct gp_ring *ring);

#endif
