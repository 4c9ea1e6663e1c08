// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/sector_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR UINT64_C(32)
#define LATTICES_MAXIMUM (1u << 16) /* 15 MB */
#define RANGES_MAXIMUM (UINT64_C(1) << 21) /* written out at once: 32 MB */
#define FARTHEST (UINT64_C(1) << 60) /* bytes: no address lies farther from another */

static const char no_memory[] = "memory is exhausted";
static const char too_many[] = "they lie in too many places for the host";

/* ---- One lattice ---- */

static void take_out(struct gp_lattice *l, unsigned d) {
  l->dimensions--;
  for (; d < l->dimensions; d++) {
    l->steps[d] = l->steps[d + 1];
    l->counts[d] = l->counts[d + 1];
  }
}

/* Steps become positive, and at least two of each are left. */
static int make_positive(struct gp_lattice *l) {
  for (unsigned d = 0; d < l->dimensions;) {
    if ((int64_t)l->steps[d] < 0) {
      l->base += l->steps[d] * (l->counts[d] - 1);
      l->steps[d] = -l->steps[d];
    }
    if (l->steps[d] && l->counts[d] > 1 && l->steps[d] > FARTHEST / l->counts[d])
      return 0;
    if (!l->steps[d] || l->counts[d] == 1)
      take_out(l, d);
    else
      d++;
  }
  return l->width <= FARTHEST;
}

static void sort_steps(struct gp_lattice *l) {
  for (unsigned i = 1; i < l->dimensions; i++)
    for (unsigned d = i; d && l->steps[d] < l->steps[d - 1]; d--) {
      const uint64_t step = l->steps[d], count = l->counts[d];
      l->steps[d] = l->steps[d - 1];
      l->counts[d] = l->counts[d - 1];
      l->steps[d - 1] = step;
      l->counts[d - 1] = count;
    }
}

/* A gap of at most 31 bytes holds no whole sector: ranges with such gaps are one range. */
static int join_shortest(struct gp_lattice *l) {
  if (!l->dimensions || l->steps[0] > l->width + SECTOR - 1)
    return 0;
  l->width += (l->counts[0] - 1) * l->steps[0];
  take_out(l, 0);
  return 1;
}

/* Multiples of s below s·n, repeated at a distance of k·s with k ≤ n, are all multiples of s up to the last one. */
static int join_progressions(struct gp_lattice *l) {
  for (unsigned i = 0; i < l->dimensions; i++)
    for (unsigned j = i + 1; j < l->dimensions; j++) {
      const uint64_t times = l->steps[j] / l->steps[i];
      if (l->steps[j] % l->steps[i] || times > l->counts[i])
        continue;
      l->counts[i] += times * (l->counts[j] - 1);
      take_out(l, j);
      return 1;
    }
  return 0;
}

static uint64_t last_byte(const struct gp_lattice *l) {
  uint64_t last = l->base + l->width - 1;
  for (unsigned d = 0; d < l->dimensions; d++)
    last += l->steps[d] * (l->counts[d] - 1);
  return last;
}

/* The beginning and end become those of sectors, if all ranges lie alike in their sectors. */
static int align(struct gp_lattice *l) {
  for (unsigned d = 0; d < l->dimensions; d++)
    if (l->steps[d] % SECTOR)
      return 0;
  const uint64_t end = (l->base + l->width + SECTOR - 1) / SECTOR * SECTOR;
  l->base = l->base / SECTOR * SECTOR;
  l->width = end - l->base;
  return 1;
}

/* True if no two of its ranges touch one sector; it is aligned. */
static int is_apart(const struct gp_lattice *l) {
  uint64_t extent = l->width;
  for (unsigned d = 0; d < l->dimensions; d++) {
    if (l->steps[d] < extent)
      return 0;
    extent += l->steps[d] * (l->counts[d] - 1);
  }
  return 1;
}

static uint64_t points_of(const struct gp_lattice *l) {
  gp_wide points = 1;
  for (unsigned d = 0; d < l->dimensions && points <= (gp_wide)FARTHEST; d++)
    points *= l->counts[d];
  return points > (gp_wide)FARTHEST ? FARTHEST : (uint64_t)points;
}

/* Fewest dimensions, shortest step first, zeroes behind: equal sets mostly become equal lattices. Steps are positive. */
static void normalise(struct gp_lattice *l) {
  sort_steps(l);
  while (join_shortest(l) || join_progressions(l))
    ;
  align(l);
  for (unsigned d = l->dimensions; d < GP_LATTICE_DIMENSIONS; d++)
    l->steps[d] = l->counts[d] = 0;
}

/* ---- Fewer lattices ---- */

