/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* FLOPs, bytes and bound of kernels in the trace. They are known at the end of the program, when their events are
 * already in the file. Each event has room for them, and the number of its row: a kernel in a region. The room is
 * filled in place.
 */
#ifndef GP_TRACE_ROWS_H
#define GP_TRACE_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct gp_record;

/* The number of a record, from 1; 0 without memory. */
uint32_t gp_trace_rows_number(const struct gp_record *record);
/* Writes the members of a kernel's event, each preceded by a comma. */
void gp_trace_rows_print(FILE *out, uint32_t row);

/* The work of one launch of the record, on average; known: 0 if it is unknown. `bound` may be null. */
struct gp_trace_row {
  int known;
  uint64_t flops, bytes;
  const char *bound;
};
void gp_trace_rows_set(const struct gp_record *record, const struct gp_trace_row *row);
/* Fills the room in the text of events. */
void gp_trace_rows_fill(char *text, size_t length);
/* In the child of a fork: forgets all. */
void gp_trace_rows_reset(void);

#endif
