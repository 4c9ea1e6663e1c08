// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report as Markdown tables, for issues, pull requests and notebooks. */
#include "reader/run_end.h"
#include "report/format_counters.h"
#include "report/format_hardware.h"
#include "report/formats.h"

#include <stdlib.h>
#include <string.h>

/* Table cells: a pipe ends one, < and & begin HTML, ! and [ a picture or a link, the others change the type. */
void report_markdown_text(struct text *out, const char *string) {
  struct text clean = {0};
  text_plain(&clean, string);
  for (const char *at = text_get(&clean); *at; ++at) {
    if (strchr("|<>&`*_\\[]!~$", *at))
      text_add(out, "\\");
    text_bytes(out, at, 1);
  }
  text_free(&clean);
}

static void add_table(struct text *out, const struct document *document, const struct entry *entries,
                      size_t count, const char *title, const struct style *style) {
  struct text left_out = {0};
  if (!count)
    return;
  const struct column_set columns = report_columns_of(entries, report_shown(count));
  text_format(out, "\n| %s |", title);
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
  for (size_t i = 0; i < report_shown(count); ++i) {
    char *name = entry_title(&entries[i]);
    text_add(out, "| ");
    text_repeat(out, "&nbsp;&nbsp;", entries[i].depth < REPORT_DEEPEST ? entries[i].depth : REPORT_DEEPEST);
    report_markdown_text(out, name);
    text_add(out, " |");
    free(name);
    for (size_t c = 0; c < report_column_count; ++c) {
      if (!columns.has[c])
        continue;
      struct text cell = {0};
      report_columns[c].show(&cell, &entries[i], style);
      text_add(out, " ");
      report_markdown_text(out, cell.length ? text_get(&cell) : report_dash(style));
      text_add(out, " |");
      text_free(&cell);
    }
    text_add(out, "\n");
    text_pass_on(out);
  }
  report_left_out(&left_out, document, count);
  if (left_out.length) {
    text_add(out, "\n");
    report_markdown_text(out, text_get(&left_out));
    text_add(out, "\n");
  }
  text_free(&left_out);
}

static void item(struct text *out, const char *label, const char *value) {
  if (!*value)
    return;
  text_format(out, "- **%s:** ", label);
  report_markdown_text(out, value);
  text_add(out, "\n");
}

static void add_remarks(struct text *out, const char *title, const struct remark *remarks, size_t count,
                        bool standing) {
  size_t kept_back = 0;
  if (!count)
    return;
  text_format(out, "\n**%s**\n\n", title);
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
      report_markdown_text(out, parts[p]);
      first = false;
    }
    text_add(out, "\n");
    text_free(&what);
  }
  if (kept_back)
    text_format(out, "- %zu more hold for every run: `--notes` shows them\n", kept_back);
}

void report_markdown(struct text *out, const struct document *document, const struct selection *selection,
                     const struct style *style) {
  struct text line = {0};
  text_add(out, "## gpuprof report");
  if (*document->command) {
    text_add(out, ": ");
    report_markdown_text(out, document_title(document));
  }
  text_add(out, "\n\n");
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
  run_end(&line, document);
  item(out, "end", text_get(&line));
  text_free(&line);
  if (report_empty(document, selection))
    text_format(out, "\n%s\n", report_empty(document, selection));
  if (selection->regions)
    add_table(out, document, document->regions, document->region_count, "region", style);
  if (selection->kernels)
    add_table(out, document, document->kernels, document->kernel_count, "kernel", style);
  if (selection->regions)
    report_counters_markdown(out, document);
  if (selection->kernels)
    report_hardware_markdown(out, document, style);
  add_remarks(out, "Notes", document->notes, document->note_count, selection->standing_notes);
  add_remarks(out, "Not counted", document->uncounted, document->uncounted_count, true);
}
