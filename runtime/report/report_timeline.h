/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies and the time line in the document, and what it says of kernels in the trace. */
#ifndef GP_REPORT_TIMELINE_H
#define GP_REPORT_TIMELINE_H

#include "report/aggregate.h"
#include "report/json_writer.h"
#include "report/roofline.h"
#include "timeline/copy_sums.h"

/* The member `copies` of a row, or of the document; sums null: none. */
void gp_report_copies(struct gp_json *json, const struct gp_copy_sums *sums);
/* Notes what is not known of all copies. */
void gp_report_remark_copies(const struct gp_copy_sums *sums);
/* The member `timeline` of the document. */
void gp_report_timeline(struct gp_json *json);

/* Keeps the work of a record for its kernel's events in the trace. Returns 0, or -1 when memory is exhausted. */
int gp_report_keep_traced(struct gp_aggregate *aggregate, const struct gp_record *original, const struct gp_record *record,
                          const struct gp_totals *totals, const struct gp_totals *before);
/* Passes all on to the trace. */
void gp_report_tell_trace(const struct gp_aggregate *aggregate, const struct gp_ceilings *ceilings);

#endif
