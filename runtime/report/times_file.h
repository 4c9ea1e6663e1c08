/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times of plain kernels, handed from one run of a program to another: 'gpuprof run --exact'. The first run
 * (GPUPROF_TIMES_ONLY) writes the file; the second (GPUPROF_TIMES_FILE) counts, and takes its times from there. */
#ifndef GP_TIMES_FILE_H
#define GP_TIMES_FILE_H

#include "report/reading.h"

/* Of the second run. */
struct gp_times_match {
  int matched;
  char why[320]; /* it did not: one sentence */
};

/* A line for each record, one for each region with executions that had launches, each with a line of samples behind it:
 *   launches TAB launches TAB digest TAB device TAB source TAB timed TAB total TAB min TAB max TAB kept TAB kernel TAB path
 *   executions TAB timed TAB total TAB min TAB max TAB kept TAB path
 * Returns 0, or -1 with a message. */
int gp_times_file_write(struct gp_reading *reading, const char *path);
/* Replaces the times of the reading by those of the file. Launches are compared kernel by kernel in each region: number,
 * order and configurations. If one differs, nothing is replaced. */
struct gp_times_match gp_times_file_apply(struct gp_reading *reading, const char *path);

#endif
