// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_queue.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A cell is free for ticket t while `turn` is t, and filled by it once `turn` is t + 1. */
struct cell {
  _Alignas(64) _Atomic uint64_t turn;
  struct gp_trace_event event;
};
_Static_assert(offsetof(struct cell, event.record) <= 64 && sizeof(struct cell) == 128, "a call fills one line");

static _Atomic(struct cell *) cells;
static _Atomic uint64_t next_put, dropped;
static uint64_t next_take;

static struct cell *make_cells(void) {
  struct cell *fresh = aligned_alloc(64, GP_TRACE_EVENTS * sizeof *fresh), *others = NULL;
  for (uint64_t i = 0; fresh && i < GP_TRACE_EVENTS; i++)
    atomic_init(&fresh[i].turn, i);
  if (fresh && !atomic_compare_exchange_strong(&cells, &others, fresh)) {
    free(fresh);
    return others;
  }
  return fresh;
}

void gp_trace_queue_put(const struct gp_trace_event *event) {
  struct cell *all = atomic_load_explicit(&cells, memory_order_acquire);
  if (!all && !(all = make_cells())) {
    atomic_fetch_add(&dropped, 1);
    return;
  }
  uint64_t ticket = atomic_load_explicit(&next_put, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &all[ticket % GP_TRACE_EVENTS];
    const uint64_t turn = atomic_load_explicit(&cell->turn, memory_order_acquire);
    if (turn < ticket) { /* the event of the round before is still there */
      atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
      return;
    }
    if (turn == ticket && atomic_compare_exchange_weak_explicit(&next_put, &ticket, ticket + 1, memory_order_relaxed,
                                                                memory_order_relaxed)) {
      memcpy(&cell->event, event, gp_trace_event_bytes((enum gp_trace_kind)event->kind));
      atomic_store_explicit(&cell->turn, ticket + 1, memory_order_release);
      return;
    }
    if (turn > ticket)
      ticket = atomic_load_explicit(&next_put, memory_order_relaxed);
  }
}

int gp_trace_queue_take(struct gp_trace_event *event) {
  struct cell *all = atomic_load_explicit(&cells, memory_order_acquire);
  struct cell *cell = all ? &all[next_take % GP_TRACE_EVENTS] : NULL;
  if (!cell || atomic_load_explicit(&cell->turn, memory_order_acquire) != next_take + 1)
    return 0;
  memcpy(event, &cell->event, gp_trace_event_bytes((enum gp_trace_kind)cell->event.kind));
  atomic_store_explicit(&cell->turn, next_take + GP_TRACE_EVENTS, memory_order_release);
  next_take++;
  return 1;
}

uint64_t gp_trace_queue_dropped(void) { return atomic_load(&dropped); }

void gp_trace_queue_reset(void) {
  atomic_store(&cells, NULL);
  atomic_store(&next_put, 0);
  atomic_store(&dropped, 0);
  next_take = 0;
}
