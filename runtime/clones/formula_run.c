// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The threads of a launch form a box: dimensions are the thread and block numbers read by the formula. Each value is an
 * affine function of the box's coordinates, exact modulo 2^width. The program runs once for the whole box. Where an
 * instruction has no such function as result, the box is cut into smaller ones, and each runs on from there. */
#include "clones/formula_run.h"

#include "clones/formula_compute.h"
#include "sheet/sheet.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_MAXIMUM (4u << 20) /* bytes of boxes put off */

/* Of a box being run: rows[d + 1][value] is c[d] of a value, rows[0][value] its c0; each a signed number of its width. */
struct state {
  struct gp_box box;
  uint32_t step, block, from; /* next instruction; its block, and the block before */
  int64_t *rows;
};

/* Parts of a box put off: those of dimension d between bounds[part] and bounds[part + 1] - 1. */
struct frame {
  struct state state;
  unsigned dimension, part, parts;
  int64_t bounds[4];
};

/* AGAIN: the box has changed, and the instruction is to be repeated */
enum outcome { DONE, AGAIN, FAILED };

struct run {
  const struct gp_formula *formula;
  const struct gp_launch *launch;
  struct gp_formula_sink *sink;
  struct state now;
  struct frame frames[256];
  size_t frame_count, memory;
  uint64_t weight; /* threads for each point of a box */
  unsigned register_of[GP_REGISTER_ntid_x]; /* of each dimension, at the beginning */
  int64_t *phis; /* room for the new values of a block's phis */
};

static gp_wide two_to(unsigned exponent) { return (gp_wide)1 << exponent; }

/* ---- Values ---- */

/* Behind the formula's values are those of the registers that vary: they change with the dimensions, too. */
static size_t columns(const struct run *r) { return r->formula->value_count + GP_REGISTER_ntid_x; }

static unsigned width_of(const struct run *r, size_t column) {
  return column < r->formula->value_count ? r->formula->widths[column] : 64;
}

static int64_t *row(const struct run *r, unsigned row) { return r->now.rows + row * columns(r); }

static inline struct gp_affine load(const struct run *r, const struct gp_formula_operand *operand, unsigned width) {
  if (operand->value == GP_NONE)
    return gp_constant(gp_reduce(operand->constant, width), &r->now.box);
  struct gp_affine a;
  a.c0 = row(r, 0)[operand->value];
  for (unsigned d = 0; d < r->now.box.dimensions; d++)
    a.c[d] = row(r, d + 1)[operand->value];
  return a;
}

static void store(struct run *r, uint32_t value, const struct gp_affine *a) {
  const unsigned width = r->formula->widths[value];
  row(r, 0)[value] = gp_reduce(a->c0, width);
  for (unsigned d = 0; d < r->now.box.dimensions; d++)
    row(r, d + 1)[value] = gp_reduce(a->c[d], width);
}

/* True if an operand is the same for the whole box. */
static int is_same(const struct run *r, const struct gp_formula_operand *operand, unsigned width, int64_t *number) {
  *number = operand->value == GP_NONE ? gp_reduce(operand->constant, width) : row(r, 0)[operand->value];
  for (unsigned d = 0; operand->value != GP_NONE && d < r->now.box.dimensions; d++)
    if (row(r, d + 1)[operand->value])
      return 0;
  return 1;
}

/* ---- Cutting the box ---- */

static size_t rows_bytes(const struct run *r, unsigned dimensions) {
  return (dimensions + 1) * columns(r) * sizeof(int64_t);
}

/* Goes on with the first of the parts of a dimension: [bounds[i], bounds[i + 1]). Empty parts are left out. */
static enum outcome cut(struct run *r, unsigned d, const int64_t bounds[4]) {
  struct frame frame = {.state = r->now, .dimension = d};
  frame.bounds[0] = bounds[0];
  for (unsigned i = 0; i < 3; i++)
    if (bounds[i + 1] > frame.bounds[frame.parts])
      frame.bounds[++frame.parts] = bounds[i + 1];
  const size_t bytes = rows_bytes(r, r->now.box.dimensions);
  if (frame.parts < 2 || r->frame_count == sizeof r->frames / sizeof *r->frames || r->memory + bytes > MEMORY_MAXIMUM ||
      !(frame.state.rows = malloc(bytes)))
    return FAILED;
  memcpy(frame.state.rows, r->now.rows, bytes);
  r->memory += bytes;
  r->sink->steps += bytes / 256;
  frame.part = 1;
  r->now.box.high[d] = frame.bounds[1] - 1;
  r->frames[r->frame_count++] = frame;
  return AGAIN;
}

