// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/busy.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SEGMENTS 64u

/* ---- Gaps ---- */

/* Of equally long gaps the one found first stays in front. */
static void keep_longest(struct gp_busy_gaps *gaps, struct gp_gap gap) {
  size_t at = gaps->kept;
  while (at > 0 && gaps->longest[at - 1].length < gap.length)
    at--;
  if (at == GP_BUSY_GAPS)
    return;
  if (gaps->kept < GP_BUSY_GAPS)
    gaps->kept++;
  memmove(&gaps->longest[at + 1], &gaps->longest[at], (gaps->kept - at - 1) * sizeof gap);
  gaps->longest[at] = gap;
}

static void add_gap(struct gp_busy_gaps *gaps, uint64_t start, uint64_t end) {
  if (end <= start)
    return;
  gaps->count++;
  gaps->total += end - start;
  keep_longest(gaps, (struct gp_gap){start, end - start});
}

/* ---- Closing ---- */

/* Adds the first `count` segments to the sums, and the gap behind each. */
static void add_up(const struct gp_busy *busy, uint32_t count, struct gp_busy_sums *sums) {
  for (uint32_t i = 0; i < count; i++) {
    const struct gp_busy_segment *s = &busy->segments[i];
    sums->busy_ns += s->end - s->start;
    if (s->stream == GP_BUSY_SEVERAL)
      sums->several_ns += s->end - s->start;
    if (i + 1 < busy->count)
      add_gap(&sums->gaps, s->end, s[1].start);
  }
}

static struct gp_busy_sums closed_sums(const struct gp_busy *busy) {
  return (struct gp_busy_sums){.intervals = busy->intervals,
                               .first = busy->first,
                               .busy_ns = busy->busy_ns,
                               .several_ns = busy->several_ns,
                               .late_ns = busy->late_ns,
                               .gaps = busy->gaps};
}

static void close_first(struct gp_busy *busy, uint32_t count) {
  struct gp_busy_sums sums = closed_sums(busy);
  add_up(busy, count, &sums);
  busy->busy_ns = sums.busy_ns;
  busy->several_ns = sums.several_ns;
  busy->gaps = sums.gaps;
  busy->closed_until = count < busy->count ? busy->segments[count].start : busy->segments[count - 1].end;
  busy->count -= count;
  memmove(busy->segments, busy->segments + count, busy->count * sizeof *busy->segments);
}

struct gp_busy_sums gp_busy_sums(const struct gp_busy *busy) {
  struct gp_busy_sums sums = closed_sums(busy);
  add_up(busy, busy->count, &sums);
  sums.last = busy->count ? busy->segments[busy->count - 1].end : busy->closed_until;
  return sums;
}

/* ---- Adding ---- */

static uint32_t bound(const struct gp_busy *busy) { return busy->most ? busy->most : GP_BUSY_SEGMENTS; }

/* Room for two more segments. Without memory older segments are closed early. */
static int make_room(struct gp_busy *busy) {
  if (busy->count + 2 <= busy->capacity)
    return 1;
  uint32_t wanted = busy->capacity ? 2 * busy->capacity : FIRST_SEGMENTS;
  wanted = wanted < bound(busy) ? wanted : bound(busy);
  struct gp_busy_segment *grown =
      wanted > busy->capacity ? realloc(busy->segments, wanted * sizeof *grown) : NULL;
  if (grown) {
    busy->segments = grown;
    busy->capacity = wanted;
  } else if (busy->count > 1) {
    close_first(busy, busy->count / 2);
  }
  return busy->count + 2 <= busy->capacity;
}

/* The first segment ending behind `time`: most intervals come in order, and belong to the end. */
static uint32_t first_behind(const struct gp_busy *busy, uint64_t time) {
  uint32_t low = 0, high = busy->count;
  if (high && busy->segments[high - 1].end <= time)
    return high;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (busy->segments[middle].end <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(struct gp_busy *busy, uint32_t at, struct gp_busy_segment segment) {
  memmove(&busy->segments[at + 1], &busy->segments[at], (busy->count - at) * sizeof segment);
  busy->segments[at] = segment;
  busy->count++;
}

/* Joins segment `at` with the one before it, if they touch and are of one stream. Returns 1 if they were joined. */
static int join(struct gp_busy *busy, uint32_t at) {
  if (!at || at >= busy->count)
    return 0;
  struct gp_busy_segment *s = &busy->segments[at];
  if (s[-1].end != s->start || s[-1].stream != s->stream)
    return 0;
  s[-1].end = s->end;
  busy->count--;
  memmove(s, s + 1, (busy->count - at) * sizeof *s);
  return 1;
}

/* Cuts segment `at` at `time`, which lies inside. */
static void cut(struct gp_busy *busy, uint32_t at, uint64_t time) {
  struct gp_busy_segment rest = busy->segments[at];
  rest.start = time;
  busy->segments[at].end = time;
  insert(busy, at + 1, rest);
}

/* The part of segment `at` from start to end is of `stream`, too. Returns the end of this part. */
static uint64_t share(struct gp_busy *busy, uint32_t at, uint64_t start, uint64_t end, uint32_t stream) {
  struct gp_busy_segment *s = &busy->segments[at];
  const uint64_t until = s->end < end ? s->end : end;
  if (s->stream == stream || s->stream == GP_BUSY_SEVERAL)
    return until;
  if (s->end > until)
    cut(busy, at, until);
  if (busy->segments[at].start < start)
    cut(busy, at++, start);
  busy->segments[at].stream = GP_BUSY_SEVERAL;
  join(busy, at + 1);
  join(busy, at);
  return until;
}

/* The free part from start up to the segment `at`. Returns its end. */
static uint64_t fill(struct gp_busy *busy, uint32_t at, uint64_t start, uint64_t end, uint32_t stream) {
  const uint64_t until = at < busy->count && busy->segments[at].start < end ? busy->segments[at].start : end;
  insert(busy, at, (struct gp_busy_segment){start, until, stream});
  join(busy, at + 1);
  join(busy, at);
  return until;
}

/* Adds the beginning of the interval. Returns the start of the rest. */
static uint64_t add_part(struct gp_busy *busy, uint64_t start, uint64_t end, uint32_t stream) {
  const uint32_t at = first_behind(busy, start);
  if (at < busy->count && busy->segments[at].start <= start)
    return share(busy, at, start, end, stream);
  return fill(busy, at, start, end, stream);
}

void gp_busy_add(struct gp_busy *busy, uint64_t start, uint64_t end, uint32_t stream) {
  if (!busy->intervals++ || start < busy->first)
    busy->first = start;
  while (start < end) {
    const int has_room = make_room(busy);
    if (start < busy->closed_until || !has_room) {
      const uint64_t until = has_room && busy->closed_until < end ? busy->closed_until : end;
      busy->late_ns += until - start;
      start = until;
      continue;
    }
    start = add_part(busy, start, end, stream);
  }
}

void gp_busy_free(struct gp_busy *busy) {
  free(busy->segments);
  *busy = (struct gp_busy){0};
}
