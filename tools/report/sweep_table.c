// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sweep_table.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "common/write.h"
#include "sweep/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_selected(const struct sweep_row *row, const struct selection *selection) {
  return row->is_kernel ? selection->kernels : selection->regions;
}

/* Whether no earlier point, and no earlier row of this one, has the row. */
static bool is_first(const struct sweep *sweep, size_t point, const struct sweep_row *row) {
  for (size_t p = 0; p < point; ++p)
    if (sweep_row_at(sweep, p, row->is_kernel, row->strings[SWEEP_PATH]))
      return false;
  return true;
}

/* ---- The table ---- */

static const struct {
  struct grid_column column;
  enum measure measure;
} columns[] = {
    {{"time", "", "of one execution of a region or one launch of a kernel: the mean of the runs", 0, false, true, false}, MEASURE_TIME},
    {{"FLOP", "", "floating-point operations of it; an fma is 2", 4, false, true, true}, MEASURE_FLOPS},
    {{"FLOP/s", "", "FLOPs over GPU time", 1, false, true, true}, MEASURE_RATE},
    {{"bytes", "asked", "global bytes that instructions asked for", 5, false, true, false}, MEASURE_REQUESTED},
    {{"bytes", "DRAM", "by hardware counters, else 32-byte sectors touched at least once", 6, false, true, false}, MEASURE_DRAM},
    {{"DRAM", "B/s", "these bytes over GPU time", 3, false, true, false}, MEASURE_BANDWIDTH},
    {{"FLOP/B", "", "FLOPs over bytes of DRAM; over bytes asked where those are not known", 2, false, true, true},
     MEASURE_INTENSITY},
    {{"attain-", "able/s", "FLOP/s under the roof", 7, false, true, true}, MEASURE_ATTAINABLE},
    {{"of", "roof", "least time over measured time", 1, false, true, false}, MEASURE_PERCENT},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static void show(struct text *text, enum measure measure, double value) {
  if (measure == MEASURE_TIME)
    number_time(text, value);
  else if (measure == MEASURE_PERCENT)
    number_percent(text, value);
  else if (measure == MEASURE_INTENSITY)
    number_plain(text, value);
  else
    number_si(text, value, measure == MEASURE_REQUESTED || measure == MEASURE_DRAM ? "B" : "");
}

static void add_value(struct grid *grid, const struct sweep_row *row, size_t runs, enum measure measure) {
  const struct estimate value = row ? row_measure(row, runs, measure) : (struct estimate){.known = false};
  struct text text = {0};
  if (value.known)
    show(&text, measure, value.mean);
  grid_cell(grid, &text, value.known ? value.mean : NAN);
}

/* "± 1.2 %": how far the mean may be off. */
static void add_interval(struct grid *grid, const struct sweep_row *row, size_t runs) {
  const struct estimate time = row ? row_measure(row, runs, MEASURE_TIME) : (struct estimate){.known = false};
  const bool known = time.known && time.runs > 1 && time.mean > 0;
  struct text text = {0};
  if (known)
    number_percent(&text, time.half / time.mean * 100);
  grid_cell(grid, &text, known ? time.half / time.mean : NAN);
}

static void add_bound(struct grid *grid, const struct sweep_row *row) {
  struct text text = {0};
  if (row)
    text_plain(&text, row->strings[SWEEP_BOUND]);
  grid_cell(grid, &text, NAN);
}

static void add_cells(struct grid *grid, const struct sweep_row *row, size_t runs) {
  for (size_t c = 0; c < COLUMNS; ++c) {
    add_value(grid, row, runs, columns[c].measure);
    if (columns[c].measure == MEASURE_TIME)
      add_interval(grid, row, runs);
  }
  add_bound(grid, row);
}

static struct grid_column time_column(const struct sweep *sweep) {
  struct grid_column column = columns[0].column;
  column.subhead = !strcmp(sweep->device_kind, "cpu") ? "cpu" : "";
  return column;
}

static void begin(struct grid *grid, const struct sweep *sweep, const char *title) {
  grid_begin(grid, title, NULL, 0);
  grid->flat = true;
  for (size_t i = 0; i < sweep->parameters.count; ++i)
    grid_add_column(grid, (struct grid_column){sweep->parameters.items[i].name, "", "a parameter of the sweep", 0, false, false, false});
  grid_add_column(grid, time_column(sweep));
  grid_add_column(grid, (struct grid_column){"time", "+-", "half of the interval of 95 % confidence (Student's t) of the mean", 4, false,
                                             true, false});
  for (size_t c = 1; c < COLUMNS; ++c)
    grid_add_column(grid, columns[c].column);
  grid_add_column(grid, (struct grid_column){"bound", "by", "what takes the least time that is longest", 2, true, true, false});
}

static void add_point(struct grid *grid, const struct sweep *sweep, size_t point, const struct sweep_row *row, const char *name) {
  grid_row(grid, name, 0, false);
  for (size_t i = 0; i < sweep->parameters.count; ++i) {
    const char *value = parameters_value(&sweep->parameters, point, i);
    struct text text = {0};
    text_plain(&text, value);
    text_add(&text, i + 1 < sweep->parameters.count || row->counts_equal ? "" : " *");
    grid_cell(grid, &text, strtod(value, NULL));
  }
  add_cells(grid, row, sweep->points[point].run_count);
}

/* The name stands at the first of its points. */
static void add_points(struct grid *grid, const struct sweep *sweep, size_t from, const struct sweep_row *first) {
  struct text name = {0};
  text_plain(&name, first->strings[SWEEP_PATH]);
  for (size_t p = from; p < sweep->point_count; ++p) {
    const struct sweep_row *row = sweep_row_at(sweep, p, first->is_kernel, first->strings[SWEEP_PATH]);
    if (row)
      add_point(grid, sweep, p, row, p == from ? text_get(&name) : "");
  }
  text_free(&name);
}

static void add_rows(struct grid *grid, const struct sweep *sweep, bool kernels) {
  for (size_t p = 0; p < sweep->point_count; ++p)
    for (size_t r = 0; r < sweep->points[p].row_count; ++r) {
      const struct sweep_row *row = &sweep->points[p].rows[r];
      if (row->is_kernel == kernels && is_first(sweep, p, row))
        add_points(grid, sweep, p, row);
    }
}

/* ---- What stands around it ---- */

struct totals {
  size_t made, failed, varying;
  bool on_cpu;
};

static struct totals totals_of(const struct sweep *sweep) {
  struct totals totals = {.on_cpu = !strcmp(sweep->device_kind, "cpu")};
  for (size_t p = 0; p < sweep->point_count; ++p) {
    const struct sweep_point *point = &sweep->points[p];
    totals.made += point->run_count;
    for (size_t i = 0; i < point->run_count; ++i)
      totals.failed += point->runs[i].exit_code || !point->runs[i].file;
    for (size_t r = 0; r < point->row_count; ++r)
      totals.varying += !point->rows[r].counts_equal;
  }
  return totals;
}

static void add_line(struct text *out, const struct style *style, const char *mark, const char *head, const char *line) {
  text_add(out, mark);
  write_padded(out, style, WRITE_DIM, head, 10, false);
  text_plain(out, line);
  text_add(out, "\n");
}

static void add_failures(struct text *out, const struct sweep *sweep, const struct style *style, const char *mark) {
  for (size_t p = 0; p < sweep->point_count; ++p)
    for (size_t i = 0; i < sweep->points[p].run_count; ++i) {
      const struct sweep_run *run = &sweep->points[p].runs[i];
      if (!run->exit_code && run->file)
        continue;
      char *label = parameters_label(&sweep->parameters, p, " ");
      const char *of = *label ? " of " : "";
      char *line = run->exit_code ? format_string("run %zu%s%s: exit status %d", i + 1, of, label, run->exit_code)
                                  : format_string("run %zu%s%s: no document", i + 1, of, label);
      add_line(out, style, mark, "failed", line);
      free(line);
      free(label);
    }
}

static void add_heads(struct text *out, const struct sweep *sweep, const struct style *style, const char *mark) {
  const struct totals totals = totals_of(sweep);
  char *runs = format_string("%zu of %zu: %zu point%s, %zu each · %s", totals.made, sweep->point_count * sweep->repeat,
                             sweep->point_count, sweep->point_count == 1 ? "" : "s", sweep->repeat, sweep->start_time);
  struct text device = {0};
  text_plain(&device, *sweep->device_name ? sweep->device_name : "unknown");
  if (totals.on_cpu)
    text_format(&device, " · exact counts, no GPU time, under the roof of %s", chip_title(sweep->chip));
  add_line(out, style, mark, "device", text_get(&device));
  add_line(out, style, mark, "runs", runs);
  add_failures(out, sweep, style, mark);
  text_free(&device);
  free(runs);
}

static const char *star(const struct sweep *sweep) {
  return totals_of(sweep).varying ? "* counts of its runs differ; shown are those of the first." : NULL;
}

static bool has_rows(const struct sweep *sweep, bool kernels) {
  for (size_t p = 0; p < sweep->point_count; ++p)
    for (size_t r = 0; r < sweep->points[p].row_count; ++r)
      if (sweep->points[p].rows[r].is_kernel == kernels)
        return true;
  return false;
}

static void add_tables(struct text *out, const struct sweep *sweep, const struct selection *selection, const struct style *style,
                       void (*write)(struct text *, const struct grid *, const struct style *)) {
  static const struct {
    const char *title;
    bool kernels;
  } tables[] = {{"region", false}, {"kernel", true}};
  for (size_t t = 0; t < 2; ++t) {
    struct grid grid;
    if (!(tables[t].kernels ? selection->kernels : selection->regions) || !has_rows(sweep, tables[t].kernels))
      continue;
    begin(&grid, sweep, tables[t].title);
    add_rows(&grid, sweep, tables[t].kernels);
    text_add(out, "\n");
    write(out, &grid, style);
    grid_free(&grid);
  }
}

void report_sweep_text(struct text *out, const struct sweep *sweep, const struct selection *selection, const struct style *style) {
  text_add(out, " ");
  write_painted(out, style, WRITE_BOLD, "gpuprof sweep");
  text_add(out, style->utf8 ? " — " : " - ");
  text_plain(out, sweep->command);
  text_add(out, "\n");
  add_heads(out, sweep, style, " ");
  add_tables(out, sweep, selection, style, grid_text);
  if (star(sweep))
    text_format(out, " %s\n", star(sweep));
}

void report_sweep_markdown(struct text *out, const struct sweep *sweep, const struct selection *selection, const struct style *style) {
  text_add(out, "## gpuprof sweep: ");
  write_markdown(out, sweep->command);
  text_add(out, "\n\n");
  add_heads(out, sweep, style, "- ");
  add_tables(out, sweep, selection, style, grid_markdown);
  if (star(sweep))
    text_format(out, "\n\\%s\n", star(sweep));
}

/* ---- CSV ---- */

/* Spreadsheets read = + - @ at the beginning as a formula. */
static void add_field(struct text *out, const char *value) {
  struct text clean = {0};
  text_plain(&clean, value);
  text_add(out, *value && strchr("=+-@", *value) ? "\"'" : "\"");
  for (const char *at = text_get(&clean); *at; ++at) {
    text_add(out, *at == '"' ? "\"" : "");
    text_bytes(out, at, 1);
  }
  text_add(out, "\"");
  text_free(&clean);
}

static void add_csv_head(struct text *out, const struct sweep *sweep) {
  for (size_t i = 0; i < sweep->parameters.count; ++i) {
    add_field(out, sweep->parameters.items[i].name);
    text_add(out, ",");
  }
  text_add(out, "kind,path,executions,runs,counts_equal,bound,time_source");
  for (size_t m = 0; m < MEASURE_COUNT; ++m)
    text_format(out, ",%s,%s_confidence", measures[m].name, measures[m].name);
  text_add(out, "\n");
}

static void add_csv_row(struct text *out, const struct sweep *sweep, size_t point, const struct sweep_row *row) {
  for (size_t i = 0; i < sweep->parameters.count; ++i) {
    add_field(out, parameters_value(&sweep->parameters, point, i));
    text_add(out, ",");
  }
  text_format(out, "%s,", row->is_kernel ? "kernel" : "region");
  add_field(out, row->strings[SWEEP_PATH]);
  text_add(out, ",");
  if (row->counts[SWEEP_EXECUTIONS].known)
    text_unsigned(out, row->counts[SWEEP_EXECUTIONS].value);
  text_format(out, ",%zu,%s,", sweep->points[point].run_count, row->counts_equal ? "true" : "false");
  add_field(out, row->strings[SWEEP_BOUND]);
  text_add(out, ",");
  add_field(out, row->strings[SWEEP_TIME_SOURCE]);
  for (size_t m = 0; m < MEASURE_COUNT; ++m) {
    const struct estimate value = row_measure(row, sweep->points[point].run_count, m);
    text_add(out, ",");
    if (value.known)
      text_format(out, "%.17g", value.mean);
    text_add(out, ",");
    if (value.known && value.runs > 1)
      text_format(out, "%.17g", value.half);
  }
  text_add(out, "\n");
}

void report_sweep_csv(struct text *out, const struct sweep *sweep, const struct selection *selection) {
  add_csv_head(out, sweep);
  for (size_t p = 0; p < sweep->point_count; ++p)
    for (size_t r = 0; r < sweep->points[p].row_count; ++r)
      if (is_selected(&sweep->points[p].rows[r], selection))
        add_csv_row(out, sweep, p, &sweep->points[p].rows[r]);
}
