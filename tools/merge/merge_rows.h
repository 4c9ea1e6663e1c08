/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of two documents: those of one path become one row, with the least and most of a rank. */
#ifndef GP_TOOL_MERGE_ROWS_H
#define GP_TOOL_MERGE_ROWS_H

#include "merge/merge_values.h"

#include <stdint.h>

/* Source files of lines, each with a number. */
struct line_files {
  const char **names;
  size_t count, capacity;
};

struct row_merge {
  struct gp_json *json;
  struct gp_json_defaults *defaults;
  struct line_files files;
  const char *around; /* path of the row that the next rows stand in; null: none */
  struct shared_lists shared_a, shared_b;
  struct count rank_a, rank_b; /* of documents that are not merged */
};

/* Writes the member `rows`: defaults, columns, files of lines. */
void merge_reading(struct row_merge *merge, struct side a, struct side b);
/* Writes the rows of a list, "regions" or "kernels". */
void merge_rows(struct row_merge *merge, const char *key, struct side a, struct side b);
void row_merge_free(struct row_merge *merge);

#endif
