/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a merged document says of each rank: its member context.ranks. */
#ifndef GP_TOOL_RANK_FACTS_H
#define GP_TOOL_RANK_FACTS_H

#include "reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_json;

struct signed_count {
  bool known;
  int64_t value;
};

/* Ends of calls that all ranks leave together: those of number 0, stride, 2 * stride, … */
struct common_ends {
  uint64_t stride;
  size_t count;
  uint64_t *realtime_ns;
};

struct rank_facts {
  char *file, *host, *device, *uuid, *start_time, *state; /* null: not known */
  struct signed_count rank, local_rank, world_size;
  struct count pid, duration_ns, launches, flops, time_ns, peak_bytes;
  struct count communication_calls, communication_bytes, communication_ns, communication_kernels_ns;
  struct common_ends ends;
  struct signed_count clock_offset_ns; /* of its clock to that of the first rank's host */
  struct count clock_error_ns;
};

struct rank_list {
  struct rank_facts *items;
  size_t count, capacity;
};

/* Adds what a document says of its process; of a merged one what it says of each of its ranks. */
void rank_list_add(struct rank_list *list, const struct document *document);
/* By rank; those without one come last, in the order in which they came. */
void rank_list_sort(struct rank_list *list);
void rank_list_write(struct gp_json *json, const struct rank_list *list);
void rank_list_free(struct rank_list *list);

#endif
