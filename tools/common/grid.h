/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A table for people: rows of text under columns with ranks of
 * importance. One table is written as text, Markdown or HTML. */
#ifndef GP_TOOL_GRID_H
#define GP_TOOL_GRID_H

#include "common/style.h"
#include "common/text.h"

#include <stddef.h>

#define GRID_COLUMNS_MOST 64
#define GRID_RANK_MOST 10

struct grid_column {
  const char *head, *subhead, *help;
  unsigned rank; /* 0: always shown; in a narrow terminal the column of the highest rank is left out first */
  bool left;     /* text: aligned to the left */
  bool if_known; /* left out where no row has a value */
  bool if_not_zero; /* left out where every row has 0, or no value */
};

struct grid_cell {
  size_t place; /* of its text; an empty text is unknown */
  double order; /* a number to sort by, or NAN */
};

struct grid_row {
  size_t first; /* of its cells: a name, and then a cell a column */
  unsigned depth;
  bool last; /* of its siblings */
};

struct grid {
  const char *title; /* head of the names */
  struct grid_column columns[GRID_COLUMNS_MOST];
  size_t column_count;
  struct grid_row *rows;
  size_t row_count, row_capacity;
  struct grid_cell *cells;
  size_t cell_count, cell_capacity;
  struct text strings; /* of all cells, each with a zero behind it */
  bool flat;           /* names are no tree: no lines before them */
};

void grid_begin(struct grid *grid, const char *title, const struct grid_column *columns, size_t count);
void grid_add_column(struct grid *grid, struct grid_column column);
/* Begins a row. Its cells are added next, as many as there are columns. */
void grid_row(struct grid *grid, const char *name, unsigned depth, bool last);
/* Takes the text over, and leaves it empty. */
void grid_cell(struct grid *grid, struct text *text, double order);
void grid_free(struct grid *grid);

/* With a line naming the columns without room. */
void grid_text(struct text *out, const struct grid *grid, const struct style *style);
void grid_markdown(struct text *out, const struct grid *grid, const struct style *style);
/* A table sorted by the page's script. */
void grid_html(struct text *out, const struct grid *grid, const struct style *style);

#endif
