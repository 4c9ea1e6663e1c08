// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_lanes.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define STREAMS 64u
#define LANES 16u

static struct stream {
  int device;
  uint32_t number;
  uint64_t ends[LANES]; /* of the last work of each row */
} streams[STREAMS];
static size_t count;

/* Null beyond the table. */
static struct stream *stream_of(int device, uint32_t number) {
  for (size_t i = count; i-- > 0;)
    if (streams[i].device == device && streams[i].number == number)
      return &streams[i];
  if (count == STREAMS)
    return NULL;
  streams[count] = (struct stream){.device = device, .number = number};
  return &streams[count++];
}

uint32_t gp_trace_lane(int device, uint32_t number, uint64_t start, uint64_t end) {
  struct stream *stream = stream_of(device, number);
  uint32_t lane = 0;
  assert(!(number >> GP_TRACE_LANE_SHIFT));
  if (!stream)
    return number;
  while (lane < LANES - 1 && start < stream->ends[lane])
    lane++;
  if (end > stream->ends[lane])
    stream->ends[lane] = end;
  return number | lane << GP_TRACE_LANE_SHIFT;
}

void gp_trace_lanes_reset(void) {
  count = 0;
  memset(streams, 0, sizeof streams);
}
