/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the device code that ran was compiled: context.builds. */
#ifndef GP_REPORT_BUILDS_H
#define GP_REPORT_BUILDS_H

#include "report/json_writer.h"

/* One object for each way in which units were compiled; with their sources where there are several ways. */
void gp_report_builds(struct gp_json *json);
/* Says of builds whose counts surprise. */
void gp_report_builds_remark(void);

#endif