static enum outcome cut_in_two(struct run *r, unsigned d, int64_t second) {
  const struct gp_box *box = &r->now.box;
  return cut(r, d, (const int64_t[]){box->low[d], second, box->high[d] + 1, box->high[d] + 1});
}

/* Where a number changes its sign along a dimension: below `begin` and from `end` on it is the same for all others. */
struct change {
  unsigned dimension;
  int64_t begin, end;
};

static struct change change_along(unsigned d, const struct gp_affine *a, const struct gp_box *box, gp_wide low, gp_wide high) {
  const gp_wide c = a->c[d] < 0 ? -a->c[d] : a->c[d], first = box->low[d], behind = (gp_wide)box->high[d] + 1;
  /* of the number without this dimension */
  const gp_wide rest_low = low - (a->c[d] > 0 ? c * first : -c * (behind - 1));
  const gp_wide rest_high = high - (a->c[d] > 0 ? c * (behind - 1) : -c * first);
  gp_wide begin = a->c[d] > 0 ? gp_floor_of(-1 - rest_high, c) + 1 : gp_floor_of(rest_low, c) + 1;
  gp_wide end = a->c[d] > 0 ? -gp_floor_of(rest_low, c) : gp_floor_of(rest_high, c) + 1;
  begin = begin < first ? first : begin > behind ? behind : begin;
  end = end < begin ? begin : end > behind ? behind : end;
  return (struct change){d, (int64_t)begin, (int64_t)end};
}

/* Separates the threads where a is negative from the others; both exist. In between there may be a part of both kinds. */
static enum outcome cut_at_zero(struct run *r, const struct gp_affine *a) {
  const struct gp_box *box = &r->now.box;
  const gp_wide low = gp_least(a, box), high = gp_most(a, box);
  struct change best = {.dimension = GP_BOX_DIMENSIONS};
  unsigned shortest = GP_BOX_DIMENSIONS;
  for (unsigned d = 0; d < box->dimensions; d++) {
    const int64_t length = box->high[d] - box->low[d];
    if (!a->c[d] || !length)
      continue;
    const struct change change = change_along(d, a, box, low, high);
    if (change.end - change.begin <= length && (best.dimension == GP_BOX_DIMENSIONS || change.end - change.begin < best.end - best.begin))
      best = change;
    if (shortest == GP_BOX_DIMENSIONS || length < box->high[shortest] - box->low[shortest])
      shortest = d;
  }
  if (best.dimension < GP_BOX_DIMENSIONS)
    return cut(r, best.dimension,
               (const int64_t[]){box->low[best.dimension], best.begin, best.end, box->high[best.dimension] + 1});
  return shortest == GP_BOX_DIMENSIONS ? FAILED : cut_in_two(r, shortest, box->low[shortest] + 1);
}

/* Takes one coordinate of an operand by itself, so that the operand becomes a constant in the end. */
static enum outcome enumerate(struct run *r, const struct gp_affine *a) {
  const struct gp_box *box = &r->now.box;
  gp_wide points = 1;
  unsigned shortest = GP_BOX_DIMENSIONS;
  for (unsigned d = 0; d < box->dimensions; d++)
    if (a->c[d] && box->low[d] < box->high[d]) {
      if ((points *= (gp_wide)box->high[d] - box->low[d] + 1) > r->sink->points_maximum)
        return FAILED;
      if (shortest == GP_BOX_DIMENSIONS || box->high[d] - box->low[d] < box->high[shortest] - box->low[shortest])
        shortest = d;
    }
  return shortest == GP_BOX_DIMENSIONS ? FAILED : cut_in_two(r, shortest, box->low[shortest] + 1);
}

/* Coordinates of a single value are part of c0. */
static void fold(const struct run *r, struct gp_affine *a) {
  const struct gp_box *box = &r->now.box;
  for (unsigned d = 0; d < box->dimensions; d++)
    if (box->low[d] == box->high[d]) {
      a->c0 += a->c[d] * box->low[d];
      a->c[d] = 0;
    }
}

/* The number itself, as read by an unsigned or a signed instruction, not only modulo 2^width. */
static enum outcome as_number(struct run *r, struct gp_affine *a, unsigned width, int is_signed) {
  fold(r, a);
  const gp_wide period = two_to(width), offset = is_signed ? period / 2 : 0;
  const gp_wide turn = (gp_least(a, &r->now.box) + offset) >> width; /* rounds down */
  if ((gp_most(a, &r->now.box) + offset) >> width == turn) {
    a->c0 -= turn * period;
    return DONE;
  }
  struct gp_affine above = *a;
  above.c0 -= (turn + 1) * period - offset;
  return cut_at_zero(r, &above);
}

/* ---- Division ---- */

