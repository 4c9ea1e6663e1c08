// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/series.h"

#include <math.h>
#include <string.h>

const struct measure_row measures[MEASURE_COUNT] = {
#define GP_MEASURE_ROW(id, name, title, unit, of_gpu) {name, title, unit, of_gpu},
    GP_MEASURES(GP_MEASURE_ROW)
#undef GP_MEASURE_ROW
};

bool row_is_timed_on_gpu(const struct sweep_row *row) {
  return !strcmp(row->strings[SWEEP_TIME_SOURCE], "cupti") || !strcmp(row->strings[SWEEP_TIME_SOURCE], "event");
}

const struct sweep_row *sweep_row_at(const struct sweep *sweep, size_t point, bool is_kernel, const char *path) {
  const struct sweep_point *at = &sweep->points[point];
  for (size_t i = 0; i < at->row_count; ++i)
    if (at->rows[i].is_kernel == is_kernel && !strcmp(at->rows[i].strings[SWEEP_PATH], path))
      return &at->rows[i];
  return NULL;
}

/* ---- One run ---- */

static struct number ratio(double above, struct count below) {
  return (struct number){below.known && below.value > 0, below.value ? above / (double)below.value : 0};
}

static struct number number_of_count(struct count count) { return (struct number){count.known, (double)count.value}; }

/* Of one execution. */
static struct number share(const struct sweep_row *row, struct count whole) {
  const struct number number = number_of_count(whole);
  return number.known ? ratio(number.value, row->counts[SWEEP_EXECUTIONS]) : number;
}

/* The least DRAM traffic known: what hardware read, else unique bytes. */
static struct count dram_bytes(const struct sweep_row *row) {
  return row->counts[SWEEP_DRAM].known ? row->counts[SWEEP_DRAM] : row->counts[SWEEP_UNIQUE];
}

/* Nanoseconds are 1e-9 s. */
static struct number per_second(struct count amount, struct count time_ns) {
  return amount.known && time_ns.known ? ratio((double)amount.value * 1e9, time_ns) : (struct number){.known = false};
}

static struct number of_run(const struct sweep_row *row, size_t run, enum measure which) {
  switch (which) {
  case MEASURE_TIME:
    return share(row, row->time_ns[run]);
  case MEASURE_RATE:
    return per_second(row->counts[SWEEP_FLOPS], row->time_ns[run]);
  case MEASURE_ATTAINABLE:
    return row->numbers[SWEEP_ATTAINABLE];
  case MEASURE_FLOPS:
    return share(row, row->counts[SWEEP_FLOPS]);
  case MEASURE_REQUESTED:
    return share(row, row->counts[SWEEP_REQUESTED]);
  case MEASURE_DRAM:
    return share(row, dram_bytes(row));
  case MEASURE_BANDWIDTH:
    return per_second(dram_bytes(row), row->time_ns[run]);
  case MEASURE_INTENSITY:
    return row->numbers[SWEEP_INTENSITY];
  case MEASURE_PERCENT:
    return row->percent[run];
  default:
    return (struct number){.known = false};
  }
}

/* ---- Repeats ---- */

/* The 97.5 % quantile of Student's t for degrees of freedom from 1 on; beyond the table by its expansion. */
static double student(size_t freedom) {
  static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                 2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  const double n = (double)freedom;
  return freedom <= sizeof table / sizeof *table ? table[freedom - 1] : 1.960 + 2.372 / n + 2.82 / (n * n);
}

struct estimate row_measure(const struct sweep_row *row, size_t runs, enum measure which) {
  struct estimate estimate = {.known = false};
  double sum = 0, squares = 0;
  if (measures[which].of_gpu && !row_is_timed_on_gpu(row))
    return estimate;
  for (size_t run = 0; run < runs; ++run) {
    const struct number number = of_run(row, run, which);
    estimate.runs += number.known;
    sum += number.known ? number.value : 0;
  }
  if (!estimate.runs)
    return estimate;
  estimate.known = true;
  estimate.mean = sum / (double)estimate.runs;
  for (size_t run = 0; run < runs; ++run) {
    const struct number number = of_run(row, run, which);
    squares += number.known ? (number.value - estimate.mean) * (number.value - estimate.mean) : 0;
  }
  if (estimate.runs > 1)
    estimate.half = student(estimate.runs - 1) * sqrt(squares / (double)(estimate.runs - 1) / (double)estimate.runs);
  return estimate;
}
