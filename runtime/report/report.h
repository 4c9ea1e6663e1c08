/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing the report of this process. */
#ifndef GP_REPORT_H
#define GP_REPORT_H

#include "core/snapshot.h"

struct gp_report_cause {
  enum gp_occasion occasion;
  const char *how;  /* the program ends: "exit", "signal", …; null: it goes on */
  int signal;       /* the fatal signal, or 0 */
  unsigned excused; /* launches that cannot end (gate.h) */
};

/* Gathers all present data and writes GPUPROF_OUTPUT. Returns 0; -1 after one message; 1 without writing, if
 * the program goes on and the output is no replaceable file. */
int gp_report_write(const struct gp_report_cause *cause);

/* Puts the signal into the last written document, still in the state "running". Async-signal-safe. */
void gp_report_name_signal(int signal);

/* While the thread holds it, no document is being written: data about to be freed has no reader. */
void gp_report_hold(void);
void gp_report_release(void);

#endif
