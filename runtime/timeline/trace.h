/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_TRACE: the run as a trace file, written by a thread of gpuprof while the program runs (trace_queue.h,
 * trace_text.h, trace_file.h). Functions are called only if gp_trace_is_on(). Thread-safe; nobody waits.
 */
#ifndef GP_TRACE_H
#define GP_TRACE_H

#include "timeline/timeline.h"

#include <stdatomic.h>
#include <stdint.h>

struct gp_record;
struct gp_trace_row;

extern _Atomic int gp_trace_state; /* 1: events are wanted */
static inline int gp_trace_is_on(void) { return atomic_load_explicit(&gp_trace_state, memory_order_relaxed); }

/* Turns it on if the setting wants it. The thread begins with the first event. */
void gp_trace_prepare(void);

void gp_trace_launch(const struct gp_launch *launch, const struct gp_record *record, uint64_t call_start, uint64_t call_end);
void gp_trace_kernel(uint64_t id, const struct gp_record *record, const struct gp_device_work *work);
/* A kernel of a library or graph: no launch of the program is known for it. */
void gp_trace_other_kernel(const struct gp_device_work *work, const char *name);
/* A copy of the name that lives as long as the process: the same for equal names; null without memory. */
const char *gp_trace_name(const char *name);
void gp_trace_copy_call(const struct gp_copy_call *call, uint64_t end);
void gp_trace_copy(const struct gp_copy_call *call, const struct gp_device_work *work);
void gp_trace_wait(const char *call, uint64_t start, uint64_t end);
/* A value of a device, or of the host (GP_DEVICES), at this moment. `name` lives as long as the process. */
void gp_trace_counter(unsigned device, const char *name, uint64_t time, uint64_t value);

/* Regions of the calling thread; the name lives as long as the process. */
void gp_trace_region_begins(const char *name, uint64_t execution);
void gp_trace_region_ends(void);

/* The end of the program: writes all events, and fills in what the report knows of kernels (trace_rows.h). */
void gp_trace_finish(void);
/* The child of a fork writes a trace of its own, if it is counted. */
void gp_trace_in_child(void);

#endif
