/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A worker's seat in launches: one word with the number of the last launch that used it, and what came of it there.
 * Numbers of launches grow. A seat is therefore open to a launch only if the word's number is below the launch's: a
 * thread that comes late finds the word of its launch, or of a later one. */
#ifndef GP_CPU_SEAT_H
#define GP_CPU_SEAT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum gp_seat_use { GP_SEAT_TAKEN, GP_SEAT_LEFT, GP_SEAT_CLOSED, GP_SEAT_USES };

struct gp_seat {
  _Alignas(64) _Atomic uint64_t word; /* the launch's number times GP_SEAT_USES, and the use */
  _Atomic uint32_t asleep;            /* 1: its thread sleeps */
};

static inline uint64_t gp_seat_word(uint64_t launch, enum gp_seat_use use) { return launch * GP_SEAT_USES + use; }

static inline bool gp_seat_is_open(const struct gp_seat *seat, uint64_t launch) {
  return atomic_load(&seat->word) / GP_SEAT_USES < launch;
}

/* The worker takes an open seat, or the launching thread closes it. False: the other was first, or the launch is over. */
static inline bool gp_seat_use(struct gp_seat *seat, uint64_t launch, enum gp_seat_use use) {
  uint64_t seen = atomic_load(&seat->word);
  return seen / GP_SEAT_USES < launch && atomic_compare_exchange_strong(&seat->word, &seen, gp_seat_word(launch, use));
}

#endif