/* x[d] becomes low + high - x[d]. */
static void mirror(struct run *r, unsigned d) {
  const int64_t ends = r->now.box.low[d] + r->now.box.high[d];
  for (size_t v = 0; v < columns(r); v++) {
    int64_t *c = &row(r, d + 1)[v], *c0 = &row(r, 0)[v];
    *c0 = gp_reduce((gp_wide)*c0 + (gp_wide)*c * ends, width_of(r, v));
    *c = gp_reduce(-(gp_wide)*c, width_of(r, v));
  }
  r->sink->steps += r->formula->value_count / 16;
}

/* x[d] becomes tile·x[new] - shift + x[d], with the new x[d] in [0, tile). */
static enum outcome divide_dimension(struct run *r, unsigned d, int64_t tile, int64_t shift) {
  struct gp_box *box = &r->now.box;
  const unsigned added = box->dimensions;
  if (added == GP_BOX_DIMENSIONS)
    return FAILED;
  box->dimensions++;
  box->low[added] = (box->low[d] + shift) / tile;
  box->high[added] = (box->high[d] + shift) / tile;
  box->low[d] = 0;
  box->high[d] = tile - 1;
  for (size_t v = 0; v < columns(r); v++) {
    const int64_t c = row(r, d + 1)[v];
    row(r, added + 1)[v] = gp_reduce((gp_wide)c * tile, width_of(r, v));
    row(r, 0)[v] = gp_reduce((gp_wide)row(r, 0)[v] - (gp_wide)c * shift, width_of(r, v));
  }
  r->sink->steps += r->formula->value_count / 16;
  return AGAIN;
}

/* floor((b0 + b·x[d]) / by) with a b dividing `by`: x[d] counts through tiles of equal quotients. */
static enum outcome cut_into_tiles(struct run *r, unsigned d, gp_wide b0, gp_wide b, gp_wide by) {
  const struct gp_box *box = &r->now.box;
  const gp_wide tile = by / b, shift = gp_floor_of(b0, b), low = box->low[d] + shift, high = box->high[d] + shift;
  const gp_wide first = low % tile ? (low / tile + 1) * tile - shift : box->low[d]; /* of the first whole tile */
  const gp_wide end = (high + 1) / tile * tile - shift;                             /* behind the last one */
  if (first > box->low[d] || end <= box->high[d]) {
    const gp_wide begin = first < end ? first : first <= box->high[d] ? first : end;
    return cut(r, d, (const int64_t[]){box->low[d], (int64_t)begin, (int64_t)(end > begin ? end : begin), box->high[d] + 1});
  }
  return divide_dimension(r, d, (int64_t)tile, (int64_t)shift);
}

/* a becomes floor(a / by), for by > 0. */
static enum outcome floor_divide(struct run *r, struct gp_affine *a, gp_wide by) {
  const struct gp_box *box = &r->now.box;
  struct gp_affine quotient, rest;
  unsigned parts = 0, part = 0;
  for (unsigned d = 0; d < box->dimensions; d++) {
    quotient.c[d] = gp_floor_of(2 * a->c[d] + by - 1, 2 * by); /* the nearest: |rest| is at most by / 2 */
    rest.c[d] = a->c[d] - quotient.c[d] * by;
    if (rest.c[d]) {
      parts++;
      part = d;
    }
  }
  quotient.c0 = gp_floor_of(a->c0, by);
  rest.c0 = a->c0 - quotient.c0 * by;
  const gp_wide low = gp_floor_of(gp_least(&rest, box), by), high = gp_floor_of(gp_most(&rest, box), by);
  if (low == high) {
    quotient.c0 += low;
    *a = quotient;
    return DONE;
  }
  const gp_wide c = rest.c[part];
  if (parts == 1 && high - low > 1 && by % c == 0 && by < INT64_MAX) {
    if (c < 0) {
      mirror(r, part);
      return AGAIN;
    }
    rest.c0 -= gp_floor_of(rest.c0 + c * box->low[part], by) * by; /* quotients of tiles begin at 0 */
    return cut_into_tiles(r, part, rest.c0, c, by);
  }
  struct gp_affine above = rest;
  above.c0 -= by * gp_floor_of(low + high + 1, 2);
  return cut_at_zero(r, &above);
}

/* ---- Operations ---- */

/* Whether a is below b, as a constant. */
static enum outcome is_below(struct run *r, struct gp_affine a, struct gp_affine b, unsigned width, int is_signed, int *below) {
  enum outcome outcome = as_number(r, &a, width, is_signed);
  if (!outcome)
    outcome = as_number(r, &b, width, is_signed);
  if (outcome)
    return outcome;
  const struct gp_box *box = &r->now.box;
  const struct gp_affine difference = gp_sum(&a, &b, -1, box);
  *below = gp_most(&difference, box) < 0;
  return *below || gp_least(&difference, box) >= 0 ? DONE : cut_at_zero(r, &difference);
}

