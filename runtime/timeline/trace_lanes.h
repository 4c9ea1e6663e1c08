/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of a stream in the trace. On the CPU device threads of the program work in one stream at the same time, and a row
 * shows work one after the other: work that overlaps gets a further row. For the one writer of the trace. */
#ifndef GP_TRACE_LANES_H
#define GP_TRACE_LANES_H

#include "timeline/trace_queue.h"

#include <stdint.h>

static inline int gp_trace_has_lanes(const struct gp_trace_event *e) {
  return e->source == GP_TRACE_BY_CPU && e->kind >= GP_TRACE_KERNEL && e->kind <= GP_TRACE_MEMSET;
}

/* The place of an event with lanes: the stream, and above it the number of the row. */
#define GP_TRACE_LANE_SHIFT 24u
static inline uint32_t gp_trace_lane_of(const struct gp_trace_event *e) {
  return gp_trace_has_lanes(e) ? e->place >> GP_TRACE_LANE_SHIFT : 0;
}
static inline uint32_t gp_trace_stream_of(const struct gp_trace_event *e) {
  return gp_trace_has_lanes(e) ? e->place & ((1u << GP_TRACE_LANE_SHIFT) - 1) : e->place;
}

/* The place of this work, which comes about in the order of its end. */
uint32_t gp_trace_lane(int device, uint32_t stream, uint64_t start, uint64_t end);
void gp_trace_lanes_reset(void);

#endif
