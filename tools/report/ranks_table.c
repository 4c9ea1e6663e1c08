// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ranks_table.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "common/write.h"
#include "reader/rank_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 8

/* ---- A line a rank ---- */

static const struct grid_column rank_columns[] = {
    {"host", "", "where the process ran", 2, true, true, false},
    {"device", "", "of its first kernel", 4, true, true, false},
    {"time", "of run", "from the start of the process to its last document", 0, false, true, false},
    {"kernels", "time", "of all kernels of the rank", 0, false, true, false},
    {"launches", "", "of kernels", 3, false, true, false},
    {"FLOP", "", "of all kernels of the rank", 1, false, true, false},
    {"commu-", "nication", "host time in regions of the phase communication, and in calls of MPI and NCCL", 0, false, true, false},
    {"of", "run", "communication over the time of the run", 0, false, true, false},
    {"its", "kernels", "time of the kernels launched there, as NCCL's", 1, false, true, true},
    {"clock", "offset", "of the host's clock to that of the first rank's host", 5, false, true, true},
    {"clock", "error", "median deviation of the differences that the offset is the median of", 6, false, true, true},
};

static double order_of(struct count count) { return count.known ? (double)count.value : NAN; }

static void time_cell(struct grid *grid, struct count ns) {
  struct text cell = {0};
  if (ns.known)
    number_time(&cell, (double)ns.value);
  grid_cell(grid, &cell, order_of(ns));
}

static void count_cell(struct grid *grid, struct count count, bool is_amount) {
  struct text cell = {0};
  if (count.known && is_amount)
    number_si(&cell, (double)count.value, "");
  else if (count.known)
    number_count(&cell, count.value);
  grid_cell(grid, &cell, order_of(count));
}

static void share_cell(struct grid *grid, const struct rank_line *line) {
  struct text cell = {0};
  const bool known = line->communication_ns.known && line->duration_ns.known && line->duration_ns.value;
  const double percent = known ? 100.0 * (double)line->communication_ns.value / (double)line->duration_ns.value : NAN;
  if (known)
    number_percent(&cell, percent);
  grid_cell(grid, &cell, percent);
}

static void clock_cell(struct grid *grid, struct number ns) {
  struct text cell = {0};
  if (ns.known && ns.value < 0)
    text_add(&cell, "-");
  if (ns.known)
    number_time(&cell, fabs(ns.value));
  grid_cell(grid, &cell, ns.known ? ns.value : NAN);
}

static void text_cell(struct grid *grid, const char *value) {
  struct text cell = {0};
  text_plain(&cell, value);
  grid_cell(grid, &cell, NAN);
}

static void add_rank(struct grid *grid, const struct rank_line *line, bool last) {
  struct text name = {0};
  if (line->rank.known)
    text_format(&name, "%.0f", line->rank.value);
  grid_row(grid, name.length ? text_get(&name) : "-", 0, last);
  text_free(&name);
  text_cell(grid, line->host);
  text_cell(grid, line->device);
  time_cell(grid, line->duration_ns);
  time_cell(grid, line->time_ns);
  count_cell(grid, line->launches, false);
  count_cell(grid, line->flops, true);
  time_cell(grid, line->communication_ns);
  share_cell(grid, line);
  time_cell(grid, line->communication_kernels_ns);
  clock_cell(grid, line->clock_offset_ns);
  clock_cell(grid, line->clock_error_ns);
}

static void fill_ranks(struct grid *grid, const struct rank_lines *ranks) {
  grid_begin(grid, "rank", rank_columns, sizeof rank_columns / sizeof *rank_columns);
  grid->flat = true;
  for (size_t i = 0; i < ranks->count; ++i)
    add_rank(grid, &ranks->items[i], i + 1 == ranks->count);
}

/* "Kernel time: 1.2 ms to 1.5 ms, the most is 1.1 of the mean." */
static void add_spread(struct text *line, const char *what, struct rank_spread spread) {
  if (!spread.known || spread.most <= 0)
    return;
  text_format(line, "%s%s from ", line->length ? " " : "", what);
  number_time(line, spread.least);
  text_add(line, " to ");
  number_time(line, spread.most);
  text_format(line, ", the most is %.3g of the mean.", spread.most / spread.mean);
}

static void add_summary(struct text *line, const struct rank_lines *ranks) {
  add_spread(line, "Run:", ranks_spread(ranks, rank_duration));
  add_spread(line, "Kernels:", ranks_spread(ranks, rank_kernel_time));
  add_spread(line, "Communication:", ranks_spread(ranks, rank_communication));
}

/* ---- Rows that differ between ranks ---- */

static const struct grid_column row_columns[] = {
    {"time", "mean", "of the ranks that have the row", 0, false, true, false},
    {"time", "least", "of a rank", 1, false, true, false},
    {"time", "most", "of a rank", 0, false, true, false},
    {"most/", "mean", "1 where all ranks take the same time", 0, false, true, false},
    {"rank", "most", "the rank with the most", 0, false, true, false},
    {"ranks", "", "that have the row", 2, false, true, false},
};

struct imbalance {
  const struct entry *entry;
  double mean, least, most, lost; /* ns: lost in the other ranks if they wait for the slowest one */
  struct count rank, ranks;
};

