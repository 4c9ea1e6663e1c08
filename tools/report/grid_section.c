// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/grid_section.h"

#include "common/write.h"

void section_text(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style) {
  text_add(out, "\n ");
  write_painted(out, style, WRITE_BOLD, title);
  text_add(out, "\n");
  if (grid)
    grid_text(out, grid, style);
  if (*below) {
    text_add(out, " ");
    write_wrapped(out, style, below, 1);
  }
}

void section_markdown(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style) {
  text_format(out, "\n### %s\n\n", title);
  if (grid)
    grid_markdown(out, grid, style);
  if (*below) {
    text_add(out, grid ? "\n" : "");
    write_markdown(out, below);
    text_add(out, "\n");
  }
}

#define FOLDED_ROWS 40 /* from here on a table of a page is folded */

void section_html(struct text *out, const char *title, const struct grid *grid, const char *below, const struct style *style) {
  const bool folded = grid && grid->row_count > FOLDED_ROWS;
  text_add(out, "<section><h2>");
  text_xml(out, title);
  text_add(out, "</h2>");
  if (folded)
    text_format(out, "<details><summary>%zu rows</summary>", grid->row_count);
  if (grid)
    grid_html(out, grid, style);
  text_add(out, folded ? "</details>" : "");
  if (*below) {
    text_add(out, "<p class=\"legend\">");
    text_xml(out, below);
    text_add(out, "</p>");
  }
  text_add(out, "</section>\n");
}
