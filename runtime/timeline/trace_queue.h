/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events on their way to the trace file: a bounded queue from any thread to one writer. A full queue drops events and
 * counts them; nobody waits. */
#ifndef GP_TRACE_QUEUE_H
#define GP_TRACE_QUEUE_H

#include "timeline/copy_sums.h"

#include <stddef.h>
#include <stdint.h>

struct gp_context;
struct gp_record;

#define GP_TRACE_EVENTS (1u << 14)

enum gp_trace_kind {
  GP_TRACE_REGION, /* an execution of a region on the host */
  GP_TRACE_CALL,   /* a call of the CUDA runtime or driver */
  GP_TRACE_KERNEL,
  GP_TRACE_COPY,
  GP_TRACE_MEMSET,
  GP_TRACE_COUNTER
};

enum gp_trace_source { GP_TRACE_BY_CUPTI, GP_TRACE_BY_EVENT, GP_TRACE_BY_CPU };

/* Calls and regions, the events of launching threads, need the first cache line alone. Texts live as long as the
 * process. */
struct gp_trace_event {
  uint64_t start, end;
  const char *name;                 /* of a copy: null */
  const struct gp_context *context; /* the region; of a region itself: its path */
  uint64_t correlation;             /* of a call and of the work that it issued; 0: none */
  uint64_t value;                   /* of a region: the number of the execution; of a copy: bytes; of a counter: itself */
  uint32_t place;                   /* the thread, or the stream */
  unsigned char kind, source, device;
  unsigned char copy; /* GP_TRACE_COPY_CODE */
  /* Below: of kernels. */
  const struct gp_record *record;
  uint32_t grid[3], registers, shared_bytes, local_bytes;
  unsigned short block[3];
};
/* Bytes of an event of this kind. */
static inline size_t gp_trace_event_bytes(enum gp_trace_kind kind) {
  return kind == GP_TRACE_KERNEL ? sizeof(struct gp_trace_event) : offsetof(struct gp_trace_event, record);
}
#define GP_TRACE_COPY_CODE(direction, memory) ((unsigned char)((direction) + 8 * (memory)))

void gp_trace_queue_put(const struct gp_trace_event *event);
/* For the one writer: the oldest event; returns 0 if there is none. */
int gp_trace_queue_take(struct gp_trace_event *event);
uint64_t gp_trace_queue_dropped(void);

/* In the child of a fork: forgets all. */
void gp_trace_queue_reset(void);

#endif
