/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building rows of the report: used by aggregate.c and contribution*.c only. Every function that allocates returns null or -1 when memory
 * is exhausted. */
#ifndef GP_ROWS_H
#define GP_ROWS_H

#include "base/describe.h"
#include "core/kernels.h"
#include "report/aggregate.h"

#include <regex.h>

/* The child with this key, made if there is none: the key is then its name. */
struct gp_row *gp_row_child(struct gp_row *parent, const char *key);
/* Adds facts missing in the row. */
void gp_row_describe(struct gp_row *row, const struct gp_description *description);
int gp_row_add_line(struct gp_row *row, const struct gp_line *line);
int gp_values_count(struct gp_scratch *memory, struct gp_values *values, const char *name, int64_t amount);
/* The step of this number, made if there is none. */
struct gp_step *gp_row_step(struct gp_row *row, int64_t number);
/* Adds the copies made in this region itself. */
int gp_row_add_copies_of(struct gp_row *row, const struct gp_context *context);
/* Adds a distribution; its samples stay the caller's. */
int gp_row_add_part(struct gp_row *row, const struct gp_distribution *part);
void gp_row_add_time(struct gp_row *row, uint64_t total, uint64_t timed, enum gp_time_source source);
/* Adds the unique bytes, requests, hardware counters and time of a record. */
void gp_row_add_measurements(struct gp_row *row, const struct gp_record *record);
/* Sorts lines and adds up those of one place. */
void gp_row_sort_lines(struct gp_row *row);
/* Adds the work of children to their parents, from the leaves up; lines stay in place. */
int gp_rows_add_up(struct gp_row *row);
/* Marks the rows to show (filter null: all): rows with a matching path, and the rows around them. Hidden rows
 * leave their lines to enclosing rows. */
int gp_rows_filter(struct gp_row *root, const regex_t *filter);
/* Frees data of rows outside of their memory; the caller frees the memory. */
void gp_rows_free(struct gp_row *root);

#endif
