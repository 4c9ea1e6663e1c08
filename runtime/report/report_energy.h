/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measured joules of rows and of the run. */
#ifndef GP_REPORT_ENERGY_H
#define GP_REPORT_ENERGY_H

#include "report/aggregate.h"
#include "report/json_writer.h"

/* "energy_joules" and "energy_seconds" of a row. */
void gp_report_row_energy(struct gp_json *json, const struct gp_row *row);
/* "energy": {…} of the run. */
void gp_report_energy(struct gp_json *json);
/* Adds what a reader must know about measured energy to the notes. */
void gp_report_energy_remark(void);
/* Why energy_joules is null where it is. */
const char *gp_energy_note(void);

#endif