static gp_wide divisor_of_all(const struct gp_affine *a, const struct gp_box *box) {
  gp_wide divisor = 0;
  for (unsigned d = 0; d < box->dimensions; d++)
    for (gp_wide next = a->c[d] < 0 ? -a->c[d] : a->c[d]; next;) {
      const gp_wide rest = divisor % next;
      divisor = next;
      next = rest;
    }
  return divisor;
}

static enum outcome are_equal(struct run *r, struct gp_affine a, struct gp_affine b, unsigned width, int *equal) {
  enum outcome outcome = as_number(r, &a, width, 0);
  if (!outcome)
    outcome = as_number(r, &b, width, 0);
  if (outcome)
    return outcome;
  const struct gp_box *box = &r->now.box;
  struct gp_affine difference = gp_sum(&a, &b, -1, box);
  const gp_wide low = gp_least(&difference, box), high = gp_most(&difference, box);
  const gp_wide step = divisor_of_all(&difference, box);
  *equal = !low && !high;
  if (*equal || low > 0 || high < 0 || (step && difference.c0 % step))
    return DONE;
  difference.c0 -= low == 0;
  return cut_at_zero(r, &difference);
}

static enum outcome multiply(struct run *r, struct gp_affine *a, const struct gp_affine *b) {
  const struct gp_box *box = &r->now.box;
  if (!gp_is_constant(b, box))
    return gp_is_constant(a, box) ? FAILED : enumerate(r, b); /* the caller has put constants behind */
  const gp_wide factor = (int64_t)b->c0;
  a->c0 = (int64_t)((uint64_t)a->c0 * (uint64_t)factor);
  for (unsigned d = 0; d < box->dimensions; d++)
    a->c[d] = (int64_t)((uint64_t)a->c[d] * (uint64_t)factor);
  return DONE;
}

/* a becomes its remainder of `by`, at least 0. */
static enum outcome remainder_of(struct run *r, struct gp_affine *a, gp_wide by) {
  struct gp_affine quotient = *a;
  const enum outcome outcome = floor_divide(r, &quotient, by);
  if (!outcome)
    *a = gp_sum(a, &quotient, -by, &r->now.box);
  return outcome;
}

static enum outcome divide_unsigned(struct run *r, struct gp_affine *a, struct gp_affine b, unsigned width, int wants_rest) {
  enum outcome outcome = as_number(r, &b, width, 0);
  if (!outcome && !gp_is_constant(&b, &r->now.box))
    return enumerate(r, &b);
  if (!outcome && !b.c0)
    return FAILED;
  if (!outcome)
    outcome = as_number(r, a, width, 0);
  if (outcome)
    return outcome;
  return wants_rest ? remainder_of(r, a, b.c0) : floor_divide(r, a, b.c0);
}

/* Towards zero. */
static enum outcome divide_signed(struct run *r, struct gp_affine *a, struct gp_affine b, unsigned width, int wants_rest) {
  const struct gp_affine dividend = *a;
  enum outcome outcome = as_number(r, &b, width, 1);
  if (!outcome && !gp_is_constant(&b, &r->now.box))
    return enumerate(r, &b);
  if (!outcome && b.c0 <= 0)
    return FAILED; /* quotients of negative numbers are too rare */
  if (!outcome)
    outcome = as_number(r, a, width, 1);
  if (outcome)
    return outcome;
  struct gp_box *box = &r->now.box;
  const struct gp_affine number = *a, zero = gp_constant(0, &r->now.box);
  if (gp_least(&number, box) < 0 && gp_most(&number, box) >= 0)
    return cut_at_zero(r, &number);
  const int is_negative = gp_most(&number, box) < 0;
  if (is_negative)
    *a = gp_sum(&zero, &number, -1, box);
  if ((outcome = floor_divide(r, a, b.c0))) {
    *a = dividend;
    return outcome;
  }
  if (is_negative)
    *a = gp_sum(&zero, a, -1, box);
  if (wants_rest)
    *a = gp_sum(&number, a, -b.c0, box);
  return DONE;
}

