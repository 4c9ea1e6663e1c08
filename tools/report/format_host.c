// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_host.h"

#include "common/numbers.h"
#include "reader/rank_lines.h"
#include "report/host_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct printer {
  struct grid *grid;
  double run_ns; /* what shares are of */
  double device_ns;
};

static void time_cell(const struct printer *printer, struct count time) {
  struct text cell = {0};
  if (time.known)
    number_time(&cell, (double)time.value);
  grid_cell(printer->grid, &cell, time.known ? (double)time.value : NAN);
}

static void share_cell(const struct printer *printer, struct count time, double of) {
  struct text cell = {0};
  const double percent = 100 * (double)time.value / of;
  if (time.known && of > 0)
    number_percent(&cell, percent);
  grid_cell(printer->grid, &cell, time.known && of > 0 ? percent : NAN);
}

static struct count known(uint64_t value) { return (struct count){true, value}; }

static void row(const struct printer *printer, const char *name, unsigned depth, bool last, const struct host_times *times) {
  grid_row(printer->grid, name, depth, last);
  time_cell(printer, known(times->inclusive));
  time_cell(printer, known(times->exclusive));
  share_cell(printer, known(times->exclusive), printer->run_ns);
  time_cell(printer, known(times->waiting));
  time_cell(printer, times->device);
  share_cell(printer, times->device, printer->device_ns);
}

/* A row with a time and its share of the run alone. */
static void rest_row(const struct printer *printer, const char *name, struct count time) {
  grid_row(printer->grid, name, 0, true);
  time_cell(printer, (struct count){0});
  time_cell(printer, time);
  share_cell(printer, time, printer->run_ns);
  time_cell(printer, (struct count){0});
  time_cell(printer, (struct count){0});
  share_cell(printer, (struct count){0}, 0);
}

/* ---- Groups ---- */

static int longest_first(const void *a, const void *b) {
  const struct host_group *x = a, *y = b;
  const int nameless = !*x->name - !*y->name; /* those without a name come last */
  return nameless ? nameless : (y->times.exclusive > x->times.exclusive) - (y->times.exclusive < x->times.exclusive);
}

static bool is_named(const struct host_group *groups, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (*groups[i].name)
      return true;
  return false;
}

static void group_rows(const struct printer *printer, const char *what, const char *nameless, struct host_group *groups, size_t count) {
  if (!is_named(groups, count))
    return;
  qsort(groups, count, sizeof *groups, longest_first);
  for (size_t i = 0; i < count; ++i) {
    struct text name = {0};
    text_add(&name, *groups[i].name ? what : nameless);
    text_plain(&name, groups[i].name);
    row(printer, text_get(&name), 0, i + 1 == count, &groups[i].times);
    text_free(&name);
  }
}

/* ---- Regions ---- */

static void region_rows(const struct printer *printer, const struct document *document) {
  const size_t shown = report_shown(document->region_count);
  for (size_t i = 0; i < shown; ++i) {
    struct host_times times;
    if (!host_times_of(document, i, &times))
      continue;
    const struct entry *entry = &document->regions[i];
    times.device = entry_count(entry, COUNT_TIME);
    times.waiting = entry_count(entry, COUNT_HOST_WAITING).value;
    char *title = entry_title(entry);
    row(printer, title, entry->depth, entry->last, &times);
    free(title);
  }
}

/* ---- The section ---- */

/* Threads go on while a document is written: the sums may differ by a moment. */
static bool has_left_out(const struct document *document, const struct host_shares *shares) {
  return shares->left_out.known && (double)shares->left_out.value > 0.001 * (double)document->duration_ns.value;
}

static void begin(struct grid *grid, const struct document *document) {
  const bool on_gpu = strcmp(document_time_source(document), "cpu") != 0;
  const struct grid_column columns[] = {
      {"host", "inclusive", "time of the host with regions within it", 1, false, false, false},
      {"host", "exclusive", "time of the host without regions within it", 0, false, false, false},
      {"of", "run", "share of the exclusive time in the run", 0, false, false, false},
      {"host", "waiting", "time in calls that wait for the device", 0, false, false, false},
      {on_gpu ? "GPU" : "device", "time", "time of the kernels launched", 0, false, true, false},
      {"of", on_gpu ? "GPU" : "device", "share of the time of all kernels", 2, false, true, false},
  };
  grid_begin(grid, "where", columns, sizeof columns / sizeof *columns);
}

static void add_below(struct text *below, const struct document *document, const struct host_shares *shares) {
  text_add(below, "exclusive: without regions within it; waiting: in CUDA's calls that wait for the device.");
  if (strcmp(document->device_kind, "cpu") == 0)
    text_add(below, " On the CPU device a launch waits for its kernel.");
  if (document->host_threads.value > 1)
    text_format(below, " %llu threads opened regions or waited: their times are added up, and shares are of the run's time.",
                (unsigned long long)document->host_threads.value);
  if (has_left_out(document, shares))
    text_add(below, " Left out: regions of GPUPROF_WARMUP and outside of GPUPROF_FILTER.");
}

static void print(struct text *out, const struct document *document, const struct selection *selection, struct host_shares *shares,
                  section_function section, const struct style *style) {
  struct grid grid;
  struct text below = {0};
  const struct printer printer = {&grid, document_run_ns(document), (double)shares->device_ns};
  begin(&grid, document);
  if (selection->host)
    region_rows(&printer, document);
  group_rows(&printer, "phase ", "no phase", shares->phases, shares->phase_count);
  group_rows(&printer, "category ", "no category", shares->categories, shares->category_count);
  if (has_left_out(document, shares))
    rest_row(&printer, "left out", shares->left_out);
  if (shares->outside.known)
    rest_row(&printer, "outside of regions", shares->outside);
  add_below(&below, document, shares);
  section(out, "Where the time went", &grid, text_get(&below), style);
  grid_free(&grid);
  text_free(&below);
}

void report_host(struct text *out, const struct document *document, const struct selection *selection, section_function section,
                 const struct style *style) {
  struct host_shares shares;
  if (!selection->regions)
    return;
  host_shares_of(&shares, document);
  const bool is_asked = selection->host || is_named(shares.phases, shares.phase_count) || is_named(shares.categories, shares.category_count);
  if (shares.phase_count && is_asked)
    print(out, document, selection, &shares, section, style);
}
