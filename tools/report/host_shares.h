/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the time of the host went: sums over the regions of each phase and category. */
#ifndef GP_TOOL_HOST_SHARES_H
#define GP_TOOL_HOST_SHARES_H

#include "reader/reader.h"

#include <stdbool.h>
#include <stddef.h>

/* Times in ns. Exclusive times of all groups add up to the time in regions. */
struct host_times {
  uint64_t inclusive, exclusive, waiting; /* waiting: outside of regions of another group */
  struct count device;                    /* of launches outside of such regions; unknown where no launch has a time */
};

struct host_group {
  const char *name; /* "": regions without a phase, or without a category */
  struct host_times times;
};

/* Further names count for the last group, which is then named "others". */
#define HOST_GROUPS_MOST 64

struct host_shares {
  struct host_group phases[HOST_GROUPS_MOST], categories[HOST_GROUPS_MOST];
  size_t phase_count, category_count;
  uint64_t regions_ns;   /* of all regions shown */
  uint64_t device_ns;
  struct count outside;  /* of the run outside of all regions; unknown with several threads */
  struct count left_out; /* regions that are not shown: GPUPROF_WARMUP, GPUPROF_FILTER; unknown in earlier documents */
};

/* The sums of a document; all zero in documents without host times. */
void host_shares_of(struct host_shares *shares, const struct document *document);
/* The times of a region without those of regions within it, but for `inclusive`. False: the row is no host region. */
bool host_times_of(const struct document *document, size_t region, struct host_times *times);

#endif
