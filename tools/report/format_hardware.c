// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_hardware.h"

#include "common/numbers.h"
#include "common/short_names.h"
#include "reader/titles.h"
#include "reader/value.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cells ---- */
enum cell { KERNEL, COUNTER, COUNTED, EXPECTED, HARDWARE, DIFFERENCE, UNEXPLAINED, CELLS };

static const char *const heads[CELLS] = {"kernel",   "counter",    "counted",    "expected",
                                         "hardware", "difference", "unexplained"};

typedef void (*row_function)(void *closure, const char *const cells[CELLS]);

/* NAN: unknown, or not there. */
static double member_number(const struct json *part, json_key counter) {
  const struct json_path path = {{counter}, 1};
  struct value value = value_of(part ? json_at(part, &path) : NULL);
  return value_is_number(value) ? value.real : NAN;
}

/* The objects that all have a number for each counter. */
struct parts {
  const struct json *counters, *counted, *expected, *least, *difference, *unexplained;
};

static struct parts parts_of(const struct document *document, const struct json *hardware) {
  const struct json_tree *tree = &document->tree;
  return (struct parts){json_find(tree, hardware, "counters"),
                        json_find(tree, hardware, "counted"),
                        json_find(tree, hardware, "expected"),
                        json_find(tree, hardware, "expected_least"),
                        json_find(tree, hardware, "difference_percent"),
                        json_find(tree, hardware, "unexplained_percent")};
}

static void exact(struct text *text, double value, const char *dash) {
  if (isnan(value))
    text_add(text, dash);
  else if (value == floor(value) && fabs(value) < 1e16)
    text_format(text, "%.0f", value);
  else
    text_format(text, "%.6g", value);
}

static void percent(struct text *text, double value, const char *dash) {
  if (isnan(value))
    text_add(text, dash);
  else
    text_format(text, fabs(value) < 1e9 ? "%s%.3f %%" : "%s%.3e %%", value > 0 ? "+" : "", value == 0 ? 0.0 : value);
}

/* "1024 to 2048" where ptxas is free. */
static void expectation(struct text *text, const struct parts *parts, json_key counter, const char *dash) {
  double least = member_number(parts->least, counter);
  if (!isnan(least)) {
    exact(text, least, dash);
    text_add(text, " to ");
  }
  exact(text, member_number(parts->expected, counter), dash);
}

static void visit_counter(const char *kernel, const struct parts *parts, const char *name, json_key counter,
                          const char *dash, row_function row, void *closure) {
  double measured = member_number(parts->counters, counter), counted = member_number(parts->counted, counter);
  struct text texts[CELLS] = {{0}};
  const char *cells[CELLS];
  if ((isnan(measured) || measured == 0) && (isnan(counted) || counted == 0))
    return;
  text_plain(&texts[KERNEL], kernel);
  text_plain(&texts[COUNTER], name);
  exact(&texts[COUNTED], counted, dash);
  expectation(&texts[EXPECTED], parts, counter, dash);
  exact(&texts[HARDWARE], measured, dash);
  percent(&texts[DIFFERENCE], member_number(parts->difference, counter), dash);
  percent(&texts[UNEXPLAINED], member_number(parts->unexplained, counter), dash);
  for (size_t i = 0; i < CELLS; ++i)
    cells[i] = text_get(&texts[i]);
  row(closure, cells);
  for (size_t i = 0; i < CELLS; ++i)
    text_free(&texts[i]);
}

#define WHOLE SIZE_MAX

/* The cleaned titles of all kernels, in `width` columns. */
static char **names_of(const struct document *document, size_t width, const struct style *style) {
  char **names = entry_titles(document->kernels, document->kernel_count);
  for (size_t i = 0; i < document->kernel_count; ++i) {
    struct text clean = {0};
    text_plain(&clean, names[i]);
    free(names[i]);
    names[i] = copy_string(text_get(&clean));
    text_free(&clean);
  }
  shorten_names(names, document->kernel_count, width, style_ellipsis(style));
  return names;
}

static void visit(const struct document *document, size_t name_width, const struct style *style,
                  row_function row, void *closure) {
  char **names = names_of(document, name_width, style);
  for (size_t i = 0; i < document->kernel_count; ++i) {
    const struct json *hardware = entry_part(&document->kernels[i], PART_HARDWARE);
    if (!json_count(hardware))
      continue;
    struct parts parts = parts_of(document, hardware);
    JSON_EACH(counter, parts.counters)
    visit_counter(names[i], &parts, json_name(&document->tree, counter), counter->key, style_dash(style), row,
                  closure);
  }
  entry_titles_free(names, document->kernel_count);
}

static void count_row(void *closure, const char *const cells[CELLS]) {
  (void)cells;
  ++*(size_t *)closure;
}

