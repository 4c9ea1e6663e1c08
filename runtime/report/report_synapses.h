/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Synaptic operations in the report: stated by directives, or derived from the sheet by the clause
 * synapse. */
#ifndef GP_REPORT_SYNAPSES_H
#define GP_REPORT_SYNAPSES_H

#include "report/aggregate.h"
#include "report/json_writer.h"
#include "sheet/sheet.h"

void gp_synapses_add_sum(struct gp_synapses *to, enum gp_synapse_sum sum, uint64_t count);

/* The operations in one execution of a group, as far as it belongs to a region. */
struct gp_derived_synapses {
  uint32_t group, region;
  uint64_t accumulates, multiply_accumulates;
};
/* Those of all groups and regions of the kernel; null without memory. The caller frees them. */
struct gp_derived_synapses *gp_synapses_derive(const struct gp_sheet_kernel *kernel, size_t *count);
void gp_synapses_add_derived(struct gp_synapses *to, const struct gp_derived_synapses *derived,
                             uint64_t executions);

/* Remarks on a problem of a row's numbers, if there is one. */
void gp_synapses_remark(const struct gp_row *row);
/* The columns of a step; their values are null where they are left out. */
void gp_report_synapse_columns(struct gp_json *json);
void gp_report_no_synapses(struct gp_json *json);
/* As members of the open object, or as items of the open array. */
void gp_report_synapse_members(struct gp_json *json, const struct gp_synapses *synapses);
void gp_report_synapse_items(struct gp_json *json, const struct gp_synapses *synapses);

#endif
