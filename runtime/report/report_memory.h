/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of the report about CUDA memory of the program. */
#ifndef GP_REPORT_MEMORY_H
#define GP_REPORT_MEMORY_H

#include "report/aggregate.h"
#include "report/json_writer.h"

/* "memory": {…} of the document, with its remarks. `complete`: the program ends. `asks_device`: the device may be asked for its
 * own numbers. */
void gp_report_memory(struct gp_json *json, int complete, int asks_device);
/* "memory": {…} of one row. */
void gp_report_row_memory(struct gp_json *json, const struct gp_row *row);
/* Adds what the context itself allocated and released to its row. */
void gp_report_add_memory(struct gp_row *row, const struct gp_context *context);
/* Adds an enclosed row's memory to the enclosing one. */
void gp_report_add_child_memory(struct gp_row *row, const struct gp_row *child);

#endif
