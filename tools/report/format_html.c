// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report as one page that needs nothing else: no network, no files beside it. */
#include "chart/chart.h"
#include "chart/memory_curves.h"
#include "common/short_names.h"
#include "reader/run_end.h"
#include "reader/titles.h"
#include "report/energy_text.h"
#include "report/format_counters.h"
#include "report/format_hardware.h"
#include "report/format_host.h"
#include "report/format_memory.h"
#include "report/format_spiking.h"
#include "report/format_timeline.h"
#include "report/formats.h"
#include "report/overhead_line.h"
#include "report/ranks_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 48 /* longer names would push the numbers out of the page; the whole name is the title  \
                         */

#include "report/page.inc" /* page_style, page_script: of page.css and page.js */

/* The picture's colours on dark ground: classes win over the attributes that an SVG viewer reads. */
static void add_dark_inks(struct text *out) {
  text_add(out, "@media(prefers-color-scheme:dark){");
  for (size_t i = 0; i < INK_COUNT; ++i)
    text_format(out, ".f-%s{fill:#%06x}.s-%s{stroke:#%06x}", inks[i].class, inks[i].dark, inks[i].class,
                inks[i].dark);
  text_format(out, "text.halo{stroke:#%06x}}\n", inks[INK_PLOT].dark);
}

static void definition(struct text *out, const char *term, struct text *value) {
  if (value->length) {
    text_format(out, "<dt>%s</dt><dd>", term);
    text_xml(out, text_get(value));
    text_add(out, "</dd>\n");
  }
  text_free(value);
}

static void add_header(struct text *out, const struct document *document) {
  struct text line = {0};
  text_add(out, "<p class=\"brand\">gpuprof report</p>\n<h1>");
  text_xml(out, document_title(document));
  text_add(out, "</h1>\n<dl>\n");
  report_device(&line, document);
  definition(out, "device", &line);
  report_ceilings(&line, document, " · ");
  if (*document_ceiling_source(document))
    text_format(&line, " (%s)", document_ceiling_source(document));
  definition(out, "ceilings", &line);
  report_run(&line, document, " · ");
  definition(out, "run", &line);
  energy_of_run(&line, document, " · ");
  definition(out, "energy", &line);
  report_memory_line(&line, document);
  definition(out, "memory", &line);
  run_end(&line, document);
  definition(out, "end", &line);
  text_add(out, "</dl>\n");
}

static const char *cell_class(const struct column *column, const struct entry *entry, bool known) {
  if (!known)
    return "no";
  if (strcmp(column->subhead, "roof"))
    return column->order ? "" : "t";
  if (!*entry_string(entry, STRING_BOUND))
    return ""; /* at least that much */
  const double percent = entry_number(entry, NUMBER_PERCENT).value;
  return !strcmp(entry_string(entry, STRING_STATUS), "above_roof") ? "poor"
         : percent >= 60                                           ? "good"
         : percent >= 25                                           ? "fair"
                                                                   : "poor";
}

/* Counts are most of a page's numbers, and printf() takes most of a page's time. */
static void add_number(struct text *out, double number) {
  if (number >= 0 && number < 1e15 && number == floor(number))
    text_unsigned(out, (uint64_t)number);
  else
    text_format(out, "%.17g", number);
}

static void add_cell(struct text *out, const struct column *column, const struct entry *entry,
                     const struct style *style) {
  struct text cell = {0};
  column->show(&cell, entry, style);
  double order = column->order ? column->order(entry) : NAN;
  text_add(out, "<td class=\"");
  text_add(out, cell_class(column, entry, cell.length > 0));
  text_add(out, "\"");
  if (!isnan(order)) {
    text_add(out, " data-v=\"");
    add_number(out, order);
    text_add(out, "\"");
  }
  text_add(out, ">");
  text_xml(out, cell.length ? text_get(&cell) : style_dash(style));
  text_add(out, "</td>");
  text_free(&cell);
}

