// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/clock_offsets.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *first, const void *second) {
  const int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;
  return (a > b) - (a < b);
}

static int64_t median(int64_t *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

/* Differences of the ends that both lists have. */
static size_t differences(const struct common_ends *ends, const struct common_ends *reference, int64_t *found) {
  const uint64_t stride = ends->stride > reference->stride ? ends->stride : reference->stride;
  size_t count = 0;
  for (uint64_t number = 0;; number += stride) {
    const uint64_t at = number / ends->stride, there = number / reference->stride;
    if (at >= ends->count || there >= reference->count)
      return count;
    found[count++] = (int64_t)(ends->realtime_ns[at] - reference->realtime_ns[there]);
  }
}

static void compare(struct rank_facts *facts, const struct rank_facts *reference) {
  int64_t *found = allocate((facts->ends.count + 1) * sizeof *found);
  const size_t count = differences(&facts->ends, &reference->ends, found);
  if (count) {
    const int64_t offset = median(found, count);
    for (size_t i = 0; i < count; ++i)
      found[i] = llabs(found[i] - offset);
    facts->clock_offset_ns = (struct signed_count){true, offset};
    facts->clock_error_ns = (struct count){true, (uint64_t)median(found, count)};
  }
  free(found);
}

static bool is_same_host(const struct rank_facts *a, const struct rank_facts *b) {
  return a->host && b->host && !strcmp(a->host, b->host);
}

/* A rank before it on the same host, with an offset. */
static const struct rank_facts *neighbour(const struct rank_list *list, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (list->items[i].clock_offset_ns.known && is_same_host(&list->items[i], &list->items[index]))
      return &list->items[i];
  return NULL;
}

void clock_offsets_find(struct rank_list *list) {
  if (list->count && !list->items[0].clock_offset_ns.known) {
    list->items[0].clock_offset_ns = (struct signed_count){true, 0};
    list->items[0].clock_error_ns = (struct count){true, 0};
  }
  for (size_t i = 1; i < list->count; ++i) {
    struct rank_facts *facts = &list->items[i];
    const struct rank_facts *known = facts->clock_offset_ns.known ? NULL : neighbour(list, i);
    if (known) {
      facts->clock_offset_ns = known->clock_offset_ns;
      facts->clock_error_ns = known->clock_error_ns;
    } else if (!facts->clock_offset_ns.known) {
      compare(facts, &list->items[0]);
    }
  }
}
