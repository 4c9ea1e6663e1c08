// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/grid.h"

#include "common/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 14    /* columns from which a page draws them closer together */
#define DEEPEST 12 /* deeper rows stand as far to the right as rows of this depth */

/* ---- Filling ---- */

void grid_begin(struct grid *grid, const char *title, const struct grid_column *columns, size_t count) {
  *grid = (struct grid){.title = title};
  for (size_t i = 0; i < count; ++i)
    grid_add_column(grid, columns[i]);
}

void grid_add_column(struct grid *grid, struct grid_column column) {
  if (grid->column_count < GRID_COLUMNS_MOST)
    grid->columns[grid->column_count++] = column;
}

static void add_cell(struct grid *grid, const char *string, double order) {
  if (grid->cell_count == grid->cell_capacity) {
    grid->cell_capacity = grid->cell_capacity ? 2 * grid->cell_capacity : 256;
    grid->cells = reallocate(grid->cells, grid->cell_capacity * sizeof *grid->cells);
  }
  grid->cells[grid->cell_count++] = (struct grid_cell){grid->strings.length, order};
  text_add(&grid->strings, string);
  text_bytes(&grid->strings, "", 1);
}

void grid_row(struct grid *grid, const char *name, unsigned depth, bool last) {
  if (grid->row_count == grid->row_capacity) {
    grid->row_capacity = grid->row_capacity ? 2 * grid->row_capacity : 64;
    grid->rows = reallocate(grid->rows, grid->row_capacity * sizeof *grid->rows);
  }
  grid->rows[grid->row_count++] = (struct grid_row){grid->cell_count, depth, last};
  add_cell(grid, name, NAN);
}

void grid_cell(struct grid *grid, struct text *text, double order) {
  add_cell(grid, text_get(text), order);
  text_free(text);
}

void grid_free(struct grid *grid) {
  free(grid->rows);
  free(grid->cells);
  text_free(&grid->strings);
  *grid = (struct grid){0};
}

/* ---- Reading ---- */

static const struct grid_cell *cell_at(const struct grid *grid, size_t row, size_t column) {
  return &grid->cells[grid->rows[row].first + 1 + column];
}

static const char *cell_text(const struct grid *grid, size_t row, size_t column) {
  return grid->strings.data + cell_at(grid, row, column)->place;
}

static const char *row_name(const struct grid *grid, size_t row) {
  return grid->strings.data + grid->cells[grid->rows[row].first].place;
}

static bool is_known(const struct grid *grid, size_t column) {
  for (size_t row = 0; row < grid->row_count; ++row)
    if (*cell_text(grid, row, column))
      return true;
  return false;
}

static bool is_zero(const struct grid *grid, size_t column) {
  for (size_t row = 0; row < grid->row_count; ++row)
    if (cell_at(grid, row, column)->order != 0 && !isnan(cell_at(grid, row, column)->order))
      return false;
  return true;
}

static bool is_part(const struct grid *grid, size_t column) {
  return !(grid->columns[column].if_known && !is_known(grid, column)) &&
         !(grid->columns[column].if_not_zero && is_zero(grid, column));
}

/* ---- Text ---- */

/* How the table is laid out. */
struct layout {
  bool has[GRID_COLUMNS_MOST], shown[GRID_COLUMNS_MOST];
  size_t widths[GRID_COLUMNS_MOST]; /* of the present columns */
  size_t name_width, longest_name, gap;
  unsigned highest; /* columns of a higher rank are left out */
};

/* "│  ├─ name": the lines of a tree. `last` says of each depth whether the row around is the last one. */
static void tree_name(struct text *out, const struct grid *grid, size_t row, const struct style *style) {
  static const char *const lines[2][4] = {{"`- ", "|- ", "   ", "|  "}, {"└─ ", "├─ ", "   ", "│  "}};
  const char *const *line = lines[style->utf8];
  const unsigned depth = grid->rows[row].depth < DEEPEST ? grid->rows[row].depth : DEEPEST;
  bool last[DEEPEST + 1] = {false};
  unsigned wanted = depth;
  for (size_t at = row + 1; wanted && !grid->flat && at-- > 0;)
    if (grid->rows[at].depth == wanted)
      last[wanted--] = grid->rows[at].last;
  for (unsigned d = 1; d <= depth && !grid->flat; ++d)
    text_add(out, line[(d == depth ? 0 : 2) + !last[d]]);
  text_plain(out, row_name(grid, row));
}

static size_t wider(size_t width, const char *string) {
  const size_t own = text_width(string);
  return own > width ? own : width;
}

static size_t columns_width(const struct grid *grid, const struct layout *layout) {
  size_t sum = 1;
  for (size_t c = 0; c < grid->column_count; ++c)
    sum += layout->shown[c] ? layout->widths[c] + layout->gap : 0;
  return sum;
}

static bool fits(const struct grid *grid, const struct layout *layout, size_t name, size_t width) {
  return columns_width(grid, layout) + name <= width;
}

static void show_up_to(const struct grid *grid, struct layout *layout, unsigned highest) {
  layout->highest = highest;
  for (size_t c = 0; c < grid->column_count; ++c)
    layout->shown[c] = layout->has[c] && grid->columns[c].rank <= highest;
}

