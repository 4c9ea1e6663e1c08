// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report as Markdown tables, for issues, pull requests and notebooks. */
#include "common/grid.h"
#include "compare/diff.h"
#include "reader/run_end.h"
#include "reader/titles.h"
#include "report/advice.h"
#include "report/format_counters.h"
#include "report/format_hardware.h"
#include "report/format_host.h"
#include "report/format_memory.h"
#include "report/format_spiking.h"
#include "report/format_timeline.h"
#include "report/formats.h"
#include "report/overhead_line.h"
#include "report/ranks_table.h"
#include "report/setup.h"

#include <stdlib.h>
#include <string.h>

static void add_table(struct text *out, const struct document *document, const struct entry *entries,
                      size_t count, const char *title, const struct style *style) {
  struct text left_out = {0};
  if (!count)
    return;
  const struct column_set columns = report_columns_of(entries, report_shown(count));
  text_format(out, "\n### %s\n\n| %s |", strcmp(title, "region") ? "Kernels" : "Regions", title);
  for (size_t c = 0; c < report_column_count; ++c) {
    if (!columns.has[c])
      continue;
    bool is_time = !strcmp(report_columns[c].head, "time");
    const char *subhead = is_time ? document_time_source(document) : report_columns[c].subhead;
    text_format(out, " %s%s%s |", report_columns[c].head, *subhead ? " " : "", subhead);
  }
  text_add(out, "\n|:---|");
  for (size_t c = 0; c < report_column_count; ++c)
    if (columns.has[c])
      text_add(out, report_columns[c].order ? "---:|" : ":---|");
  text_add(out, "\n");
  char **names = entry_titles(entries, report_shown(count));
  for (size_t i = 0; i < report_shown(count); ++i) {
    text_add(out, "| ");
    text_repeat(out, "&nbsp;&nbsp;", entries[i].depth < REPORT_DEEPEST ? entries[i].depth : REPORT_DEEPEST);
    write_markdown(out, names[i]);
    text_add(out, " |");
    for (size_t c = 0; c < report_column_count; ++c) {
      if (!columns.has[c])
        continue;
      struct text cell = {0};
      report_columns[c].show(&cell, &entries[i], style);
      text_add(out, " ");
      write_markdown(out, cell.length ? text_get(&cell) : style_dash(style));
      text_add(out, " |");
      text_free(&cell);
    }
    text_add(out, "\n");
    text_pass_on(out);
  }
  entry_titles_free(names, report_shown(count));
  report_left_out(&left_out, document, count);
  if (left_out.length) {
    text_add(out, "\n");
    write_markdown(out, text_get(&left_out));
    text_add(out, "\n");
  }
  text_free(&left_out);
}

/* A table as code, four spaces before each line: whatever stands in it is shown as it is. */
static void add_code(struct text *out, const char *string) {
  while (*string) {
    const size_t length = strcspn(string, "\n");
    text_add(out, length ? "    " : "");
    text_bytes(out, string, length);
    text_add(out, "\n");
    string += length + (string[length] == '\n');
  }
}

static void item(struct text *out, const char *label, const char *value) {
  if (!*value)
    return;
  text_format(out, "- **%s:** ", label);
  write_markdown(out, value);
  text_add(out, "\n");
}

static void add_remarks(struct text *out, const char *title, const struct remark *remarks, size_t count,
                        bool standing) {
  size_t kept_back = 0;
  if (!count)
    return;
  text_format(out, "\n### %s\n\n", title);
  for (size_t i = 0; i < count; ++i) {
    struct text what = {0};
    if (remarks[i].standing && !standing) {
      ++kept_back;
      continue;
    }
    remark_what(&what, &remarks[i]);
    const char *parts[] = {remarks[i].about, text_get(&what), remarks[i].why};
    bool first = true;
    text_add(out, "- ");
    for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p) {
      if (!*parts[p])
        continue;
      text_add(out, first ? "" : ": ");
      write_markdown(out, parts[p]);
      first = false;
    }
    text_add(out, "\n");
    text_free(&what);
  }
  if (kept_back)
    text_format(out, "- %zu more hold for every run: `--notes` shows them\n", kept_back);
}