static bool imbalance_of(const struct document *document, const struct entry *entry, struct imbalance *found) {
  const struct json_tree *tree = &document->tree;
  const struct json *over = entry->json ? json_find(tree, entry->json, "over_ranks") : NULL;
  const struct count total = entry_count(entry, COUNT_TIME), ranks = count_of(over ? json_find(tree, over, "ranks") : NULL);
  const struct count least = count_of(over ? json_find(tree, over, "time_ns.min") : NULL),
                     most = count_of(over ? json_find(tree, over, "time_ns.max") : NULL);
  if (!total.known || !ranks.known || ranks.value < 2 || !most.known || !total.value)
    return false;
  const double mean = (double)total.value / (double)ranks.value;
  *found = (struct imbalance){entry, mean, (double)least.value, (double)most.value, (double)most.value - mean,
                              count_of(json_find(tree, over, "time_ns.max_rank")), ranks};
  return true;
}

static int by_loss(const void *first, const void *second) {
  const double a = ((const struct imbalance *)first)->lost, b = ((const struct imbalance *)second)->lost;
  return (a < b) - (a > b);
}

static void plain_time_cell(struct grid *grid, double ns) {
  struct text cell = {0};
  number_time(&cell, ns);
  grid_cell(grid, &cell, ns);
}

static void add_imbalance(struct grid *grid, const struct imbalance *one, bool last) {
  struct text cell = {0};
  char *title = one->entry->is_kernel ? entry_title(one->entry) : copy_string(one->entry->path);
  grid_row(grid, title, 0, last);
  free(title);
  plain_time_cell(grid, one->mean);
  plain_time_cell(grid, one->least);
  plain_time_cell(grid, one->most);
  text_format(&cell, "%.3g", one->most / one->mean);
  grid_cell(grid, &cell, one->most / one->mean);
  count_cell(grid, one->rank, false);
  count_cell(grid, one->ranks, false);
}

/* Regions; kernels where no region has a time. Returns the number of rows. */
static size_t fill_imbalances(struct grid *grid, const struct document *document) {
  const size_t most = document->region_count + document->kernel_count;
  struct imbalance *all = allocate((most + 1) * sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < document->region_count; ++i)
    count += imbalance_of(document, &document->regions[i], &all[count]);
  for (size_t i = 0, none = !count; none && i < document->kernel_count; ++i)
    count += imbalance_of(document, &document->kernels[i], &all[count]);
  if (count > 1)
    qsort(all, count, sizeof *all, by_loss);
  grid_begin(grid, "over ranks", row_columns, sizeof row_columns / sizeof *row_columns);
  grid->flat = true;
  count = count < ROWS_SHOWN ? count : ROWS_SHOWN;
  for (size_t i = 0; i < count; ++i)
    add_imbalance(grid, &all[i], i + 1 == count);
  free(all);
  return count;
}

/* ---- Formats ---- */

struct ranks_report {
  struct grid ranks, rows;
  struct text summary;
  size_t row_count;
};

/* False for a document that is not merged. */
static bool begin_report(struct ranks_report *report, const struct document *document) {
  struct rank_lines ranks = ranks_of(document);
  const bool is_merged = ranks.is_merged;
  *report = (struct ranks_report){.row_count = 0};
  if (is_merged) {
    fill_ranks(&report->ranks, &ranks);
    add_summary(&report->summary, &ranks);
    report->row_count = fill_imbalances(&report->rows, document);
  }
  ranks_free(&ranks);
  return is_merged;
}

static void end_report(struct ranks_report *report) {
  grid_free(&report->ranks);
  grid_free(&report->rows);
  text_free(&report->summary);
}

void report_ranks_text(struct text *out, const struct document *document, const struct style *style) {
  struct ranks_report report;
  if (!begin_report(&report, document))
    return;
  text_add(out, "\n");
  grid_text(out, &report.ranks, style);
  if (report.summary.length) {
    text_add(out, " ");
    write_wrapped(out, style, text_get(&report.summary), 1);
  }
  if (report.row_count) {
    text_add(out, "\n");
    grid_text(out, &report.rows, style);
  }
  end_report(&report);
}

void report_ranks_markdown(struct text *out, const struct document *document, const struct style *style) {
  struct ranks_report report;
  if (!begin_report(&report, document))
    return;
  text_add(out, "\n### Ranks\n\n");
  grid_markdown(out, &report.ranks, style);
  text_format(out, "\n%s\n", text_get(&report.summary));
  if (report.row_count) {
    text_add(out, "\n");
    grid_markdown(out, &report.rows, style);
  }
  end_report(&report);
}

void report_ranks_html(struct text *out, const struct document *document, const struct style *style) {
  struct ranks_report report;
  if (!begin_report(&report, document))
    return;
  text_add(out, "<section><h2>Ranks</h2>");
  grid_html(out, &report.ranks, style);
  text_add(out, "<p class=\"legend\">");
  text_xml(out, text_get(&report.summary));
  text_add(out, "</p>\n");
  if (report.row_count)
    grid_html(out, &report.rows, style);
  text_add(out, "</section>\n");
  end_report(&report);
}
