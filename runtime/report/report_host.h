/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host times in the document: the member host_time_ns of a row, and the member host of the document. */
#ifndef GP_REPORT_HOST_H
#define GP_REPORT_HOST_H

#include "report/aggregate.h"
#include "report/json_writer.h"

/* As a member of a row. */
void gp_report_host_time(struct gp_json *json, const struct gp_row *row);
/* As a member of the document. */
void gp_report_host(struct gp_json *json, const struct gp_aggregate *aggregate);

#endif
