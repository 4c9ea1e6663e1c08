// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report in a terminal. */
#include "report/formats.h"

#include "common/numbers.h"
#include "common/short_names.h"
#include "common/write.h"
#include "reader/run_end.h"
#include "reader/titles.h"
#include "report/energy_text.h"
#include "report/format_counters.h"
#include "report/format_hardware.h"
#include "report/format_host.h"
#include "report/format_memory.h"
#include "report/format_spiking.h"
#include "report/format_timeline.h"
#include "report/overhead_line.h"
#include "report/ranks_table.h"

#include <stdlib.h>
#include <string.h>

static enum write_paint cell_paint(const struct column *column, const struct entry *entry, bool known) {
  if (!known)
    return WRITE_DIM;
  if (strcmp(column->subhead, "roof"))
    return WRITE_PLAIN;
  if (!strcmp(entry_string(entry, STRING_STATUS), "above_roof"))
    return WRITE_RED;
  if (!*entry_string(entry, STRING_BOUND))
    return WRITE_PLAIN; /* at least that much */
  const double percent = entry_number(entry, NUMBER_PERCENT).value;
  return percent >= 60 ? WRITE_GREEN : percent >= 25 ? WRITE_YELLOW : WRITE_RED;
}

/* ---- One table ---- */
/* Where the columns that only some documents have would take the room of the names, they get a table of their
 * own. */
enum columns { ALL_COLUMNS, MAIN_COLUMNS, OPTIONAL_COLUMNS };

struct table {
  const struct document *document;
  const struct style *style;
  const struct entry *entries;
  size_t count, columns, name_width, longest_name, gap;
  enum columns which;
  unsigned highest; /* columns of a higher rank are left out */
  struct column_set has;
  struct text strings; /* every cell and every name with its tree lines, each with a zero behind it */
  size_t *cells;       /* where they begin: of an entry the name, and then a cell a column */
  size_t cell_widths[REPORT_COLUMNS_MOST], widths[REPORT_COLUMNS_MOST]; /* of the cells; with their heads */
};

static bool has_column(const struct table *table, size_t column) {
  bool optional = report_columns[column].only_if_known;
  return table->has.has[column] && report_columns[column].rank <= table->highest &&
         (table->which == ALL_COLUMNS || optional == (table->which == OPTIONAL_COLUMNS));
}

static size_t *places_of(const struct table *table, size_t entry) {
  return &table->cells[entry * (1 + report_column_count)];
}

static const char *name_of(const struct table *table, size_t entry) {
  return table->strings.data + *places_of(table, entry);
}

static const char *cell(const struct table *table, size_t column, size_t entry) {
  return table->strings.data + places_of(table, entry)[1 + column];
}

static void head_cell(const struct table *table, size_t column, bool second, struct text *text) {
  const struct column *shown = &report_columns[column];
  bool is_time = !strcmp(shown->head, "time");
  if (second && is_time)
    text_add(text, document_time_source(table->document));
  else
    text_add(text, second ? shown->subhead : shown->head);
}

/* "│  ├─ name": the lines of a region tree. */
static void tree_name(const struct table *table, const struct entry *entry, const char *title,
                      struct text *text) {
  const char *ancestors[32];
  unsigned depth = entry->depth < 32 ? entry->depth : 31;
  const struct entry *at = entry;
  for (unsigned i = depth; i-- > 0; at = &table->entries[at->parent_index]) {
    bool direct = i + 1 == depth;
    if (table->style->utf8)
      ancestors[i] = direct ? (at->last ? "└─ " : "├─ ") : (at->last ? "   " : "│  ");
    else
      ancestors[i] = direct ? (at->last ? "`- " : "|- ") : (at->last ? "   " : "|  ");
  }
  for (unsigned i = 0; i < depth; ++i)
    text_add(text, ancestors[i]);
  text_plain(text, title);
}

/* Ends the string that begins at `*place`; returns its width. */
static size_t end_string(struct text *strings, size_t place) {
  text_bytes(strings, "", 1);
  return text_width(strings->data + place);
}

static void fill(struct table *table) {
  table->cells = reallocate(NULL, table->count * (1 + report_column_count) * sizeof *table->cells);
  table->longest_name = strlen("region");
  char **titles = entry_titles(table->entries, table->count);
  for (size_t i = 0; i < table->count; ++i) {
    size_t *places = places_of(table, i);
    places[0] = table->strings.length;
    tree_name(table, &table->entries[i], titles[i], &table->strings);
    size_t width = end_string(&table->strings, places[0]);
    table->longest_name = width > table->longest_name ? width : table->longest_name;
    for (size_t c = 0; c < report_column_count; ++c) {
      places[1 + c] = table->strings.length;
      if (table->has.has[c])
        report_columns[c].show(&table->strings, &table->entries[i], table->style);
      width = end_string(&table->strings, places[1 + c]);
      table->cell_widths[c] = width > table->cell_widths[c] ? width : table->cell_widths[c];
    }
  }
  entry_titles_free(titles, table->count);
}

