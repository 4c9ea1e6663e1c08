// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/ring.h"

#include <stdlib.h>
#include <string.h>

/* The cell is free for ticket t while `turn` is t, and filled by it once `turn` is t + 1. */
struct cell {
  _Atomic uint64_t turn;
  unsigned char element[];
};
_Static_assert(offsetof(struct cell, element) == GP_RING_HEAD, "the element is behind the turn");

static struct cell *cell_at(const struct gp_ring *ring, unsigned char *cells, uint64_t ticket) {
  return (struct cell *)(void *)(cells + ticket % ring->places * ring->cell);
}

static unsigned char *make_cells(struct gp_ring *ring) {
  unsigned char *fresh = aligned_alloc(GP_RING_LINE, ring->places * ring->cell), *others = NULL;
  for (uint64_t i = 0; fresh && i < ring->places; i++)
    atomic_init(&cell_at(ring, fresh, i)->turn, i);
  if (fresh && !atomic_compare_exchange_strong(&ring->cells, &others, fresh)) {
    free(fresh);
    return others;
  }
  return fresh;
}

int gp_ring_put(struct gp_ring *ring, const void *element, size_t bytes) {
  unsigned char *cells = atomic_load_explicit(&ring->cells, memory_order_acquire);
  if (!cells && !(cells = make_cells(ring)))
    return 0;
  uint64_t ticket = atomic_load_explicit(&ring->next_put, memory_order_relaxed);
  for (;;) {
    struct cell *cell = cell_at(ring, cells, ticket);
    const uint64_t turn = atomic_load_explicit(&cell->turn, memory_order_acquire);
    if (turn < ticket) /* the element of the round before is still there */
      return 0;
    if (turn == ticket && atomic_compare_exchange_weak_explicit(&ring->next_put, &ticket, ticket + 1,
                                                                memory_order_relaxed, memory_order_relaxed)) {
      memcpy(cell->element, element, bytes);
      atomic_store_explicit(&cell->turn, ticket + 1, memory_order_release);
      return 1;
    }
    if (turn > ticket)
      ticket = atomic_load_explicit(&ring->next_put, memory_order_relaxed);
  }
}

const void *gp_ring_oldest(const struct gp_ring *ring) {
  unsigned char *cells = atomic_load_explicit(&ring->cells, memory_order_acquire);
  const struct cell *cell = cells ? cell_at(ring, cells, ring->next_take) : NULL;
  return cell && atomic_load_explicit(&cell->turn, memory_order_acquire) == ring->next_take + 1 ? cell->element : NULL;
}

void gp_ring_drop(struct gp_ring *ring) {
  unsigned char *cells = atomic_load_explicit(&ring->cells, memory_order_acquire);
  atomic_store_explicit(&cell_at(ring, cells, ring->next_take)->turn, ring->next_take + ring->places, memory_order_release);
  ring->next_take++;
}

void gp_ring_reset(struct gp_ring *ring) {
  atomic_store(&ring->cells, NULL);
  atomic_store(&ring->next_put, 0);
  ring->next_take = 0;
}
