/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of the process: whether it is counted, whether the report has something new, whether the program ends. */
#ifndef GP_STATE_H
#define GP_STATE_H

#include <stdatomic.h>

/* OFF is for good: GPUPROF_ENABLE=0, or a child forked from a process that was already counted. UNSET: settings not read. */
enum gp_state { GP_UNSET, GP_OFF, GP_PAUSED, GP_ON };
extern _Atomic int gp_current_state;
enum gp_state gp_first_state(void);
static inline enum gp_state gp_state(void) {
  int state = atomic_load_explicit(&gp_current_state, memory_order_relaxed);
  return state == GP_UNSET ? gp_first_state() : (enum gp_state)state;
}

/* The report has something new: it will be (re)written when the program ends. Cheap when repeated. */
void gp_report_changed(void);
/* The same for a program that has launched nothing yet, and perhaps never will: what stands in the report's way is not said. */
void gp_report_needed(void);
/* The same while the program ends, which nobody need be asked for any more. */
void gp_changes_remain(void);
/* Whether the report changed since the last call. */
int gp_take_changes(void);

/* Before every launch that the hook sees: starts the journal. Cheap when repeated, as is the next. */
void gp_before_launch(void);
/* Before a launch that is counted: chooses the document's place, since the kernel may run for hours. */
void gp_before_counted_launch(void);
/* Called once the device is in use: asks for the end-of-program flush, so late that it comes before the device's own. */
void gp_device_in_use(void);
/* Whether a kernel was launched. */
int gp_device_is_in_use(void);
/* Has the program begun to end? */
int gp_ended(void);
/* runtime/process: it has. */
void gp_end_begins(void);

#endif
