/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hardware's part of the report. */
#ifndef GP_REPORT_HARDWARE_H
#define GP_REPORT_HARDWARE_H

#include "machine/occupancy.h"
#include "report/aggregate.h"
#include "report/json_writer.h"

/* The row's value of a counter of hardware_counters.inc, or GP_UNKNOWN. */
double gp_hardware_value(const struct gp_row *row, enum gp_hardware counter);
/* Bytes moved between L2 and DRAM both ways, or GP_UNKNOWN. */
double gp_hardware_dram(const struct gp_row *row);

/* Achieved occupancy, from 0 to 1, on multiprocessors of these limits (null: not known), or GP_UNKNOWN. */
double gp_hardware_occupancy(const struct gp_row *row, const struct gp_sm_limits *sm);

/* "l1", "l2" and "dram" of one row's bytes. */
void gp_report_moved_bytes(struct gp_json *json, const struct gp_row *row);
/* "hardware": {…} of one row. */
void gp_report_hardware(struct gp_json *json, const struct gp_row *row);
/* Reports the reason why the hardware's values are null, if they are. */
void gp_report_hardware_remark(const struct gp_aggregate *aggregate);

#endif
