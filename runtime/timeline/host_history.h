/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the host did lately: waits, copies, executions of regions, and the regions of launches. A ring of
 * GP_HOST_EVENTS; the oldest are overwritten. It explains gaps between the work of a device. Thread-safe.
 */
#ifndef GP_HOST_HISTORY_H
#define GP_HOST_HISTORY_H

#include <stdint.h>

struct gp_context;

#define GP_HOST_EVENTS (1u << 14)

enum gp_host_event_kind { GP_HOST_WAIT, GP_HOST_COPY, GP_HOST_REGION, GP_HOST_LAUNCH };

struct gp_host_event {
  uint64_t start, end; /* gp_now(); of a launch both are its time */
  const struct gp_context *context; /* the region; the innermost open one of a wait, copy or launch */
  enum gp_host_event_kind kind;
  uint64_t execution; /* of a launch: how often the region had been entered */
};

void gp_host_history_add(struct gp_host_event event);
/* The same for a launch on the calling thread: kept if it is of another region, or execution, than the thread's launch
 * before, or if that was long ago. */
void gp_host_history_launch(uint64_t time, const struct gp_context *context);

/* What the host did from start to end. */
struct gp_host_activity {
  uint64_t wait_ns, copy_ns; /* in waiting calls, and in copies; of all threads, at most the whole time */
  const struct gp_context *region; /* the innermost one open for at least half of the time; null: none is known */
};
struct gp_host_activity gp_host_history_during(uint64_t start, uint64_t end);

void gp_host_history_reset(void);

#endif
