/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gpuprof itself cost the run: the member context.overhead. */
#ifndef GP_REPORT_OVERHEAD_H
#define GP_REPORT_OVERHEAD_H

#include "report/aggregate.h"
#include "report/json_writer.h"
#include "report/report_json.h"

/* Members of the open object. */
void gp_report_overhead(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate);

#endif