static void add_setup(struct text *out, const struct document *document) {
  struct text line = {0};
  text_add(out, "\n### Setup\n\n");
  text_plain(&line, document->command);
  item(out, "program", text_get(&line));
  text_free(&line);
  report_device(&line, document);
  item(out, "device", text_get(&line));
  text_free(&line);
  report_ceilings(&line, document, ", ");
  if (*document_ceiling_source(document))
    text_format(&line, " (%s)", document_ceiling_source(document));
  item(out, "ceilings", text_get(&line));
  text_free(&line);
  report_run(&line, document, ", ");
  item(out, "run", text_get(&line));
  text_free(&line);
  report_memory_line(&line, document);
  item(out, "memory", text_get(&line));
  text_free(&line);
  run_end(&line, document);
  item(out, "end", text_get(&line));
  text_free(&line);
  report_builds(&line, document);
  item(out, "build", text_get(&line));
  text_free(&line);
  report_conventions(&line, document);
  item(out, "conventions", text_get(&line));
  text_free(&line);
}

static void add_bounds(struct text *out, const struct document *document, const struct style *style) {
  struct grid grid;
  report_bounds(&grid, document);
  if (grid.row_count) {
    text_add(out, "\n### Bound\n\n");
    grid_markdown(out, &grid, style);
    text_add(out, "\nLeast time that each resource needs; the largest is the bound, and over the measured time the per cent of the roof.\n");
  }
  grid_free(&grid);
}

static void add_comparison(struct text *out, const struct document *document, const struct document *baseline) {
  const struct arguments arguments = {.rest = NULL};
  struct text table = {0};
  if (!baseline)
    return;
  text_add(out, "\n### Comparison\n\nBefore: ");
  write_markdown(out, baseline->file);
  text_add(out, ", after: ");
  write_markdown(out, document->file);
  text_add(out, ".\n\n");
  diff_documents(&table, baseline, document, &arguments);
  add_code(out, text_get(&table));
  text_free(&table);
}

static void add_advice(struct text *out, const char *sentence) {
  text_add(out, "- ");
  write_markdown(out, sentence);
  text_add(out, "\n");
}

static void add_all_advice(struct text *out, const struct document *document, const struct selection *selection) {
  struct text advice = {0};
  report_advice(&advice, document, selection, add_advice);
  if (advice.length)
    text_format(out, "\n### Advice\n\n%s", text_get(&advice));
  text_free(&advice);
}

static void add_own_cost(struct text *out, const struct document *document) {
  struct text line = {0};
  report_own_cost(&line, document);
  if (line.length) {
    text_add(out, "\n");
    write_markdown(out, text_get(&line));
    text_add(out, "\n");
  }
  text_free(&line);
}

void report_markdown(struct text *out, const struct document *document, const struct selection *selection,
                     const struct style *style) {
  text_add(out, "## gpuprof report");
  if (*document->command) {
    text_add(out, ": ");
    write_markdown(out, document_title(document));
  }
  text_add(out, "\n");
  add_setup(out, document);
  report_ranks_markdown(out, document, style);
  if (report_empty(document, selection))
    text_format(out, "\n%s\n", report_empty(document, selection));
  if (selection->regions)
    add_table(out, document, document->regions, document->region_count, "region", style);
  if (selection->kernels)
    add_table(out, document, document->kernels, document->kernel_count, "kernel", style);
  if (selection->kernels)
    add_bounds(out, document, style);
  report_timeline_markdown(out, document, style);
  report_spiking_markdown(out, document, selection, style);
  if (selection->regions)
    report_counters_markdown(out, document);
  report_host(out, document, selection, section_markdown, style);
  report_memory(out, document, selection, section_markdown, style);
  if (selection->kernels)
    report_hardware_markdown(out, document, style);
  add_comparison(out, document, selection->baseline);
  add_all_advice(out, document, selection);
  add_remarks(out, "Notes", document->notes, document->note_count, selection->standing_notes);
  add_remarks(out, "Not counted", document->uncounted, document->uncounted_count, true);
  add_own_cost(out, document);
}