static size_t head_width(const struct table *table, size_t column) {
  size_t widest = table->cell_widths[column];
  for (int second = 0; second <= 1; ++second) {
    struct text text = {0};
    head_cell(table, column, second, &text);
    size_t width = text_width(text_get(&text));
    widest = width > widest ? width : widest;
    text_free(&text);
  }
  return widest;
}

/* Names may take two fifths of a line before columns are left out, and are folded only then. */
static size_t name_share(const struct table *table) {
  const size_t share = table->style->width * 2 / 5;
  return table->longest_name < share ? table->longest_name : share;
}

/* The width of a line without its name. */
static size_t columns_width(const struct table *table) {
  size_t sum = table->gap * table->columns + 1;
  for (size_t c = 0; c < report_column_count; ++c)
    sum += table->widths[c];
  return sum;
}

static void measure(struct table *table, enum columns which, unsigned highest) {
  const size_t least_name = 8, longest = table->longest_name;
  table->which = which;
  table->highest = highest;
  table->columns = 0;
  for (size_t c = 0; c < report_column_count; ++c) {
    table->widths[c] = has_column(table, c) ? head_width(table, c) : 0;
    table->columns += has_column(table, c);
  }
  for (table->gap = 2;; --table->gap) {
    const size_t taken = columns_width(table), width = table->style->width;
    const size_t room = width > taken ? width - taken : 0;
    table->name_width = longest < room ? longest : room;
    if (table->name_width == longest || table->gap == 1)
      break;
  }
  if (table->name_width < least_name)
    table->name_width = longest < least_name ? longest : least_name;
}

/* Whether the lines are no wider than they may be, with names of this width. */
static bool fits(const struct table *table, size_t name_width) {
  return table->name_width >= name_width && columns_width(table) + table->name_width <= table->style->width;
}

/* Leaves out one column after the other until the names have their share. */
static void fit(struct table *table, enum columns which) {
  unsigned highest = REPORT_RANK_MOST;
  do
    measure(table, which, highest);
  while (!fits(table, name_share(table)) && highest--);
}

static bool left_aligned(size_t column) { return !report_columns[column].order; }

static void end_line(struct text *out) {
  while (out->length && out->data[out->length - 1] == ' ')
    --out->length;
  text_add(out, "\n");
}

static void head_line(struct text *out, const struct table *table, const char *title, bool second) {
  text_add(out, " ");
  write_padded(out, table->style, WRITE_BOLD, second ? "" : title, table->name_width, false);
  for (size_t c = 0; c < report_column_count; ++c) {
    if (!has_column(table, c))
      continue;
    struct text text = {0};
    head_cell(table, c, second, &text);
    text_repeat(out, " ", table->gap);
    write_padded(out, table->style, second ? WRITE_DIM : WRITE_BOLD, text_get(&text), table->widths[c], !left_aligned(c));
    text_free(&text);
  }
  end_line(out);
}

static void rule(struct text *out, const struct table *table) {
  size_t width = table->name_width + 1 + table->gap * table->columns;
  for (size_t c = 0; c < report_column_count; ++c)
    width += table->widths[c];
  struct text line = {0};
  text_repeat(&line, table->style->utf8 ? "─" : "-", width);
  write_painted(out, table->style, WRITE_DIM, text_get(&line));
  text_add(out, "\n");
  text_free(&line);
}

/* A region's is shortened by itself: null. */
static char **short_names_of(const struct table *table) {
  char **names = allocate(table->count * sizeof *names);
  for (size_t i = 0; i < table->count; ++i)
    names[i] = table->entries[i].is_kernel ? copy_string(name_of(table, i)) : NULL;
  shorten_names(names, table->count, table->name_width, style_ellipsis(table->style));
  return names;
}

static void body_line(struct text *out, const struct table *table, size_t index, const char *short_name) {
  const struct entry *entry = &table->entries[index];
  struct text name = {0};
  if (short_name)
    text_add(&name, short_name);
  else
    text_elide(&name, name_of(table, index), table->name_width, style_ellipsis(table->style));
  text_add(out, " ");
  write_padded(out, table->style, WRITE_PLAIN, text_get(&name), table->name_width, false);
  text_free(&name);
  for (size_t c = 0; c < report_column_count; ++c) {
    if (!has_column(table, c))
      continue;
    const char *shown = cell(table, c, index);
    text_repeat(out, " ", table->gap);
    write_padded(out, table->style, cell_paint(&report_columns[c], entry, *shown),
           *shown ? shown : style_dash(table->style), table->widths[c], !left_aligned(c));
  }
  end_line(out);
  text_pass_on(out);
}

