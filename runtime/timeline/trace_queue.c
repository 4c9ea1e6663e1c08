// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_queue.h"

#include "base/ring.h"

#include <string.h>

static struct gp_ring ring = {.places = GP_TRACE_EVENTS, .cell = GP_RING_CELL(sizeof(struct gp_trace_event))};
static _Atomic uint64_t dropped;
_Static_assert(GP_RING_HEAD + offsetof(struct gp_trace_event, record) <= GP_RING_LINE, "a call fills one line");

void gp_trace_queue_put(const struct gp_trace_event *event) {
  if (!gp_ring_put(&ring, event, gp_trace_event_bytes((enum gp_trace_kind)event->kind)))
    atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
}

int gp_trace_queue_take(struct gp_trace_event *event) {
  const struct gp_trace_event *oldest = gp_ring_oldest(&ring);
  if (!oldest)
    return 0;
  memcpy(event, oldest, gp_trace_event_bytes((enum gp_trace_kind)oldest->kind));
  gp_ring_drop(&ring);
  return 1;
}

uint64_t gp_trace_queue_dropped(void) { return atomic_load(&dropped); }

void gp_trace_queue_reset(void) {
  gp_ring_reset(&ring);
  atomic_store(&dropped, 0);
}