/* The titles; a region's is shortened by itself. */
static char **short_names_of(const struct entry *entries, size_t count) {
  char **names = entry_titles(entries, count), **kernels = allocate(count * sizeof *kernels);
  for (size_t i = 0; i < count; ++i)
    kernels[i] = entries[i].is_kernel ? copy_string(names[i]) : NULL;
  shorten_names(kernels, count, NAME_COLUMNS, "…");
  for (size_t i = 0; i < count; ++i) {
    struct text shown = {0};
    if (!kernels[i])
      text_elide(&shown, names[i], NAME_COLUMNS, "…");
    free(names[i]);
    names[i] = kernels[i] ? kernels[i] : copy_string(text_get(&shown));
    text_free(&shown);
  }
  free(kernels);
  return names;
}

static void add_row(struct text *out, const struct column_set *columns, const struct entry *entry,
                    size_t index, const char *shown, const struct style *style) {
  text_format(out, "<tr id=\"%c%zu\" data-depth=\"%u\"><td title=\"", entry->is_kernel ? 'k' : 'r', index, entry->depth);
  text_xml(out, entry->is_kernel ? entry->name : entry->path);
  unsigned indent = entry->depth < REPORT_DEEPEST ? entry->depth : REPORT_DEEPEST;
  text_format(out, "\" style=\"padding-left:%upx\">", 10 + 18 * indent);
  text_xml(out, shown);
  text_add(out, "</td>");
  for (size_t c = 0; c < report_column_count; ++c)
    if (columns->has[c])
      add_cell(out, &report_columns[c], entry, style);
  text_add(out, "</tr>\n");
  text_pass_on(out);
}

static void add_table(struct text *out, const struct document *document, const struct entry *entries,
                      size_t count, const char *title, const char *first, const struct style *style) {
  struct text left_out = {0};
  if (!count)
    return;
  const struct column_set columns = report_columns_of(entries, report_shown(count));
  text_format(out, "<section><h2>%s</h2><div class=\"scroll\"><table class=\"rows\"><thead><tr><th>%s</th>", title, first);
  for (size_t c = 0; c < report_column_count; ++c) {
    if (!columns.has[c])
      continue;
    const struct column *column = &report_columns[c];
    bool is_time = !strcmp(column->head, "time");
    const char *subhead = is_time ? document_time_source(document) : column->subhead;
    text_format(out, "<th%s title=\"", column->order ? "" : " class=\"t\"");
    text_xml(out, column->help);
    text_format(out, "\">%s", column->head);
    if (*subhead) {
      text_add(out, "<small>");
      text_xml(out, subhead);
      text_add(out, "</small>");
    }
    text_add(out, "</th>");
  }
  text_add(out, "</tr></thead><tbody>\n");
  char **names = short_names_of(entries, report_shown(count));
  for (size_t i = 0; i < report_shown(count); ++i)
    add_row(out, &columns, &entries[i], i, names[i], style);
  entry_titles_free(names, report_shown(count));
  text_add(out, "</tbody></table></div>");
  report_left_out(&left_out, document, count);
  if (left_out.length) {
    text_add(out, "<p>");
    text_xml(out, text_get(&left_out));
    text_add(out, "</p>");
  }
  text_free(&left_out);
  text_add(out, "</section>\n");
}

static void add_remark(struct text *out, const struct remark *remark) {
  struct text what = {0};
  text_add(out, "<li>");
  if (*remark->about) {
    text_add(out, "<code>");
    text_xml(out, remark->about);
    text_add(out, "</code> ");
  }
  remark_what(&what, remark);
  text_xml(out, text_get(&what));
  text_free(&what);
  if (*remark->why) {
    text_add(out, ": ");
    text_xml(out, remark->why);
  }
  text_add(out, "</li>\n");
}

