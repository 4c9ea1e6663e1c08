/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events of the trace as text: Chrome's trace format as Kineto writes it. */
#ifndef GP_TRACE_TEXT_H
#define GP_TRACE_TEXT_H

#include "timeline/trace_queue.h"

#include <stdint.h>
#include <stdio.h>

/* Times are counted from here, in us. */
struct gp_trace_base {
  uint64_t start_ns; /* gp_now() */
  int process;
};

/* Writes the event, and the arrow from its call, each preceded by ",\n". `row` is the number of the kernel's row
 * (trace_rows.h). */
void gp_trace_text_event(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *event, uint32_t row);
/* The names shown for a process, and for a thread or stream. `process`: a process, or a device. */
void gp_trace_text_process(FILE *out, long process, const char *name, const char *label, int place);
void gp_trace_text_thread(FILE *out, long process, long thread, const char *name, long place);

/* A JSON string, with its quotes; null: null. */
void gp_trace_text_string(FILE *out, const char *text);

#endif
