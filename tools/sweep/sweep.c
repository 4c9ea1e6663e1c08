// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/sweep.h"

#include "common/text.h"
#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GP_SWEEP_KEY(id, key) key,
const char *const sweep_count_keys[] = {GP_SWEEP_COUNTS(GP_SWEEP_KEY)};
const char *const sweep_number_keys[] = {GP_SWEEP_NUMBERS(GP_SWEEP_KEY)};
const char *const sweep_string_keys[] = {GP_SWEEP_STRINGS(GP_SWEEP_KEY)};

static char *joined(char *const *command) {
  struct text text = {0};
  for (size_t i = 0; command[i]; ++i)
    text_format(&text, "%s%s", i ? " " : "", command[i]);
  return text.data ? text.data : copy_string("");
}

static char *now(void) {
  char text[32] = "";
  const time_t seconds = time(NULL);
  struct tm parts;
  if (gmtime_r(&seconds, &parts))
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return copy_string(text);
}

void sweep_begin(struct sweep *sweep, struct parameters *parameters, size_t repeat, char *const *command) {
  *sweep = (struct sweep){.parameters = *parameters,
                          .repeat = repeat,
                          .command = joined(command),
                          .start_time = now(),
                          .device_kind = copy_string(""),
                          .device_name = copy_string(""),
                          .chip = copy_string(""),
                          .point_count = parameters_points(parameters)};
  *parameters = (struct parameters){0};
  sweep->points = allocate(sweep->point_count * sizeof *sweep->points);
  for (size_t i = 0; i < sweep->point_count; ++i)
    sweep->points[i] = (struct sweep_point){.runs = allocate(repeat * sizeof(struct sweep_run))};
}

static void free_row(struct sweep_row *row) {
  for (size_t i = 0; i < SWEEP_STRINGS; ++i)
    free(row->strings[i]);
  free(row->time_ns);
  free(row->percent);
}

static void free_point(struct sweep_point *point) {
  for (size_t i = 0; i < point->run_count; ++i)
    free(point->runs[i].file);
  for (size_t i = 0; i < point->row_count; ++i)
    free_row(&point->rows[i]);
  free(point->runs);
  free(point->rows);
}

void sweep_free(struct sweep *sweep) {
  for (size_t i = 0; i < sweep->point_count; ++i)
    free_point(&sweep->points[i]);
  free(sweep->points);
  free(sweep->command);
  free(sweep->start_time);
  free(sweep->device_kind);
  free(sweep->device_name);
  free(sweep->chip);
  parameters_free(&sweep->parameters);
  *sweep = (struct sweep){.repeat = 0};
}

/* ---- Rows of a run ---- */

static struct count row_count(const struct entry *entry, enum sweep_count which) {
  switch (which) {
  case SWEEP_EXECUTIONS: {
    const struct count executions = entry_count(entry, COUNT_EXECUTIONS);
    return executions.known && executions.value ? executions : entry_count(entry, COUNT_LAUNCHES);
  }
  case SWEEP_LAUNCHES:
    return entry_count(entry, COUNT_LAUNCHES);
  case SWEEP_FLOPS:
    return entry_count(entry, COUNT_FLOPS);
  case SWEEP_SPECIAL:
    return entry_count(entry, COUNT_SPECIAL);
  case SWEEP_REQUESTED:
    return entry_requested_bytes(entry);
  case SWEEP_UNIQUE:
    return entry_count(entry, COUNT_UNIQUE);
  case SWEEP_DRAM:
    return entry_count(entry, COUNT_DRAM);
  default:
    return (struct count){.known = false};
  }
}

static bool is_equal(struct count a, struct count b) { return a.known == b.known && (!a.known || a.value == b.value); }