static void measure(const struct grid *grid, struct layout *layout, const struct style *style) {
  layout->longest_name = text_width(grid->title);
  for (size_t r = 0; r < grid->row_count; ++r) {
    struct text name = {0};
    tree_name(&name, grid, r, style);
    layout->longest_name = wider(layout->longest_name, text_get(&name));
    text_free(&name);
  }
  for (size_t c = 0; c < grid->column_count; ++c) {
    layout->has[c] = is_part(grid, c);
    layout->widths[c] = wider(wider(0, grid->columns[c].head), grid->columns[c].subhead);
    for (size_t r = 0; r < grid->row_count; ++r)
      layout->widths[c] = wider(layout->widths[c], cell_text(grid, r, c));
  }
}

/* Leaves out one column after the other until the names have two fifths of a line, or all they need. */
static void lay_out(const struct grid *grid, struct layout *layout, const struct style *style) {
  const size_t least_name = 8, share = style->width * 2 / 5;
  measure(grid, layout, style);
  const size_t wanted = layout->longest_name < share ? layout->longest_name : share;
  for (unsigned highest = GRID_RANK_MOST;; --highest) {
    show_up_to(grid, layout, highest);
    layout->gap = 2;
    if (!fits(grid, layout, layout->longest_name, style->width))
      layout->gap = 1;
    if (!highest || fits(grid, layout, wanted, style->width))
      break;
  }
  const size_t taken = columns_width(grid, layout), room = style->width > taken ? style->width - taken : 0;
  layout->name_width = layout->longest_name < room ? layout->longest_name : room;
  if (layout->name_width < least_name)
    layout->name_width = layout->longest_name < least_name ? layout->longest_name : least_name;
}

static void end_line(struct text *out) {
  while (out->length && out->data[out->length - 1] == ' ')
    --out->length;
  text_add(out, "\n");
}

static void head_line(struct text *out, const struct grid *grid, const struct layout *layout,
                      const struct style *style, bool second) {
  text_add(out, " ");
  write_padded(out, style, WRITE_BOLD, second ? "" : grid->title, layout->name_width, false);
  for (size_t c = 0; c < grid->column_count; ++c) {
    const struct grid_column *column = &grid->columns[c];
    if (!layout->shown[c])
      continue;
    text_repeat(out, " ", layout->gap);
    write_padded(out, style, second ? WRITE_DIM : WRITE_BOLD, second ? column->subhead : column->head,
                 layout->widths[c], !column->left);
  }
  end_line(out);
}

static bool has_second_line(const struct grid *grid, const struct layout *layout) {
  for (size_t c = 0; c < grid->column_count; ++c)
    if (layout->shown[c] && *grid->columns[c].subhead)
      return true;
  return false;
}

static void rule(struct text *out, const struct grid *grid, const struct layout *layout,
                 const struct style *style) {
  struct text line = {0};
  text_repeat(&line, style->utf8 ? "─" : "-", columns_width(grid, layout) + layout->name_width);
  write_painted(out, style, WRITE_DIM, text_get(&line));
  text_add(out, "\n");
  text_free(&line);
}

static void body_line(struct text *out, const struct grid *grid, const struct layout *layout,
                      const struct style *style, size_t row) {
  struct text name = {0}, shown = {0};
  tree_name(&name, grid, row, style);
  text_elide(&shown, text_get(&name), layout->name_width, style->utf8 ? "…" : "..");
  text_add(out, " ");
  write_padded(out, style, WRITE_PLAIN, text_get(&shown), layout->name_width, false);
  text_free(&name);
  text_free(&shown);
  for (size_t c = 0; c < grid->column_count; ++c) {
    if (!layout->shown[c])
      continue;
    const char *cell = cell_text(grid, row, c);
    text_repeat(out, " ", layout->gap);
    write_padded(out, style, *cell ? WRITE_PLAIN : WRITE_DIM, *cell ? cell : style_dash(style),
                 layout->widths[c], !grid->columns[c].left);
  }
  end_line(out);
  text_pass_on(out);
}

/* Names the columns without room in a table, and the width with room for them. */
static void say_left_out(struct text *out, const struct grid *grid, struct layout *layout,
                         const struct style *style) {
  struct text line = {0};
  for (size_t c = 0; c < grid->column_count; ++c) {
    const struct grid_column *column = &grid->columns[c];
    if (!layout->has[c] || layout->shown[c])
      continue;
    const size_t length = strlen(column->head);
    const char end = length ? column->head[length - 1] : 0;
    text_format(&line, "%s%.*s%s%s", line.length ? ", " : "No room for ", (int)(length - (end == '-')),
                column->head, *column->subhead && !strchr("-/", end) ? " " : "", column->subhead);
  }
  if (!line.length)
    return;
  layout->gap = 1;
  show_up_to(grid, layout, GRID_RANK_MOST);
  const size_t taken = columns_width(grid, layout);
  /* Names of more than two fifths of a line are folded. */
  size_t width = taken + layout->longest_name;
  while (width > taken + 1 && width - 1 - taken >= (width - 1) * 2 / 5)
    --width;
  text_format(&line, "; COLUMNS=%zu has.", width);
  text_add(out, " ");
  write_wrapped(out, style, text_get(&line), 1);
  text_free(&line);
}

