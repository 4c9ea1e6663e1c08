/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ceilings of the document: each with its source, measured or datasheet. */
#ifndef GP_REPORT_CEILINGS_H
#define GP_REPORT_CEILINGS_H

#include "report/chips.h"
#include "report/json_writer.h"

void gp_report_ceilings(struct gp_json *json, const struct gp_ceilings *ceilings);

#endif
