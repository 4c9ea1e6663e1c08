/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measures of a sweep's rows over its points: a value with the interval its repeats leave it. */
#ifndef GP_TOOL_SERIES_H
#define GP_TOOL_SERIES_H

#include "sweep/sweep.h"

/* Identifier, name in CSV, title, unit for a person, of a GPU's time only. Amounts are of one execution of a
 * region, or one launch of a kernel. */
#define GP_MEASURES(X)                                                                                       \
  X(TIME, "time_ns", "time", "s", false)                                                                     \
  X(RATE, "flops_per_second", "attained rate", "FLOP/s", true)                                               \
  X(ATTAINABLE, "attainable_per_second", "attainable rate", "FLOP/s", false)                                 \
  X(FLOPS, "flops", "work", "FLOP", false)                                                                   \
  X(REQUESTED, "requested_bytes", "bytes asked", "B", false)                                                 \
  X(DRAM, "dram_bytes", "bytes of DRAM", "B", false)                                                         \
  X(BANDWIDTH, "dram_bytes_per_second", "DRAM bandwidth", "B/s", true)                                       \
  X(INTENSITY, "intensity", "intensity", "FLOP/B", false)                                                    \
  X(PERCENT, "percent", "share of the roof", "%", true)

enum measure {
#define GP_MEASURE_ID(id, ...) MEASURE_##id,
  GP_MEASURES(GP_MEASURE_ID)
#undef GP_MEASURE_ID
      MEASURE_COUNT
};

struct measure_row {
  const char *name, *title, *unit;
  bool of_gpu;
};
extern const struct measure_row measures[MEASURE_COUNT];

/* The mean of the repeats and, from two on, half of its interval of 95 % confidence (Student's t). */
struct estimate {
  bool known;
  double mean, half;
  size_t runs;
};

struct estimate row_measure(const struct sweep_row *row, size_t runs, enum measure which);
/* The row at a point, or null. */
const struct sweep_row *sweep_row_at(const struct sweep *sweep, size_t point, bool is_kernel, const char *path);
/* Whether times of this row are a GPU's. */
bool row_is_timed_on_gpu(const struct sweep_row *row);

#endif