void grid_text(struct text *out, const struct grid *grid, const struct style *style) {
  struct layout layout = {.gap = 2};
  lay_out(grid, &layout, style);
  head_line(out, grid, &layout, style, false);
  if (has_second_line(grid, &layout))
    head_line(out, grid, &layout, style, true);
  rule(out, grid, &layout, style);
  for (size_t r = 0; r < grid->row_count; ++r)
    body_line(out, grid, &layout, style, r);
  say_left_out(out, grid, &layout, style);
}

/* ---- Markdown ---- */

static void markdown_head(struct text *out, const struct grid *grid, const bool *has) {
  text_add(out, "| ");
  write_markdown(out, grid->title);
  text_add(out, " |");
  for (size_t c = 0; c < grid->column_count; ++c)
    if (has[c]) {
      text_add(out, " ");
      write_markdown(out, grid->columns[c].head);
      text_add(out, *grid->columns[c].subhead ? " " : "");
      write_markdown(out, grid->columns[c].subhead);
      text_add(out, " |");
    }
  text_add(out, "\n|:---|");
  for (size_t c = 0; c < grid->column_count; ++c)
    if (has[c])
      text_add(out, grid->columns[c].left ? ":---|" : "---:|");
  text_add(out, "\n");
}

void grid_markdown(struct text *out, const struct grid *grid, const struct style *style) {
  bool has[GRID_COLUMNS_MOST];
  for (size_t c = 0; c < grid->column_count; ++c)
    has[c] = is_part(grid, c);
  markdown_head(out, grid, has);
  for (size_t r = 0; r < grid->row_count; ++r) {
    text_add(out, "| ");
    text_repeat(out, "&nbsp;&nbsp;",
                grid->flat                      ? 0
                : grid->rows[r].depth < DEEPEST ? grid->rows[r].depth
                                                : DEEPEST);
    write_markdown(out, row_name(grid, r));
    text_add(out, " |");
    for (size_t c = 0; c < grid->column_count; ++c)
      if (has[c]) {
        const char *cell = cell_text(grid, r, c);
        text_add(out, " ");
        write_markdown(out, *cell ? cell : style_dash(style));
        text_add(out, " |");
      }
    text_add(out, "\n");
    text_pass_on(out);
  }
}

/* ---- HTML ---- */

static void html_head(struct text *out, const struct grid *grid, const bool *has) {
  size_t columns = 0;
  for (size_t c = 0; c < grid->column_count; ++c)
    columns += has[c];
  text_format(out, "<div class=\"scroll\"><table class=\"rows%s\"><thead><tr><th>", columns > WIDE ? " wide" : "");
  text_xml(out, grid->title);
  text_add(out, "</th>");
  for (size_t c = 0; c < grid->column_count; ++c) {
    const struct grid_column *column = &grid->columns[c];
    if (!has[c])
      continue;
    text_format(out, "<th%s title=\"", column->left ? " class=\"t\"" : "");
    text_xml(out, column->help);
    text_add(out, "\">");
    text_xml(out, column->head);
    if (*column->subhead) {
      text_add(out, "<small>");
      text_xml(out, column->subhead);
      text_add(out, "</small>");
    }
    text_add(out, "</th>");
  }
  text_add(out, "</tr></thead><tbody>\n");
}

static void html_cell(struct text *out, const struct grid *grid, size_t row, size_t column,
                      const struct style *style) {
  const char *cell = cell_text(grid, row, column);
  const double order = cell_at(grid, row, column)->order;
  text_format(out, "<td class=\"%s\"", !*cell ? "no" : grid->columns[column].left ? "t" : "");
  if (!isnan(order))
    text_format(out, " data-v=\"%.17g\"", order);
  text_add(out, ">");
  text_xml(out, *cell ? cell : style_dash(style));
  text_add(out, "</td>");
}

void grid_html(struct text *out, const struct grid *grid, const struct style *style) {
  bool has[GRID_COLUMNS_MOST];
  for (size_t c = 0; c < grid->column_count; ++c)
    has[c] = is_part(grid, c);
  html_head(out, grid, has);
  for (size_t r = 0; r < grid->row_count; ++r) {
    const unsigned depth = grid->rows[r].depth < DEEPEST ? grid->rows[r].depth : DEEPEST;
    text_format(out, "<tr data-depth=\"%u\"><td style=\"padding-left:%upx\">",
                grid->flat ? 0 : grid->rows[r].depth, grid->flat ? 10 : 10 + 18 * depth);
    text_xml(out, row_name(grid, r));
    text_add(out, "</td>");
    for (size_t c = 0; c < grid->column_count; ++c)
      if (has[c])
        html_cell(out, grid, r, c, style);
    text_add(out, "</tr>\n");
    text_pass_on(out);
  }
  text_add(out, "</tbody></table></div>\n");
}
