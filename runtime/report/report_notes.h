/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A document's own gaps: uncounted work, and the reasons for null values. */
#ifndef GP_REPORT_NOTES_H
#define GP_REPORT_NOTES_H

#include "report/json_writer.h"
#include "report/report_json.h"

/* Writes the member `uncounted`. */
void gp_report_uncounted(struct gp_json *json, const struct gp_aggregate *aggregate);
/* Writes the member `notes`. `ratio_unknown`: the reason why context.overhead.kernels_ratio is null, or
 * null. */
void gp_report_notes(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate,
                     const char *ratio_unknown);

#endif
