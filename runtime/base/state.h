/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state of the process: counted or not, changes of the report, the program's end. */
#ifndef GP_STATE_H
#define GP_STATE_H

#include <stdatomic.h>

/* OFF is final: GPUPROF_ENABLE=0, or a child forked from an already counted process. UNSET: settings not
 * read. */
enum gp_state { GP_UNSET, GP_OFF, GP_PAUSED, GP_ON };
extern _Atomic int gp_current_state;
enum gp_state gp_first_state(void);
static inline enum gp_state gp_state(void) {
  int state = atomic_load_explicit(&gp_current_state, memory_order_relaxed);
  return state == GP_UNSET ? gp_first_state() : (enum gp_state)state;
}

/* The report has changed: it will be (re)written at the program's end. Cheap when repeated. */
void gp_report_changed(void);
/* The same for a program without launches so far, and perhaps for ever: obstacles to the report are not
 * reported. */
void gp_report_needed(void);
/* The same during the program's end, without registering for it again. */
void gp_changes_remain(void);
/* True if the report has changed since the last call. */
int gp_take_changes(void);

/* Called before every launch seen by the hook: starts the journal. Cheap when repeated, as is the next. */
void gp_before_launch(void);
/* Called before a counted launch: chooses the document's place, since the kernel may run for hours. */
void gp_before_counted_launch(void);
/* Called once the device is in use: registers the end-of-program flush, late enough to run before the
 * device's own end. */
void gp_device_in_use(void);
/* True if a kernel was launched. */
int gp_device_is_in_use(void);
/* True if the program has begun to end. */
int gp_ended(void);
/* Called by runtime/process at the beginning of the program's end. */
void gp_end_begins(void);

#endif
