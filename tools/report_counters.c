#include "report_counters.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char where_steps_are[] = "What each step did is in the JSON, under snn.per_step of the region.";

/* One line: a region, what is counted in it, how much; a total is written as the document has it. */
typedef void (*row_function)(struct text *out, const struct entry *region, const char *what,
                             const char *total);

/* A number of 16 digits or more comes as a string, after a mark (reader.c). */
static void number(struct text *text, const cJSON *value) {
  if (cJSON_IsString(value))
    text_plain(text, value->valuestring + 1);
  else if (cJSON_IsNumber(value))
    text_format(text, "%.0f", value->valuedouble);
}

/* "5 steps, 0 to 4"; steps without a number are "others". */
static void step_range(struct text *text, const cJSON *steps) {
  const cJSON *step, *first = NULL, *last = NULL;
  int count = 0, others = 0;
  cJSON_ArrayForEach(step, steps) {
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(step, "step");
    others |= cJSON_IsNull(own);
    if (cJSON_IsNull(own))
      continue;
    first = first ? first : own;
    last = own;
    count++;
  }
  text_format(text, "%d", count);
  if (first) {
    text_add(text, ", ");
    number(text, first);
    text_add(text, " to ");
    number(text, last);
  }
  text_add(text, others ? ", and others together" : "");
}

static size_t visit_region(struct text *out, const struct entry *region, row_function row) {
  const cJSON *counter;
  size_t rows = 0;
  cJSON_ArrayForEach(counter, region->user_counters) {
    struct text total = {0};
    number(&total, counter);
    row(out, region, counter->string, text_get(&total));
    text_free(&total);
    rows++;
  }
  if (cJSON_GetArraySize(region->steps)) {
    struct text range = {0};
    step_range(&range, region->steps);
    row(out, region, NULL, text_get(&range));
    text_free(&range);
    rows++;
  }
  return rows;
}

static size_t visit(struct text *out, const struct document *document, row_function row) {
  size_t rows = 0;
  for (size_t i = 0; i < document->region_count; ++i)
    rows += visit_region(out, &document->regions[i], row);
  return rows;
}

static void no_row(struct text *out, const struct entry *region, const char *what, const char *total) {
  (void)out, (void)region, (void)what, (void)total;
}

static bool is_empty(const struct document *document) { return !visit(NULL, document, no_row); }

static void text_row(struct text *out, const struct entry *region, const char *what, const char *total) {
  text_add(out, " ");
  text_plain(out, region->path);
  text_add(out, what ? ": " : ": steps ");
  if (what) {
    text_plain(out, what);
    text_add(out, " = ");
  }
  text_add(out, total);
  text_add(out, "\n");
}

void report_counters_text(struct text *out, const struct document *document) {
  if (is_empty(document))
    return;
  text_add(out, "\n Counters and steps\n");
  visit(out, document, text_row);
  text_format(out, " %s\n", where_steps_are);
}

static void markdown_row(struct text *out, const struct entry *region, const char *what, const char *total) {
  text_add(out, "| ");
  report_markdown_text(out, region->path);
  text_add(out, " | ");
  report_markdown_text(out, what ? what : "steps");
  text_format(out, " | %s |\n", total);
}

void report_counters_markdown(struct text *out, const struct document *document) {
  if (is_empty(document))
    return;
  text_add(out, "\n| region | counter | total |\n|:---|:---|---:|\n");
  visit(out, document, markdown_row);
  text_format(out, "\n%s\n", where_steps_are);
}

static void html_row(struct text *out, const struct entry *region, const char *what, const char *total) {
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
  visit(out, document, html_row);
  text_format(out, "</table>\n<p>%s</p>\n", where_steps_are);
}
