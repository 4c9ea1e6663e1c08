/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sweep: one program run at several points, each several times. Its document (schema gpuprof.sweep) has
 * the rows of all runs side by side; the documents of the runs lie beside it. */
#ifndef GP_TOOL_SWEEP_H
#define GP_TOOL_SWEEP_H

#include "reader/entry.h"
#include "sweep/parameters.h"

#include <stdbool.h>
#include <stddef.h>

struct document;
struct text;

/* Values of a row that do not differ between repeats: identifier, key in the document of a sweep. */
#define GP_SWEEP_COUNTS(X)                                                                                   \
  X(EXECUTIONS, "executions")                                                                                \
  X(LAUNCHES, "launches")                                                                                    \
  X(FLOPS, "flops")                                                                                          \
  X(SPECIAL, "special_functions")                                                                            \
  X(REQUESTED, "requested_bytes")                                                                            \
  X(UNIQUE, "unique_bytes")                                                                                  \
  X(DRAM, "dram_bytes")
#define GP_SWEEP_NUMBERS(X)                                                                                  \
  X(INTENSITY, "intensity")                                                                                  \
  X(ATTAINABLE, "attainable_per_second")
#define GP_SWEEP_STRINGS(X)                                                                                  \
  X(KIND, "kind")                                                                                            \
  X(PATH, "path")                                                                                            \
  X(NAME, "name")                                                                                            \
  X(BOUND, "bound")                                                                                          \
  X(INTENSITY_SOURCE, "intensity_source")                                                                    \
  X(TIME_SOURCE, "time_source")

#define GP_SWEEP_ID(id, key) SWEEP_##id,
enum sweep_count { GP_SWEEP_COUNTS(GP_SWEEP_ID) SWEEP_COUNTS };
enum sweep_number { GP_SWEEP_NUMBERS(GP_SWEEP_ID) SWEEP_NUMBERS };
enum sweep_string { GP_SWEEP_STRINGS(GP_SWEEP_ID) SWEEP_STRINGS };
#undef GP_SWEEP_ID
extern const char *const sweep_count_keys[SWEEP_COUNTS], *const sweep_number_keys[SWEEP_NUMBERS];
extern const char *const sweep_string_keys[SWEEP_STRINGS];

/* A region or kernel at one point. */
struct sweep_row {
  struct count counts[SWEEP_COUNTS]; /* of the first run with it */
  struct number numbers[SWEEP_NUMBERS];
  char *strings[SWEEP_STRINGS]; /* "": not known */
  bool is_kernel;
  bool counts_equal;      /* in all repeats */
  struct count *time_ns;  /* a run each: total of all its executions */
  struct number *percent; /* of the roof */
};

struct sweep_run {
  char *file; /* beside the sweep's document; null: none was written */
  int exit_code;
  double seconds;
};

struct sweep_point {
  struct sweep_run *runs; /* `repeat` of them; the first `run_count` were made */
  size_t run_count;
  struct sweep_row *rows; /* regions, then kernels */
  size_t row_count;
};

struct sweep {
  struct parameters parameters;
  size_t repeat;
  char *command, *start_time, *device_kind, *device_name, *chip;
  struct sweep_point *points;
  size_t point_count;
};

/* A sweep without runs. It takes the parameters over. */
void sweep_begin(struct sweep *sweep, struct parameters *parameters, size_t repeat, char *const *command);
void sweep_free(struct sweep *sweep);
/* Adds a run of a point. Without a document its rows have no values in this run. Takes `file` over. */
void sweep_add_run(struct sweep *sweep, size_t point, char *file, int exit_code, double seconds, const struct document *document);

void sweep_write(struct text *out, const struct sweep *sweep);
/* Whether the file begins as a document of a sweep. */
bool sweep_is(const char *path);
/* Returns false after one sentence on the error. */
bool sweep_read(struct sweep *sweep, const char *path);

#endif
