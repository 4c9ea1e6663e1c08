/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compilation of the executed device code: context.builds. */
#ifndef GP_REPORT_BUILDS_H
#define GP_REPORT_BUILDS_H

#include "report/json_writer.h"

/* One object for each way of compiling units; with their sources if there are several ways. */
void gp_report_builds(struct gp_json *json);
/* Remarks on builds with surprising counts. */
void gp_report_builds_remark(void);

#endif