/* a becomes a & bits: for each run of ones, the remainder of its end without that of its beginning. */
static enum outcome mask(struct run *r, struct gp_affine *a, uint64_t bits, unsigned width) {
  struct gp_affine masked = gp_constant(0, &r->now.box);
  enum outcome outcome = as_number(r, a, width, 0);
  while (bits && !outcome) {
    const uint64_t begin = bits & -bits, carried = bits + begin, end = gp_low_bits((gp_wide)(carried & -carried), width);
    struct gp_affine upper = *a, lower = *a;
    if (end)
      outcome = remainder_of(r, &upper, end);
    if (!outcome)
      outcome = remainder_of(r, &lower, begin);
    upper = gp_sum(&upper, &lower, -1, &r->now.box);
    masked = gp_sum(&masked, &upper, 1, &r->now.box);
    bits &= carried;
  }
  *a = masked;
  return outcome;
}

static enum outcome bitwise(struct run *r, unsigned code, struct gp_affine *a, const struct gp_affine *b, unsigned width) {
  const struct gp_box *box = &r->now.box;
  if (gp_is_constant(a, box) && gp_is_constant(b, box)) {
    const int64_t x = (int64_t)a->c0, y = (int64_t)b->c0;
    *a = gp_constant(code == GP_FORMULA_and ? x & y : code == GP_FORMULA_or ? x | y : x ^ y, &r->now.box);
    return DONE;
  }
  if (!gp_is_constant(b, box))
    return enumerate(r, b);
  const uint64_t bits = gp_low_bits(b->c0, width), all = gp_low_bits(-1, width);
  if (code == GP_FORMULA_and)
    return mask(r, a, bits, width);
  if (code == GP_FORMULA_xor && bits == all) {
    const struct gp_affine ones = gp_constant(-1, &r->now.box);
    *a = gp_sum(&ones, a, -1, box);
    return DONE;
  }
  if (!bits)
    return DONE;
  /* a | b = (a & ~b) + b, and a ^ b = a + b - 2·(a & b) */
  struct gp_affine some = *a;
  const enum outcome outcome = mask(r, &some, code == GP_FORMULA_or ? all & ~bits : bits, width);
  if (outcome)
    return outcome;
  *a = code == GP_FORMULA_or ? gp_sum(&some, b, 1, box) : gp_sum(a, &some, -2, box);
  if (code == GP_FORMULA_xor)
    *a = gp_sum(a, b, 1, box);
  return DONE;
}

static enum outcome shift(struct run *r, unsigned code, struct gp_affine *a, struct gp_affine b, unsigned width) {
  enum outcome outcome = as_number(r, &b, width, 0);
  if (!outcome && !gp_is_constant(&b, &r->now.box))
    return enumerate(r, &b);
  if (!outcome && b.c0 >= width)
    return FAILED;
  if (outcome)
    return outcome;
  const struct gp_affine factor = gp_constant(two_to((unsigned)b.c0), &r->now.box);
  if (code == GP_FORMULA_shl)
    return multiply(r, a, &factor);
  outcome = as_number(r, a, width, code == GP_FORMULA_ashr);
  return outcome ? outcome : floor_divide(r, a, factor.c0);
}

static enum outcome extreme(struct run *r, unsigned code, struct gp_affine *a, const struct gp_affine *b, unsigned width) {
  int below = 0;
  const int is_signed = code == GP_FORMULA_smin || code == GP_FORMULA_smax;
  const int wants_least = code == GP_FORMULA_umin || code == GP_FORMULA_smin;
  const enum outcome outcome = is_below(r, *a, *b, width, is_signed, &below);
  if (!outcome && below != wants_least)
    *a = *b;
  return outcome;
}

static enum outcome convert(struct run *r, unsigned code, struct gp_affine *a, unsigned from, unsigned width) {
  if (code != GP_FORMULA_trunc)
    return as_number(r, a, from, code == GP_FORMULA_sext);
  return width == 1 ? mask(r, a, 1, from) : DONE; /* a condition should be one of few numbers */
}

/* A condition as a constant. */
static enum outcome decide(struct run *r, const struct gp_formula_operand *operand, int *holds) {
  int64_t number;
  if (is_same(r, operand, 1, &number)) {
    *holds = number & 1;
    return DONE;
  }
  return are_equal(r, load(r, operand, 1), gp_constant(1, &r->now.box), 1, holds);
}

static void swap_constant_behind(struct gp_affine *a, struct gp_affine *b, const struct gp_box *box) {
  if (gp_is_constant(a, box)) {
    const struct gp_affine first = *a;
    *a = *b;
    *b = first;
  }
}

static enum outcome compare(struct run *r, unsigned code, struct gp_affine *a, const struct gp_affine *b, unsigned width) {
  int holds = 0;
  const enum outcome outcome = code == GP_FORMULA_eq ? are_equal(r, *a, *b, width, &holds)
                                                     : is_below(r, *a, *b, width, code == GP_FORMULA_slt, &holds);
  *a = gp_constant(holds, &r->now.box);
  return outcome;
}

