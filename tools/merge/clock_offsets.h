/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Clocks of several hosts, compared by calls that all ranks leave nearly together. */
#ifndef GP_TOOL_CLOCK_OFFSETS_H
#define GP_TOOL_CLOCK_OFFSETS_H

#include "merge/rank_facts.h"

/* Fills in clock_offset_ns and clock_error_ns of ranks without them. Ranks of one host have one clock: 0 for the host of the
 * first rank. The offset of another host is the median difference of common ends, its error the median deviation from that. */
void clock_offsets_find(struct rank_list *list);

#endif