static bool has_optional(const struct table *table, size_t entry) {
  for (size_t c = 0; c < report_column_count; ++c)
    if (report_columns[c].only_if_known && has_column(table, c) && *cell(table, c, entry))
      return true;
  return false;
}

static void print_table(struct text *out, const struct table *table, const char *title) {
  text_add(out, "\n");
  head_line(out, table, title, false);
  head_line(out, table, title, true);
  rule(out, table);
  char **names = short_names_of(table);
  for (size_t i = 0; i < table->count; ++i)
    if (table->which != OPTIONAL_COLUMNS || has_optional(table, i))
      body_line(out, table, i, names[i]);
  entry_titles_free(names, table->count);
}

#define NAME_ENOUGH 48

/* Names the columns that a table has no room for, and the width that has. */
static void say_left_out(struct text *out, struct table *table) {
  struct text line = {0};
  for (size_t c = 0; c < report_column_count; ++c) {
    const struct column *column = &report_columns[c];
    if (!table->has.has[c] || column->only_if_known || column->rank <= table->highest)
      continue;
    const size_t length = strlen(column->head);
    const bool divided = length && column->head[length - 1] == '-';
    text_format(&line, "%s%.*s%s%s", line.length ? ", " : "No room for ", (int)(length - divided), column->head,
                *column->subhead && !divided ? " " : "", column->subhead);
  }
  if (!line.length)
    return;
  measure(table, MAIN_COLUMNS, REPORT_RANK_MOST);
  table->gap = 1;
  const size_t name = table->longest_name < NAME_ENOUGH ? table->longest_name : NAME_ENOUGH;
  text_format(&line, "; COLUMNS=%zu has.", columns_width(table) + name);
  text_add(out, " ");
  write_wrapped(out, table->style, text_get(&line), 1);
  text_free(&line);
}

static void add_left_out(struct text *out, const struct document *document, const struct style *style, size_t rows) {
  struct text line = {0};
  report_left_out(&line, document, rows);
  if (line.length) {
    text_add(out, " ");
    write_wrapped(out, style, text_get(&line), 1);
  }
  text_free(&line);
}

static void add_table(struct text *out, const struct document *document, const struct entry *entries,
                      size_t count, const char *title, const struct style *style) {
  struct table table = {.document = document, .style = style, .entries = entries, .count = report_shown(count)};
  if (!count)
    return;
  table.has = report_columns_of(entries, table.count);
  fill(&table);
  measure(&table, ALL_COLUMNS, REPORT_RANK_MOST);
  bool apart = !fits(&table, table.longest_name);
  if (apart)
    fit(&table, MAIN_COLUMNS);
  print_table(out, &table, title);
  if (apart) {
    say_left_out(out, &table);
    fit(&table, OPTIONAL_COLUMNS);
    if (table.columns)
      print_table(out, &table, title);
  }
  text_free(&table.strings);
  free(table.cells);
  add_left_out(out, document, style, count);
}

/* ---- Above and below ---- */
static void labelled(struct text *out, const struct style *style, const char *label, const char *value) {
  if (!*value)
    return;
  text_add(out, " ");
  write_padded(out, style, WRITE_DIM, label, 10, false);
  write_wrapped(out, style, value, 11);
}

static void header(struct text *out, const struct document *document, const struct style *style) {
  struct text line = {0};
  const char *dot = style->utf8 ? " · " : ", ";
  text_add(&line, "gpuprof report");
  if (*document->command) {
    text_add(&line, style->utf8 ? " — " : " - ");
    text_plain(&line, document_title(document));
  }
  text_add(out, " ");
  write_painted(out, style, WRITE_BOLD, text_get(&line));
  text_add(out, "\n");
  text_free(&line);
  report_device(&line, document);
  labelled(out, style, "device", text_get(&line));
  text_free(&line);
  report_ceilings(&line, document, dot);
  if (*document_ceiling_source(document))
    text_format(&line, " (%s)", document_ceiling_source(document));
  labelled(out, style, "ceilings", text_get(&line));
  text_free(&line);
  report_run(&line, document, dot);
  labelled(out, style, "run", text_get(&line));
  text_free(&line);
  energy_of_run(&line, document, dot);
  labelled(out, style, "energy", text_get(&line));
  text_free(&line);
  report_memory_line(&line, document);
  labelled(out, style, "memory", text_get(&line));
  text_free(&line);
  run_end(&line, document);
  labelled(out, style, "end", text_get(&line));
  text_free(&line);
}