/* a becomes the result. */
static enum outcome apply(struct run *r, const struct gp_formula_step *step, struct gp_affine *a, struct gp_affine *b) {
  const struct gp_box *box = &r->now.box;
  const unsigned width = step->width;
  switch (step->code) {
  case GP_FORMULA_add:
  case GP_FORMULA_sub:
    *a = gp_sum(a, b, step->code == GP_FORMULA_add ? 1 : -1, box);
    return DONE;
  case GP_FORMULA_mul:
    swap_constant_behind(a, b, box);
    return multiply(r, a, b);
  case GP_FORMULA_and:
  case GP_FORMULA_or:
  case GP_FORMULA_xor:
    swap_constant_behind(a, b, box);
    return bitwise(r, step->code, a, b, width);
  case GP_FORMULA_shl:
  case GP_FORMULA_lshr:
  case GP_FORMULA_ashr:
    return shift(r, step->code, a, *b, width);
  case GP_FORMULA_udiv:
  case GP_FORMULA_urem:
    return divide_unsigned(r, a, *b, width, step->code == GP_FORMULA_urem);
  case GP_FORMULA_sdiv:
  case GP_FORMULA_srem:
    return divide_signed(r, a, *b, width, step->code == GP_FORMULA_srem);
  case GP_FORMULA_eq:
  case GP_FORMULA_ult:
  case GP_FORMULA_slt:
    return compare(r, step->code, a, b, width);
  case GP_FORMULA_zext:
  case GP_FORMULA_sext:
  case GP_FORMULA_trunc:
    return convert(r, step->code, a, r->formula->widths[r->formula->operands[step->first].value], width);
  default:
    return extreme(r, step->code, a, b, width);
  }
}

static enum outcome choose_value(struct run *r, const struct gp_formula_step *step) {
  const struct gp_formula_operand *operands = r->formula->operands + step->first;
  int holds = 0;
  const enum outcome outcome = decide(r, operands, &holds);
  if (!outcome) {
    const struct gp_affine a = load(r, &operands[holds ? 1 : 2], step->width);
    store(r, step->result, &a);
  }
  return outcome;
}

static enum outcome operate(struct run *r, const struct gp_formula_step *step) {
  const struct gp_formula_operand *operands = r->formula->operands + step->first;
  int64_t x, y = 0, result = 0;
  if (is_same(r, operands, step->width, &x) && (step->operands < 2 || is_same(r, operands + 1, step->width, &y))) {
    const unsigned from = operands->value == GP_NONE ? step->width : r->formula->widths[operands->value];
    if (!gp_formula_compute(step->code, step->width, from, x, y, &result))
      return FAILED;
    const struct gp_affine number = gp_constant(result, &r->now.box);
    store(r, step->result, &number);
    return DONE;
  }
  struct gp_affine a = load(r, operands, step->width), b = step->operands > 1 ? load(r, operands + 1, step->width) : gp_constant(0, &r->now.box);
  fold(r, &a);
  fold(r, &b);
  const enum outcome outcome = apply(r, step, &a, &b);
  if (!outcome)
    store(r, step->result, &a);
  return outcome;
}

/* ---- The launch ---- */

static uint32_t extent(const struct gp_launch *launch, unsigned reg) {
  return reg < GP_REGISTER_ctaid_x ? launch->block[reg] : launch->grid[reg - GP_REGISTER_ctaid_x];
}

static struct gp_affine coordinate(const struct run *r, unsigned reg) {
  struct gp_affine a;
  a.c0 = row(r, 0)[r->formula->value_count + reg];
  for (unsigned d = 0; d < r->now.box.dimensions; d++)
    a.c[d] = row(r, d + 1)[r->formula->value_count + reg];
  return a;
}

static enum outcome read_register(struct run *r, const struct gp_formula_step *step) {
  const struct gp_launch *launch = r->launch;
  struct gp_affine a;
  if (step->index < GP_REGISTER_ntid_x) {
    a = coordinate(r, step->index);
  } else if (step->index < GP_REGISTER_nctaid_x) {
    a = gp_constant(launch->block[step->index - GP_REGISTER_ntid_x], &r->now.box);
  } else if (step->index < GP_REGISTER_laneid) {
    a = gp_constant(launch->grid[step->index - GP_REGISTER_nctaid_x], &r->now.box);
  } else { /* the thread's number in its block, modulo 32 */
    const struct gp_affine x = coordinate(r, GP_REGISTER_tid_x), y = coordinate(r, GP_REGISTER_tid_y), z = coordinate(r, GP_REGISTER_tid_z);
    a = gp_sum(&x, &y, launch->block[0], &r->now.box);
    a = gp_sum(&a, &z, (gp_wide)launch->block[0] * launch->block[1], &r->now.box);
    const enum outcome outcome = remainder_of(r, &a, 32);
    if (outcome)
      return outcome;
  }
  store(r, step->result, &a);
  return DONE;
}