static size_t add_list(struct text *out, const struct remark *remarks, size_t count, bool standing) {
  size_t shown = 0;
  for (size_t i = 0; i < count; ++i)
    if (remarks[i].standing == standing) {
      text_add(out, shown++ ? "" : "<ul>\n");
      add_remark(out, &remarks[i]);
    }
  text_add(out, shown ? "</ul>\n" : "");
  return shown;
}

/* Those that hold for every run are folded. */
static void add_remarks(struct text *out, const char *title, const struct remark *remarks, size_t count) {
  if (!count)
    return;
  text_format(out, "<section><h2>%s</h2>", title);
  const size_t own = add_list(out, remarks, count, false);
  if (own < count) {
    text_add(out, "<details><summary>notes that hold for every run</summary>");
    add_list(out, remarks, count, true);
    text_add(out, "</details>");
  }
  text_add(out, "</section>\n");
}

static void add_picture(struct text *out, const struct document *document,
                        const struct selection *selection) {
  struct chart chart;
  char *why = chart_build(&chart, document, 1, selection, NULL);
  if (why) {
    free(why);
    return;
  }
  text_add(out, "<section class=\"picture\"><div class=\"scroll\">\n");
  const struct picture picture = chart_picture(&chart);
  svg_draw(out, &picture, true);
  text_add(out, "</div></section>\n");
  chart_free(&chart);
}

static void add_own_cost(struct text *out, const struct document *document) {
  struct text line = {0};
  report_own_cost(&line, document);
  if (line.length) {
    text_add(out, "<section><p>");
    text_xml(out, text_get(&line));
    text_add(out, "</p></section>\n");
  }
  text_free(&line);
}

/* A page has the memory without being asked, where there is any. */
static void add_memory(struct text *out, const struct document *document, const struct selection *selection, const struct style *style) {
  struct memory_curves curves;
  struct selection page = *selection;
  char *why = memory_curves_build(&curves, document, 1, NULL);
  if (!why) {
    const struct picture picture = memory_curves_picture(&curves);
    text_add(out, "<section class=\"picture\"><div class=\"scroll\">\n");
    svg_draw(out, &picture, true);
    text_add(out, "</div></section>\n");
    page.memory = true;
  }
  memory_curves_free(&curves);
  free(why);
  report_memory(out, document, &page, section_html, style);
}

void report_html(struct text *out, const struct document *document, const struct selection *selection,
                 const struct style *style) {
  text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>gpuprof: ");
  text_xml(out, document_title(document));
  text_add(out, "</title>\n<style>\n");
  text_add(out, page_style);
  add_dark_inks(out);
  text_add(out, "</style></head><body><main>\n");
  add_header(out, document);
  if (report_empty(document, selection))
    text_format(out, "<section>%s</section>\n", report_empty(document, selection));
  add_picture(out, document, selection);
  if (selection->regions)
    add_table(out, document, document->regions, document->region_count, "Regions", "region", style);
  if (selection->kernels)
    add_table(out, document, document->kernels, document->kernel_count, "Kernels", "kernel", style);
  report_ranks_html(out, document, style);
  report_timeline_html(out, document, style);
  report_spiking_html(out, document, selection, style);
  if (selection->regions)
    report_counters_html(out, document);
  report_host(out, document, selection, section_html, style);
  add_memory(out, document, selection, style);
  if (selection->kernels)
    report_hardware_html(out, document, style);
  add_remarks(out, "Notes", document->notes, document->note_count);
  add_remarks(out, "Not counted", document->uncounted, document->uncounted_count);
  add_own_cost(out, document);
  text_format(
      out,
      "<footer>FLOP: executed, an fma is 2. Bytes asked: global bytes that instructions asked for; unique: "
      "32-byte sectors touched at least once in a launch, a lower bound of DRAM traffic. %s: unknown, see "
      "the notes.%s Click a column head to "
      "sort, a point of the picture to find its row.</footer>\n</main>\n<script>\n",
      style_dash(style), document_misses_launches(document) ? " ≥: launches are missing, see the notes." : "");
  text_add(out, page_script);
  text_add(out, "</script></body></html>\n");
}
