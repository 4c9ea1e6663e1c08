/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ranks of a merged document; of another one its process alone. */
#ifndef GP_TOOL_RANK_LINES_H
#define GP_TOOL_RANK_LINES_H

#include "reader/reader.h"

/* Strings are never null; "" = not known. */
struct rank_line {
  struct number rank, clock_offset_ns, clock_error_ns;
  const char *host, *device;
  struct count duration_ns, launches, flops, time_ns, communication_ns, communication_kernels_ns;
};

struct rank_lines {
  struct rank_line *items;
  size_t count;
  bool is_merged;
};

struct rank_lines ranks_of(const struct document *document);
void ranks_free(struct rank_lines *ranks);

/* Least, most and mean of one number over ranks; not known where no rank knows it. */
struct rank_spread {
  bool known;
  double least, most, mean;
};
typedef struct count rank_value(const struct rank_line *line);
struct rank_spread ranks_spread(const struct rank_lines *ranks, rank_value *value);
/* Time of the host in regions of the phase communication, which calls of MPI and NCCL open too; of a document without times of
 * the host, that of these calls. */
struct count document_communication(const struct document *document);
/* Time of the kernels launched there, as NCCL's on a GPU. */
struct count document_communication_kernels(const struct document *document);
/* Durations of all ranks together. */
double document_run_ns(const struct document *document);
struct count rank_duration(const struct rank_line *line);
struct count rank_kernel_time(const struct rank_line *line);
struct count rank_communication(const struct rank_line *line);

#endif