static void read_parameter(struct run *r, const struct gp_formula_step *step) {
  int64_t number = 0;
  memcpy(&number, (const char *)r->launch->arguments[step->index] + step->offset, (step->width + 7u) / 8);
  const struct gp_affine a = gp_constant(gp_reduce(number, step->width), &r->now.box);
  store(r, step->result, &a);
}

static enum outcome count(struct run *r, const struct gp_formula_step *step) {
  const struct gp_affine number = load(r, r->formula->operands + step->first, 64);
  return r->sink->count && r->sink->count(r->sink, step->index, &number, &r->now.box, r->weight) ? DONE : FAILED;
}

/* Dimensions that change the number of ranges and not their place only matter where the number is largest: ranges of a
 * smaller number are among them. */
static void take_most(struct gp_affine *turns, const struct gp_affine *address, const struct gp_box *box) {
  for (unsigned d = 0; d < box->dimensions; d++)
    if (!address->c[d]) {
      turns->c0 += turns->c[d] * (turns->c[d] > 0 ? box->high[d] : box->low[d]);
      turns->c[d] = 0;
    }
}

static enum outcome mark(struct run *r, const struct gp_formula_step *step) {
  enum { ADDRESS, DISTANCE, TURNS, BYTES };
  struct gp_affine numbers[4];
  for (unsigned i = 0; i < 4; i++) {
    numbers[i] = load(r, r->formula->operands + step->first + i, 64);
    fold(r, &numbers[i]);
  }
  const struct gp_box *box = &r->now.box;
  if (gp_least(&numbers[TURNS], box) >= 0)
    take_most(&numbers[TURNS], &numbers[ADDRESS], box);
  for (unsigned i = DISTANCE; i <= BYTES; i++)
    if (!gp_is_constant(&numbers[i], box))
      return enumerate(r, &numbers[i]);
  const struct gp_formula_mark range = {&numbers[ADDRESS], (int64_t)numbers[DISTANCE].c0, (int64_t)numbers[TURNS].c0,
                                        (int64_t)numbers[BYTES].c0};
  if (range.turns < 0 || range.bytes < 0)
    return FAILED;
  return !range.turns || !range.bytes || (r->sink->mark && r->sink->mark(r->sink, &range, box)) ? DONE : FAILED;
}

/* The operand of a phi for the block before, or null. */
static const struct gp_formula_operand *incoming(const struct run *r, const struct gp_formula_step *phi) {
  const struct gp_formula_operand *operands = r->formula->operands + phi->first;
  for (uint32_t n = 0; n < phi->operands; n += 2)
    if (operands[n].constant == r->now.block)
      return &operands[n + 1];
  return NULL;
}

/* All phis of a block get their values at once. */
static enum outcome enter(struct run *r, uint32_t block) {
  const struct gp_formula_step *phis = r->formula->steps + r->formula->blocks[block];
  const unsigned rows = r->now.box.dimensions + 1;
  uint32_t count = 0;
  for (; phis[count].code == GP_FORMULA_PHI; count++) {
    const struct gp_formula_operand *operand = incoming(r, &phis[count]);
    if (!operand)
      return FAILED;
    int64_t *to = r->phis + (size_t)count * rows;
    for (unsigned i = 0; i < rows; i++)
      to[i] = operand->value != GP_NONE ? row(r, i)[operand->value] : i ? 0 : gp_reduce(operand->constant, phis[count].width);
  }
  for (uint32_t i = 0; i < count; i++)
    for (unsigned n = 0; n < rows; n++)
      row(r, n)[phis[i].result] = r->phis[(size_t)i * rows + n];
  r->sink->steps += count;
  r->now.block = block;
  r->now.step = r->formula->blocks[block] + count;
  return DONE;
}

static enum outcome choose(struct run *r, const struct gp_formula_step *step) {
  const struct gp_formula_operand *operands = r->formula->operands + step->first;
  int holds = 0;
  if (step->code == GP_FORMULA_BR)
    return enter(r, (uint32_t)operands[0].constant);
  if (step->code == GP_FORMULA_IF) {
    const enum outcome outcome = decide(r, operands, &holds);
    return outcome ? outcome : enter(r, (uint32_t)operands[holds ? 1 : 2].constant);
  }
  const unsigned width = r->formula->widths[operands[0].value];
  for (uint32_t i = 2; i < step->operands; i += 2) {
    const enum outcome outcome = are_equal(r, load(r, &operands[0], width), load(r, &operands[i], width), width, &holds);
    if (outcome)
      return outcome;
    if (holds)
      return enter(r, (uint32_t)operands[i + 1].constant);
  }
  return enter(r, (uint32_t)operands[1].constant);
}