static bool is_empty(const struct document *document, const struct style *style) {
  size_t rows = 0;
  visit(document, WHOLE, style, count_row, &rows);
  return !rows;
}

/* ---- Text ---- */
struct text_table {
  struct text *out;
  const struct style *style;
  size_t widths[CELLS]; /* 0: there is no room for this column */
};

static void measure_row(void *closure, const char *const cells[CELLS]) {
  struct text_table *table = closure;
  for (size_t i = 0; i < CELLS; ++i) {
    size_t width = text_width(cells[i]);
    table->widths[i] = width > table->widths[i] ? width : table->widths[i];
  }
}

static size_t line_width(const struct text_table *table) {
  size_t width = 0;
  for (size_t i = 0; i < CELLS; ++i)
    width += table->widths[i] ? table->widths[i] + (i ? 2 : 1) : 0;
  return width;
}

/* In a narrow terminal columns that follow from others are left out; then names are folded. */
static void fit(struct text_table *table) {
  static const size_t left_out[] = {DIFFERENCE, COUNTED, EXPECTED};
  const size_t least_name = 8, most = table->style->width;
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out && line_width(table) > most; ++i)
    table->widths[left_out[i]] = 0;
  while (line_width(table) > most && table->widths[KERNEL] > least_name)
    table->widths[KERNEL]--;
}

static void print_row(void *closure, const char *const cells[CELLS]) {
  const struct text_table *table = closure;
  for (size_t i = 0; i < CELLS; ++i) {
    struct text cell = {0};
    if (!table->widths[i])
      continue;
    if (i == KERNEL)
      text_elide_kernel(&cell, cells[i], table->widths[i], table->style->utf8 ? "…" : "..");
    else
      text_add(&cell, cells[i]);
    const size_t width = text_width(text_get(&cell)), pad = table->widths[i] > width ? table->widths[i] - width : 0;
    const bool left = i <= COUNTER;
    text_add(table->out, i ? "  " : " ");
    text_repeat(table->out, " ", left ? 0 : pad);
    text_add(table->out, text_get(&cell));
    text_repeat(table->out, " ", left ? pad : 0);
    text_free(&cell);
  }
  text_add(table->out, "\n");
}

void report_hardware_text(struct text *out, const struct document *document, const struct style *style) {
  struct text_table table = {.out = out, .style = style};
  if (is_empty(document, style))
    return;
  measure_row(&table, heads);
  visit(document, WHOLE, style, measure_row, &table);
  fit(&table);
  text_add(out, "\n Hardware counters\n");
  print_row(&table, heads);
  visit(document, table.widths[KERNEL], style, print_row, &table);
  text_add(out, " ");
  write_wrapped(out, style,
                 "counted: by gpuprof; expected: what machine code makes of it, and bytes that lanes of a warp share "
                 "once; unexplained: how far the hardware is outside of that (docs/user/accuracy.md).",
                 1);
}

/* ---- Markdown and HTML ---- */
static void markdown_row(void *closure, const char *const cells[CELLS]) {
  struct text *out = closure;
  for (size_t i = 0; i < CELLS; ++i) {
    text_add(out, i ? " | " : "| ");
    for (const char *at = cells[i]; *at; ++at) {
      if (strchr("|<>&`*_\\[]!~$", *at))
        text_add(out, "\\");
      text_bytes(out, at, 1);
    }
  }
  text_add(out, " |\n");
}

void report_hardware_markdown(struct text *out, const struct document *document, const struct style *style) {
  if (is_empty(document, style))
    return;
  text_add(out, "\n");
  markdown_row(out, heads);
  text_add(out, "|---|---|--:|--:|--:|--:|--:|\n");
  visit(document, WHOLE, style, markdown_row, out);
}

static void html_row(void *closure, const char *const cells[CELLS]) {
  struct text *out = closure;
  text_add(out, "<tr>");
  for (size_t i = 0; i < CELLS; ++i) {
    text_add(out, i <= COUNTER ? "<td class=\"t\">" : "<td>");
    text_xml(out, cells[i]);
    text_add(out, "</td>");
  }
  text_add(out, "</tr>\n");
}

void report_hardware_html(struct text *out, const struct document *document, const struct style *style) {
  if (is_empty(document, style))
    return;
  text_add(out, "<section><h2>Hardware counters</h2><div class=\"scroll\"><table><thead><tr>");
  for (size_t i = 0; i < CELLS; ++i)
    text_format(out, "<th%s>%s</th>", i <= COUNTER ? " class=\"t\"" : "", heads[i]);
  text_add(out, "</tr></thead><tbody>\n");
  visit(document, WHOLE, style, html_row, out);
  text_add(out, "</tbody></table></div></section>\n");
}