static void add_notes(struct text *out, const struct document *document, const struct selection *selection,
                      const struct style *style) {
  size_t kept_back = 0;
  if (!document->note_count)
    return;
  text_add(out, "\n ");
  write_painted(out, style, WRITE_BOLD, "Notes");
  text_add(out, "\n");
  for (size_t i = 0; i < document->note_count; ++i) {
    if (document->notes[i].standing && !selection->standing_notes) {
      ++kept_back;
      continue;
    }
    struct text line = {0};
    if (*document->notes[i].about) {
      text_plain(&line, document->notes[i].about);
      text_add(&line, ": ");
    }
    text_plain(&line, document->notes[i].text);
    text_format(out, " %s ", style->utf8 ? "•" : "*");
    write_wrapped(out, style, text_get(&line), 3);
    text_free(&line);
  }
  if (kept_back)
    text_format(out, " %s %zu more hold for every run: --notes shows them\n", style->utf8 ? "•" : "*", kept_back);
}

static void add_uncounted(struct text *out, const struct document *document, const struct style *style) {
  const size_t shown = 6;
  if (!document->uncounted_count)
    return;
  struct text line = {0};
  text_format(&line, "Not counted (%zu)", document->uncounted_count);
  text_add(out, "\n ");
  write_painted(out, style, WRITE_BOLD, text_get(&line));
  text_add(out, "\n");
  text_free(&line);
  for (size_t i = 0; i < document->uncounted_count && i < shown; ++i) {
    const struct remark *remark = &document->uncounted[i];
    remark_what(&line, remark);
    if (*remark->about) {
      text_add(&line, " at ");
      text_plain(&line, remark->about);
    }
    if (*remark->why) {
      text_add(&line, ": ");
      text_plain(&line, remark->why);
    }
    text_format(out, " %s ", style->utf8 ? "•" : "*");
    write_wrapped(out, style, text_get(&line), 3);
    text_free(&line);
  }
  if (document->uncounted_count > shown)
    text_format(out, "   and %zu more: see \"uncounted\" in the JSON.\n", document->uncounted_count - shown);
}

static void add_own_cost(struct text *out, const struct document *document, const struct style *style) {
  struct text line = {0};
  report_own_cost(&line, document);
  if (line.length) {
    text_add(out, "\n ");
    write_wrapped(out, style, text_get(&line), 1);
  }
  text_free(&line);
}

static void next_steps(struct text *out, const struct document *document, const struct style *style) {
  struct text file = {0}, line = {0};
  text_plain(&file, document->file);
  text_format(
      &line,
      "Next: 'gpuprof plot %s -o roofline.svg' draws it; 'gpuprof report %s --why KERNEL' says what bounds a kernel; "
      "--format=html -o report.html makes a page.",
      text_get(&file), text_get(&file));
  if (document_is_cpu(document))
    text_add(&line, " Run the same program on a GPU for times and the percentage of the roof.");
  text_add(out, "\n ");
  write_wrapped(out, style, text_get(&line), 1);
  text_free(&file);
  text_free(&line);
}

static void legend(struct text *out, const struct document *document, const struct style *style) {
  struct text line = {0};
  text_format(
      &line,
      "FLOP: executed, an fma is 2. bytes asked: global bytes that instructions asked for; unique: "
      "32-byte sectors touched at least once in a launch, a lower bound of DRAM traffic. %s: unknown%s",
      style_dash(style), ", see the notes.");
  if (document_misses_launches(document))
    text_format(&line, " %s: launches are missing, see the notes.", style->utf8 ? "≥" : ">=");
  text_add(out, "\n ");
  size_t start = out->length;
  write_wrapped(out, style, text_get(&line), 1);
  if (style->color) {
    char *plain = copy_string(out->data + start);
    out->length = start;
    plain[strlen(plain) - 1] = 0;
    write_painted(out, style, WRITE_DIM, plain);
    text_add(out, "\n");
    free(plain);
  }
  text_free(&line);
}

void report_text(struct text *out, const struct document *document, const struct selection *selection,
                 const struct style *style) {
  header(out, document, style);
  report_ranks_text(out, document, style);
  const char *empty = report_empty(document, selection);
  if (empty) {
    text_add(out, "\n ");
    write_wrapped(out, style, empty, 1);
  }
  if (selection->regions)
    add_table(out, document, document->regions, document->region_count, "region", style);
  if (selection->kernels)
    add_table(out, document, document->kernels, document->kernel_count, "kernel", style);
  report_timeline_text(out, document, style);
  report_spiking_text(out, document, selection, style);
  if (selection->regions)
    report_counters_text(out, document, style);
  report_host(out, document, selection, section_text, style);
  report_memory(out, document, selection, section_text, style);
  if (selection->kernels)
    report_hardware_text(out, document, style);
  if (!empty)
    legend(out, document, style);
  add_notes(out, document, selection, style);
  add_uncounted(out, document, style);
  add_own_cost(out, document, style);
  if (!empty)
    next_steps(out, document, style);
}