static void take_strings(struct sweep_row *row, const struct entry *entry, char *title) {
  const bool has_dram = entry_number(entry, NUMBER_INTENSITY_DRAM).known;
  const char *source = has_dram ? entry_string(entry, STRING_DRAM_SOURCE) : "requested";
  const char *const strings[SWEEP_STRINGS] = {[SWEEP_KIND] = entry->is_kernel ? "kernel" : "region",
                                              [SWEEP_PATH] = entry->is_kernel ? title : entry->path,
                                              [SWEEP_NAME] = title,
                                              [SWEEP_BOUND] = entry_string(entry, STRING_BOUND),
                                              [SWEEP_INTENSITY_SOURCE] = source,
                                              [SWEEP_TIME_SOURCE] = entry_string(entry, STRING_TIME_SOURCE)};
  for (size_t i = 0; i < SWEEP_STRINGS; ++i)
    row->strings[i] = copy_string(strings[i]);
}

static void take_values(struct sweep_row *row, const struct entry *entry) {
  const struct number dram = entry_number(entry, NUMBER_INTENSITY_DRAM);
  for (size_t i = 0; i < SWEEP_COUNTS; ++i)
    row->counts[i] = row_count(entry, i);
  row->numbers[SWEEP_INTENSITY] = dram.known ? dram : entry_number(entry, NUMBER_INTENSITY_REQUESTED);
  row->numbers[SWEEP_ATTAINABLE] = entry_number(entry, NUMBER_ATTAINABLE);
}

static struct sweep_row *find_row(struct sweep_point *point, bool is_kernel, const char *path) {
  for (size_t i = 0; i < point->row_count; ++i)
    if (point->rows[i].is_kernel == is_kernel && !strcmp(point->rows[i].strings[SWEEP_PATH], path))
      return &point->rows[i];
  return NULL;
}

static struct sweep_row *new_row(struct sweep_point *point, size_t repeat) {
  point->rows = reallocate(point->rows, (point->row_count + 1) * sizeof *point->rows);
  struct sweep_row *row = &point->rows[point->row_count++];
  *row = (struct sweep_row){.counts_equal = true,
                            .time_ns = allocate(repeat * sizeof *row->time_ns),
                            .percent = allocate(repeat * sizeof *row->percent)};
  memset(row->time_ns, 0, repeat * sizeof *row->time_ns);
  memset(row->percent, 0, repeat * sizeof *row->percent);
  return row;
}

static void add_entry(const struct sweep *sweep, struct sweep_point *point, size_t run, const struct entry *entry) {
  char *title = entry_title(entry);
  struct sweep_row *row = find_row(point, entry->is_kernel, entry->is_kernel ? title : entry->path);
  if (row) {
    for (size_t i = 0; i < SWEEP_COUNTS; ++i)
      row->counts_equal &= i == SWEEP_DRAM || is_equal(row->counts[i], row_count(entry, i));
  } else {
    row = new_row(point, sweep->repeat);
    row->is_kernel = entry->is_kernel;
    take_strings(row, entry, title);
    take_values(row, entry);
  }
  row->time_ns[run] = entry_count(entry, COUNT_TIME);
  row->percent[run] = entry_number(entry, NUMBER_PERCENT);
  free(title);
}

static void take_context(struct sweep *sweep, const struct document *document) {
  char **const places[] = {&sweep->device_kind, &sweep->device_name, &sweep->chip};
  const char *const values[] = {document->device_kind, document->device_name, document->chip};
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    if (!**places[i] && values[i]) {
      free(*places[i]);
      *places[i] = copy_string(values[i]);
    }
}

void sweep_add_run(struct sweep *sweep, size_t point, char *file, int exit_code, double seconds, const struct document *document) {
  struct sweep_point *at = &sweep->points[point];
  const size_t run = at->run_count++;
  at->runs[run] = (struct sweep_run){file, exit_code, seconds};
  if (!document)
    return;
  take_context(sweep, document);
  for (size_t i = 0; i < document->region_count; ++i)
    add_entry(sweep, at, run, &document->regions[i]);
  for (size_t i = 0; i < document->kernel_count; ++i)
    add_entry(sweep, at, run, &document->kernels[i]);
}