/* Goes on with the next part of a box put off. 0: there is none. */
static int next_part(struct run *r) {
  if (!r->frame_count)
    return 0;
  struct frame *frame = &r->frames[r->frame_count - 1];
  int64_t *rows = r->now.rows;
  const size_t bytes = rows_bytes(r, frame->state.box.dimensions);
  memcpy(rows, frame->state.rows, bytes);
  r->now = frame->state;
  r->now.rows = rows;
  r->now.box.low[frame->dimension] = frame->bounds[frame->part];
  r->now.box.high[frame->dimension] = frame->bounds[frame->part + 1] - 1;
  if (++frame->part == frame->parts) {
    free(frame->state.rows);
    r->memory -= bytes;
    r->frame_count--;
  }
  return 1;
}

static enum outcome execute(struct run *r, const struct gp_formula_step *step) {
  switch (step->code) {
  case GP_FORMULA_PARAM:
    read_parameter(r, step);
    return DONE;
  case GP_FORMULA_REGISTER:
    return read_register(r, step);
  case GP_FORMULA_COUNT:
    return count(r, step);
  case GP_FORMULA_MARK:
    return mark(r, step);
  case GP_FORMULA_select:
    return choose_value(r, step);
  default:
    return operate(r, step);
  }
}

static int run_all(struct run *r) {
  for (;;) {
    const struct gp_formula_step *step = &r->formula->steps[r->now.step];
    if (r->sink->steps++ > r->sink->steps_maximum)
      return 0;
    if (step->code == GP_FORMULA_END) {
      if (!next_part(r))
        return 1;
      continue;
    }
    const enum outcome outcome = step->code >= GP_FORMULA_BR ? choose(r, step) : execute(r, step);
    if (outcome == FAILED)
      return 0;
    if (outcome == DONE && step->code < GP_FORMULA_BR)
      r->now.step++;
  }
}

/* Registers that the formula does not read only multiply the number of threads. */
static void make_box(struct run *r) {
  uint32_t read = r->formula->registers;
  if (read & 1u << GP_REGISTER_laneid)
    read |= 1u << GP_REGISTER_tid_x | 1u << GP_REGISTER_tid_y | 1u << GP_REGISTER_tid_z;
  r->weight = 1;
  for (unsigned reg = 0; reg < GP_REGISTER_ntid_x; reg++) {
    const uint32_t end = extent(r->launch, reg);
    if (!(read & 1u << reg)) {
      r->weight *= end;
      continue;
    }
    r->register_of[r->now.box.dimensions] = reg;
    r->now.box.low[r->now.box.dimensions] = 0;
    r->now.box.high[r->now.box.dimensions++] = (int64_t)end - 1;
  }
}

static int has_threads(const struct gp_launch *launch) {
  for (unsigned reg = 0; reg < GP_REGISTER_ntid_x; reg++)
    if (!extent(launch, reg))
      return 0;
  return 1;
}

static size_t most_phis(const struct gp_formula *formula) {
  size_t most = 0, here = 0;
  for (size_t i = 0; i < formula->step_count; i++) {
    here = formula->steps[i].code == GP_FORMULA_PHI ? here + 1 : 0;
    most = here > most ? here : most;
  }
  return most;
}

int gp_formula_run(const struct gp_formula *formula, const struct gp_launch *launch, struct gp_formula_sink *sink) {
  struct run *r = has_threads(launch) ? malloc(sizeof *r) : NULL;
  if (!r)
    return 0;
  r->formula = formula;
  r->launch = launch;
  r->sink = sink;
  r->frame_count = r->memory = 0;
  const size_t values = (GP_BOX_DIMENSIONS + 1) * columns(r);
  r->now = (struct state){.rows = malloc((values + (GP_BOX_DIMENSIONS + 1) * most_phis(formula)) * sizeof(int64_t))};
  int64_t *const memory = r->now.rows;
  int exact = 0;
  if (memory) {
    r->phis = memory + values;
    make_box(r);
    memset(memory, 0, rows_bytes(r, r->now.box.dimensions));
    for (unsigned d = 0; d < r->now.box.dimensions; d++)
      row(r, d + 1)[formula->value_count + r->register_of[d]] = 1;
    exact = enter(r, 0) == DONE && run_all(r);
  }
  while (r->frame_count)
    free(r->frames[--r->frame_count].state.rows);
  free(memory);
  free(r);
  return exact;
}
