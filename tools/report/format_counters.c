// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_counters.h"

#include "reader/value.h"

#include <stdlib.h>
#include <string.h>

static const char where_steps_are[] = "What each step did: 'gpuprof report --steps', or snn.per_step of the region in the JSON.";

struct printer {
  struct text *out;
  const struct style *style; /* null but in a terminal */
};

/* One line: a region, what is counted in it, how much; a total is written as the document has it. */
typedef void (*row_function)(const struct printer *printer, const struct entry *region, const char *what,
                             const char *total);

/* "5 steps, 0 to 4"; steps without a number are "others". */
static void step_range(struct text *text, const struct document *document, const struct json *steps) {
  const struct json_path number = json_path_of(&document->tree, "step");
  struct value first = {.kind = VALUE_ABSENT}, last = first;
  size_t count = 0;
  bool others = false;
  JSON_EACH(step, steps) {
    struct value own = value_of(json_at(step, &number));
    others |= own.kind == VALUE_UNKNOWN;
    if (own.kind == VALUE_UNKNOWN)
      continue;
    first = count ? first : own;
    last = own;
    count++;
  }
  text_format(text, "%zu", count);
  if (count) {
    text_add(text, ", ");
    value_show(text, first);
    text_add(text, " to ");
    value_show(text, last);
  }
  text_add(text, others ? ", and others together" : "");
}

static void visit_region(const struct printer *printer, const struct document *document, const struct entry *region,
                         row_function row) {
  JSON_EACH(counter, entry_part(region, PART_USER_COUNTERS)) {
    struct text total = {0};
    value_show(&total, value_of(counter));
    row(printer, region, json_name(&document->tree, counter), text_get(&total));
    text_free(&total);
  }
  if (json_count(entry_part(region, PART_STEPS))) {
    struct text range = {0};
    step_range(&range, document, entry_part(region, PART_STEPS));
    row(printer, region, NULL, text_get(&range));
    text_free(&range);
  }
}

static void visit(const struct printer *printer, const struct document *document, row_function row) {
  for (size_t i = 0; i < document->region_count; ++i)
    visit_region(printer, document, &document->regions[i], row);
}

static bool is_empty(const struct document *document) {
  for (size_t i = 0; i < document->region_count; ++i)
    if (json_count(entry_part(&document->regions[i], PART_USER_COUNTERS)) || json_count(entry_part(&document->regions[i], PART_STEPS)))
      return false;
  return true;
}

static void text_row(const struct printer *printer, const struct entry *region, const char *what, const char *total) {
  const size_t least_path = 12, width = printer->style->width;
  struct text path = {0}, rest = {0};
  text_plain(&path, region->path);
  text_add(&rest, what ? ": " : ": steps ");
  if (what) {
    text_plain(&rest, what);
    text_add(&rest, " = ");
  }
  text_add(&rest, total);
  const size_t taken = 1 + text_width(text_get(&rest)), room = width > taken ? width - taken : 0;
  text_add(printer->out, " ");
  text_elide(printer->out, text_get(&path), room > least_path ? room : least_path, printer->style->utf8 ? "…" : "..");
  text_add(printer->out, text_get(&rest));
  text_add(printer->out, "\n");
  text_free(&path);
  text_free(&rest);
}

void report_counters_text(struct text *out, const struct document *document, const struct style *style) {
  if (is_empty(document))
    return;
  text_add(out, "\n Counters and steps\n");
  visit(&(struct printer){out, style}, document, text_row);
  text_add(out, " ");
  write_wrapped(out, style, where_steps_are, 1);
}

static void markdown_row(const struct printer *printer, const struct entry *region, const char *what, const char *total) {
  struct text *out = printer->out;
  text_add(out, "| ");
  write_markdown(out, region->path);
  text_add(out, " | ");
  write_markdown(out, what ? what : "steps");
  text_format(out, " | %s |\n", total);
}

void report_counters_markdown(struct text *out, const struct document *document) {
  if (is_empty(document))
    return;
  text_add(out, "\n| region | counter | total |\n|:---|:---|---:|\n");
  visit(&(struct printer){out, NULL}, document, markdown_row);
  text_format(out, "\n%s\n", where_steps_are);
}

static void html_row(const struct printer *printer, const struct entry *region, const char *what, const char *total) {
  struct text *out = printer->out;
  text_add(out, "<tr><td>");
  text_xml(out, region->path);
  text_add(out, "</td><td>");
  text_xml(out, what ? what : "steps");
  text_format(out, "</td><td>%s</td></tr>\n", total);
}

void report_counters_html(struct text *out, const struct document *document) {
  if (is_empty(document))
    return;
  text_add(out,
           "<h2>Counters and steps</h2>\n<table>\n<tr><th>region</th><th>counter</th><th>total</th></tr>\n");
  visit(&(struct printer){out, NULL}, document, html_row);
  text_format(out, "</table>\n<p>%s</p>\n", where_steps_are);
}
