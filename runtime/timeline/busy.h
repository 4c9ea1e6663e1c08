/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The union of intervals of work in bounded memory: when something worked, when two streams did, and the gaps
 * between. Intervals may come in any order. Beyond GP_BUSY_SEGMENTS segments the older half is added up and
 * closed: the part of a later interval before that point is left out, and its length is stated (`late_ns`).
 * The caller locks.
 */
#ifndef GP_BUSY_H
#define GP_BUSY_H

#include <stddef.h>
#include <stdint.h>

#define GP_BUSY_SEGMENTS (1u << 15)
#define GP_BUSY_GAPS 8 /* the longest ones kept */

#define GP_BUSY_SEVERAL UINT32_MAX /* a segment of two or more streams */

/* Segments touch, if their streams differ, and never overlap. */
struct gp_busy_segment {
  uint64_t start, end;
  uint32_t stream;
};

struct gp_gap {
  uint64_t start, length;
};

struct gp_busy_gaps {
  uint64_t count, total;
  size_t kept;
  struct gp_gap longest[GP_BUSY_GAPS]; /* the longest first */
};

/* All zero: empty. */
struct gp_busy {
  struct gp_busy_segment *segments;
  uint32_t count, capacity, most; /* most: the bound; 0: GP_BUSY_SEGMENTS */
  uint64_t intervals, first, closed_until;
  uint64_t busy_ns, several_ns, late_ns; /* of closed segments; late_ns: left out */
  struct gp_busy_gaps gaps;              /* of closed segments */
};

/* The work of `stream` (any number but GP_BUSY_SEVERAL) from start to end. */
void gp_busy_add(struct gp_busy *busy, uint64_t start, uint64_t end, uint32_t stream);

struct gp_busy_sums {
  uint64_t intervals, first, last; /* last: the end of the last one */
  uint64_t busy_ns, several_ns, late_ns;
  struct gp_busy_gaps gaps;
};
/* Of all intervals so far. */
struct gp_busy_sums gp_busy_sums(const struct gp_busy *busy);

void gp_busy_free(struct gp_busy *busy);

#endif
