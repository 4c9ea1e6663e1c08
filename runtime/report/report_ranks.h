/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Members of the document's context about the ranks of a parallel job. */
#ifndef GP_REPORT_RANKS_H
#define GP_REPORT_RANKS_H

#include "base/device.h"
#include "report/json_writer.h"

/* `device`: of the first launch, or null. */
void gp_report_ranks(struct gp_json *json, const struct gp_device_info *device);

#endif