static int by_number(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_numbers(const uint64_t *a, const uint64_t *b, unsigned count) {
  int order = 0;
  for (unsigned i = 0; i < count && !order; i++)
    order = by_number(a[i], b[i]);
  return order;
}

/* Lattices that differ by their place alone, in the order of their places. */
static int by_shape(const void *left, const void *right) {
  const struct gp_lattice *a = left, *b = right;
  int order = by_number(a->dimensions, b->dimensions);
  if (!order)
    order = by_numbers(a->steps, b->steps, a->dimensions);
  if (!order)
    order = by_numbers(a->counts, b->counts, a->dimensions);
  return order ? order : by_number(a->base, b->base);
}

/* Joins ranges that overlap or lie side by side in each of equal periods. */
static int widen(struct gp_lattice *l, const struct gp_lattice *next) {
  if (l->dimensions != next->dimensions || by_numbers(l->steps, next->steps, l->dimensions) ||
      by_numbers(l->counts, next->counts, l->dimensions) || next->base > l->base + l->width)
    return 0;
  const uint64_t end = next->base + next->width;
  l->width = end > l->base + l->width ? end - l->base : l->width;
  return 1;
}

static uint64_t longest_step(const struct gp_lattice *l) { return l->dimensions ? l->steps[l->dimensions - 1] : 1; }

/* Lattices that differ by the number of their longest steps, and by whole such steps. */
static int by_length(const void *left, const void *right) {
  const struct gp_lattice *a = left, *b = right;
  int order = by_number(a->dimensions, b->dimensions);
  if (!order)
    order = by_numbers(a->steps, b->steps, a->dimensions);
  if (!order)
    order = by_number(a->width, b->width);
  if (!order && a->dimensions)
    order = by_numbers(a->counts, b->counts, a->dimensions - 1);
  if (!order)
    order = by_number(a->base % longest_step(a), b->base % longest_step(b));
  return order ? order : by_number(a->base, b->base);
}

/* Joins periods that overlap or follow. */
static int lengthen(struct gp_lattice *l, const struct gp_lattice *next) {
  const unsigned last = l->dimensions - 1;
  if (!l->dimensions || l->dimensions != next->dimensions || by_numbers(l->steps, next->steps, l->dimensions) ||
      l->width != next->width || by_numbers(l->counts, next->counts, last))
    return 0;
  const uint64_t distance = next->base - l->base, step = l->steps[last];
  if (distance % step || distance / step > l->counts[last])
    return 0;
  const uint64_t count = distance / step + next->counts[last];
  l->counts[last] = count > l->counts[last] ? count : l->counts[last];
  return 1;
}

static void join_neighbours(struct gp_sector_set *set, int (*order)(const void *, const void *),
                            int (*join)(struct gp_lattice *, const struct gp_lattice *)) {
  size_t kept = 0;
  if (set->count)
    qsort(set->lattices, set->count, sizeof *set->lattices, order);
  for (size_t i = 0; i < set->count; i++)
    if (!kept || !join(&set->lattices[kept - 1], &set->lattices[i]))
      set->lattices[kept++] = set->lattices[i];
  set->count = kept;
  for (size_t i = 0; i < kept; i++)
    normalise(&set->lattices[i]);
}

static void simplify(struct gp_sector_set *set) {
  size_t before;
  do {
    before = set->count;
    join_neighbours(set, by_shape, widen);
    join_neighbours(set, by_length, lengthen);
  } while (set->count < before);
}

static const char *make_room(struct gp_sector_set *set) {
  simplify(set);
  if (set->count < set->room / 2)
    return NULL;
  const size_t room = set->room ? 2 * set->room : 256;
  if (room > LATTICES_MAXIMUM)
    return too_many;
  struct gp_lattice *more = realloc(set->lattices, room * sizeof *more);
  if (!more)
    return no_memory;
  set->lattices = more;
  set->room = room;
  return NULL;
}

const char *gp_sector_set_add(struct gp_sector_set *set, struct gp_lattice l) {
  assert(l.width && l.dimensions <= GP_LATTICE_DIMENSIONS);
  if (!make_positive(&l))
    return "their addresses wrap around";
  normalise(&l);
  if (last_byte(&l) < l.base)
    return "their addresses wrap around";
  if (set->count && !memcmp(&set->lattices[set->count - 1], &l, sizeof l))
    return NULL;
  const char *why = set->count == set->room ? make_room(set) : NULL;
  if (!why)
    set->lattices[set->count++] = l;
  return why;
}

/* ---- Ranges of sectors ---- */

struct range {
  uint64_t first, end; /* in bytes, multiples of 32 */
};

static int by_first(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  return by_number(a->first, b->first);
}

static uint64_t bytes_of_ranges(struct range *ranges, size_t count) {
  uint64_t bytes = 0, end = 0;
  qsort(ranges, count, sizeof *ranges, by_first);
  for (size_t i = 0; i < count; i++) {
    const uint64_t from = ranges[i].first > end || !i ? ranges[i].first : end;
    if (ranges[i].end > from) {
      bytes += ranges[i].end - from;
      end = ranges[i].end;
    }
  }
  return bytes;
}

/* Writes out the ranges of a lattice, the ones with the shortest step in a row. */
static struct range *write_out(const struct gp_lattice *l, struct range *to) {
  uint64_t at[GP_LATTICE_DIMENSIONS] = {0}, address = l->base;
  for (;;) {
    *to++ = (struct range){address / SECTOR * SECTOR, (address + l->width + SECTOR - 1) / SECTOR * SECTOR};
    unsigned d = 0;
    for (; d < l->dimensions && ++at[d] == l->counts[d]; d++) {
      address -= l->steps[d] * (l->counts[d] - 1);
      at[d] = 0;
    }
    if (d == l->dimensions)
      return to;
    address += l->steps[d];
  }
}

static int is_aligned(const struct gp_lattice *l) {
  int aligned = l->base % SECTOR == 0 && l->width % SECTOR == 0;
  for (unsigned d = 0; d < l->dimensions; d++)
    aligned &= l->steps[d] % SECTOR == 0;
  return aligned;
}

/* ---- Lattices that may touch the same sectors ---- */

/* Lattices of equal steps whose ranges lie within one period: the ranges of one period, times the periods. */
static int is_periodic(const struct gp_lattice *group, size_t count) {
  const struct gp_lattice *first = group;
  struct gp_lattice period = *first;
  uint64_t end = first->base;
  for (size_t i = 0; i < count; i++) {
    const struct gp_lattice *l = &group[i];
    if (!is_aligned(l) || l->dimensions != first->dimensions || memcmp(l->steps, first->steps, sizeof l->steps) ||
        memcmp(l->counts, first->counts, sizeof l->counts))
      return 0;
    end = l->base + l->width > end ? l->base + l->width : end;
  }
  period.width = end - first->base;
  return is_apart(&period);
}

static const char *bytes_of_group(const struct gp_lattice *group, size_t count, uint64_t *ranges_left, uint64_t *bytes) {
  const int periodic = is_periodic(group, count);
  uint64_t length = 0;
  for (size_t i = 0; i < count && length <= *ranges_left; i++)
    length += periodic ? 1 : points_of(&group[i]);
  if (length > *ranges_left || length > RANGES_MAXIMUM)
    return too_many;
  *ranges_left -= length;
  struct range *ranges = malloc(length * sizeof *ranges), *to = ranges;
  if (!ranges)
    return no_memory;
  for (size_t i = 0; i < count; i++) {
    struct gp_lattice one = group[i];
    one.dimensions = periodic ? 0 : one.dimensions;
    to = write_out(&one, to);
  }
  *bytes += bytes_of_ranges(ranges, length) * (periodic ? points_of(group) : 1);
  free(ranges);
  return NULL;
}

/* Single ranges first: they may cover the others. */
static int by_base(const void *left, const void *right) {
  const struct gp_lattice *a = left, *b = right;
  if (a->base != b->base)
    return by_number(a->base, b->base);
  return !b->dimensions - !a->dimensions;
}

/* Lattices within a single range that was seen before. */
static void take_out_covered(struct gp_sector_set *set) {
  size_t kept = 0;
  uint64_t begin = 1, end = 0; /* the range that reaches farthest */
  for (size_t i = 0; i < set->count; i++) {
    const struct gp_lattice l = set->lattices[i];
    if (l.base >= begin && last_byte(&l) < end)
      continue;
    if (!l.dimensions && (l.base > end || l.base < begin || begin > end)) {
      begin = l.base;
      end = last_byte(&l) + 1;
    } else if (!l.dimensions) {
      end = last_byte(&l) + 1 > end ? last_byte(&l) + 1 : end;
    }
    set->lattices[kept++] = l;
  }
  set->count = kept;
}

const char *gp_sector_set_bytes(struct gp_sector_set *set, uint64_t *ranges, uint64_t *bytes) {
  const char *why = NULL;
  *bytes = 0;
  simplify(set);
  if (set->count)
    qsort(set->lattices, set->count, sizeof *set->lattices, by_base);
  take_out_covered(set);
  for (size_t i = 0, next; i < set->count && !why; i = next) {
    uint64_t last = last_byte(&set->lattices[i]) | (SECTOR - 1);
    for (next = i + 1; next < set->count && set->lattices[next].base <= last; next++) {
      const uint64_t its = last_byte(&set->lattices[next]) | (SECTOR - 1);
      last = its > last ? its : last;
    }
    why = bytes_of_group(&set->lattices[i], next - i, ranges, bytes);
  }
  return why;
}

void gp_sector_set_free(struct gp_sector_set *set) { free(set->lattices); }
