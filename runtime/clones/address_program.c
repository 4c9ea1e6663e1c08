// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All threads of a row of a block (equal tid.y and tid.z) are executed at once: a register is a + b * tid.x, modulo two to the power
 * of its width. An instruction whose result is not of this form for all of them is executed for each half of the threads. For one
 * thread every result is. */
#include "clones/address_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAXIMUM 65536u
#define RANGES_MAXIMUM (1u << 21) /* 32 MB */
#define RANGES_AT_FIRST 1024u
#define MEMORY_OF_MARKS 4096u
#define PARAMETERS_MAXIMUM_BYTES 32768u
#define SECTOR_SHIFT 5
#define NOT_OPEN UINT32_MAX

typedef __int128 wide; /* no sum or product of numbers of 64 bits wraps */

enum {
#define GPUPROF_ADDRESS_OP(name, operands) OP_##name,
#include "gpuprof/address_program.inc"
  OP_COUNT
};

static const uint8_t operand_counts[] = {
#define GPUPROF_ADDRESS_OP(name, operands) operands,
#include "gpuprof/address_program.inc"
};

static const char foreign[] = "this gpuprof does not know how the compiler's one describes them";
static const char no_memory[] = "memory is exhausted";
static const char too_long[] = "computing them on the host takes too long; -fplugin-arg-gpuprof-unique=auto adds a clone for the GPU";

struct value {
  uint64_t a, b;
};

/* Numbers without a wrap: of the first thread, and the distance to the next one's. */
struct line {
  wide first, step;
};

struct range {
  uint64_t first, last; /* sectors */
};

/* A mark of many places: those repeated by the next rows are found again. */
struct mark {
  uint64_t base, width, steps[2], counts[2];
};

struct pending {
  uint32_t place, low, high;
};

struct machine {
  const struct gp_address_launch *launch;
  uint64_t *code;
  size_t length, register_count;
  struct value *registers;
  uint32_t ids[12];
  uint32_t low, high; /* the threads executed now, by tid.x */
  uint64_t *steps;

  struct pending *pending;
  struct value *kept; /* registers of the pending ones */
  size_t pending_count, pending_room;

  struct range *ranges;
  uint32_t *open; /* for each place of the code: its range added last */
  size_t range_count, range_room;
  struct mark *marks;
};

/* ---- Reading ---- */

static int count_of(const char *text) {
  int count = 0;
  for (; *text; text++)
    count += *text == ' ';
  return count;
}

static int is_register(const struct machine *m, uint64_t number) { return number < m->register_count; }

static int all_registers(const struct machine *m, const uint64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_register(m, numbers[i]))
      return 0;
  return 1;
}

static int is_width(uint64_t number) { return number > 0 && number <= 64; }

static int is_place(const struct machine *m, const uint8_t *begins, uint64_t place) { return place < m->length && begins[place]; }

static int is_read(const struct machine *m, const uint64_t *at) {
  return is_register(m, at[1]) && at[2] < m->launch->parameters && at[3] < PARAMETERS_MAXIMUM_BYTES - sizeof(uint64_t) && at[4] &&
         at[4] <= sizeof(uint64_t);
}

static int is_valid(const struct machine *m, const uint64_t *at, const uint8_t *begins) {
  switch (*at) {
  case OP_END:
    return 1;
  case OP_CONSTANT:
    return is_register(m, at[1]);
  case OP_READ:
    return is_read(m, at);
  case OP_ID:
    return is_register(m, at[1]) && at[2] < 12;
  case OP_MOVE:
    return all_registers(m, at + 1, 2);
  case OP_SELECT:
  case OP_MARK:
    return all_registers(m, at + 1, 4);
  case OP_ZEXT:
  case OP_SEXT:
    return is_register(m, at[1]) && is_width(at[2]) && is_register(m, at[3]);
  case OP_JUMP:
    return is_place(m, begins, at[1]);
  case OP_BRANCH:
    return is_register(m, at[1]) && is_place(m, begins, at[2]) && is_place(m, begins, at[3]);
  default:
    return is_register(m, at[1]) && is_width(at[2]) && all_registers(m, at + 3, 2);
  }
}

/* Every instruction lies within the list, and the last one goes elsewhere. */
static int check(const struct machine *m, uint8_t *begins) {
  uint64_t last = OP_MARK;
  for (size_t at = 0; at < m->length; at += 1u + operand_counts[last]) {
    last = m->code[at];
    if (last >= OP_COUNT || operand_counts[last] >= m->length - at)
      return 0;
    begins[at] = 1;
  }
  for (size_t at = 0; at < m->length; at += 1u + operand_counts[m->code[at]])
    if (!is_valid(m, m->code + at, begins))
      return 0;
  return last == OP_END || last == OP_JUMP || last == OP_BRANCH;
}

static const char *read_program(struct machine *m, const char *text) {
  const int count = count_of(text);
  char *end;
  m->register_count = strtoull(text, &end, 10);
  if (count <= 0 || (unsigned)count > NUMBERS_MAXIMUM || m->register_count > NUMBERS_MAXIMUM)
    return foreign;
  m->length = (size_t)count;
  m->code = calloc(m->length, sizeof *m->code);
  uint8_t *begins = calloc(m->length, 1);
  int good = m->code && begins;
  for (size_t i = 0; good && i < m->length; i++) {
    const char *from = end;
    m->code[i] = strtoull(from, &end, 10);
    good = end != from;
  }
  const char *why = !m->code || !begins ? no_memory : good && !*end && check(m, begins) ? NULL : foreign;
  free(begins);
  return why;
}

/* ---- Ranges of sectors ---- */

static int by_first(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  return (a->first > b->first) - (a->first < b->first);
}

static void merge(struct machine *m) {
  size_t kept = 0;
  qsort(m->ranges, m->range_count, sizeof *m->ranges, by_first);
  for (size_t i = 0; i < m->range_count; i++)
    if (kept && m->ranges[i].first <= m->ranges[kept - 1].last + 1) {
      if (m->ranges[kept - 1].last < m->ranges[i].last)
        m->ranges[kept - 1].last = m->ranges[i].last;
    } else {
      m->ranges[kept++] = m->ranges[i];
    }
  m->range_count = kept;
  for (size_t i = 0; i < m->length; i++)
    m->open[i] = NOT_OPEN;
}

static const char *make_room(struct machine *m) {
  merge(m);
  if (m->range_count <= m->range_room / 2)
    return NULL;
  if (m->range_room >= RANGES_MAXIMUM)
    return "they lie in too many places for the host";
  struct range *more = realloc(m->ranges, 2 * m->range_room * sizeof *more);
  if (!more)
    return no_memory;
  m->ranges = more;
  m->range_room *= 2;
  return NULL;
}

static const char *add_range(struct machine *m, uint32_t *open, uint64_t first, uint64_t last) {
  if (*open != NOT_OPEN) {
    struct range *latest = &m->ranges[*open];
    if (first <= latest->last + 1 && latest->first <= last + 1) {
      latest->first = first < latest->first ? first : latest->first;
      latest->last = last > latest->last ? last : latest->last;
      return NULL;
    }
  }
  if (m->range_count == m->range_room) {
    const char *why = make_room(m);
    if (why)
      return why;
  }
  *open = (uint32_t)m->range_count;
  m->ranges[m->range_count++] = (struct range){first, last};
  return NULL;
}

/* Distances that skip no sector make one piece of many. */
static int join(struct mark *mark) {
  int joined = 0;
  for (int i = 0; i < 2; i++)
    if (mark->counts[i] > 1 && mark->steps[i] <= mark->width + 31) {
      mark->width += (mark->counts[i] - 1) * mark->steps[i];
      mark->counts[i] = 1;
      joined = 1;
    }
  return joined;
}

static int is_remembered(struct machine *m, const struct mark *mark) {
  uint64_t hash = mark->base * UINT64_C(0x9e3779b97f4a7c15) + mark->counts[0] * 31 + mark->counts[1];
  hash ^= hash >> 29;
  struct mark *place = &m->marks[hash % MEMORY_OF_MARKS];
  if (!memcmp(place, mark, sizeof *mark))
    return 1;
  *place = *mark;
  return 0;
}

static const char *add_mark(struct machine *m, uint32_t *open, struct mark *mark) {
  for (int i = 0; i < 2; i++) {
    if ((int64_t)mark->steps[i] < 0) {
      mark->base += mark->steps[i] * (mark->counts[i] - 1);
      mark->steps[i] = -mark->steps[i];
    }
    if (!mark->steps[i])
      mark->counts[i] = 1;
    const wide most = (wide)1 << 60; /* in bytes: no address lies farther from another */
    if (mark->width > (uint64_t)most || (wide)mark->steps[i] * (mark->counts[i] - 1) > most)
      return "their addresses wrap around";
  }
  while (join(mark))
    ;
  const int inner = mark->counts[1] == 1 || (mark->counts[0] > 1 && mark->steps[0] < mark->steps[1]) ? 0 : 1;
  if (is_remembered(m, mark))
    return NULL;
  if (mark->counts[0] > *m->steps || mark->counts[1] > *m->steps || mark->counts[0] * mark->counts[1] > *m->steps)
    return too_long;
  *m->steps -= mark->counts[0] * mark->counts[1];
  for (uint64_t i = 0; i < mark->counts[!inner]; i++)
    for (uint64_t j = 0; j < mark->counts[inner]; j++) {
      const uint64_t at = mark->base + i * mark->steps[!inner] + j * mark->steps[inner];
      const char *why = add_range(m, open, at >> SECTOR_SHIFT, (at + mark->width - 1) >> SECTOR_SHIFT);
      if (why)
        return why;
    }
  return NULL;
}

/* ---- Values of the threads executed now ---- */

enum done { DONE, HALVE }; /* the result, or the wish to try each half of the threads */

static uint32_t distance(const struct machine *m) { return m->high - 1 - m->low; }

static uint64_t mask_of(unsigned width) { return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

static int64_t extended(uint64_t number, unsigned width) {
  const uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)(((number & mask_of(width)) ^ sign) - sign);
}

static wide last_of(const struct machine *m, struct line line) { return line.first + line.step * distance(m); }

/* False if the numbers wrap from one thread to a later one. */
static int unwrap(const struct machine *m, struct value v, unsigned width, int is_signed, struct line *line) {
  const uint64_t raw = (v.a + v.b * m->low) & mask_of(width);
  line->first = is_signed ? (wide)extended(raw, width) : (wide)raw;
  line->step = m->low + 1 == m->high ? 0 : (wide)extended(v.b, width);
  const wide last = last_of(m, *line);
  const wide least = is_signed ? -((wide)1 << (width - 1)) : 0, most = least + (wide)mask_of(width);
  return last >= least && last <= most;
}

static struct value value_of(const struct machine *m, struct line line) {
  return (struct value){(uint64_t)(line.first - line.step * m->low), (uint64_t)line.step};
}

static struct value constant(uint64_t number) { return (struct value){number, 0}; }

/* Equal in all threads. */
static int is_uniform(const struct machine *m, struct value v, unsigned width, uint64_t *number) {
  if (m->low + 1 != m->high && (v.b & mask_of(width)))
    return 0;
  *number = (v.a + v.b * m->low) & mask_of(width);
  return 1;
}

static wide floor_of(wide number, wide by) { return number / by - (number % by < 0); }

/* Rounds towards minus infinity. */
static enum done divide(const struct machine *m, struct line line, wide by, struct value *to) {
  const wide first = floor_of(line.first, by);
  if (!(line.step % by))
    *to = value_of(m, (struct line){first, line.step / by});
  else if (first == floor_of(last_of(m, line), by))
    *to = constant((uint64_t)first);
  else
    return HALVE;
  return DONE;
}

static enum done remainder_of(const struct machine *m, struct line line, wide by, struct value *to) {
  const wide quotient = floor_of(line.first, by);
  if (quotient == floor_of(last_of(m, line), by))
    *to = value_of(m, (struct line){line.first - quotient * by, line.step});
  else if (!(line.step % by))
    *to = constant((uint64_t)(line.first - quotient * by));
  else
    return HALVE;
  return DONE;
}

static enum done extend(const struct machine *m, struct value v, unsigned width, int is_signed, struct value *to) {
  struct line line;
  if (!unwrap(m, v, width, is_signed, &line))
    return HALVE;
  *to = value_of(m, line);
  return DONE;
}

/* ---- Instructions of two operands ---- */

static enum done multiply(const struct machine *m, unsigned width, struct value x, struct value y, struct value *to) {
  uint64_t factor;
  if (is_uniform(m, x, width, &factor))
    *to = (struct value){y.a * factor, y.b * factor};
  else if (is_uniform(m, y, width, &factor))
    *to = (struct value){x.a * factor, x.b * factor};
  else
    return HALVE;
  return DONE;
}

/* A shift by the width or more gives what PTX says. */
static enum done shift(const struct machine *m, uint64_t what, unsigned width, struct value x, struct value y, struct value *to) {
  uint64_t by;
  struct line line;
  if (!is_uniform(m, y, width, &by))
    return HALVE;
  if (by >= width && what != OP_ASHR) {
    *to = constant(0);
    return DONE;
  }
  if (by >= width)
    by = width - 1;
  if (what == OP_SHL) {
    *to = (struct value){x.a << by, x.b << by};
    return DONE;
  }
  return unwrap(m, x, width, what == OP_ASHR, &line) ? divide(m, line, (wide)1 << by, to) : HALVE;
}

/* The divisor is not 0. */
static enum done quotient(const struct machine *m, uint64_t what, unsigned width, struct value x, uint64_t divisor, struct value *to) {
  const int is_signed = what == OP_SDIV || what == OP_SREM, wants_rest = what == OP_UREM || what == OP_SREM;
  const wide by = is_signed ? (wide)extended(divisor, width) : (wide)divisor;
  struct line line;
  if (!unwrap(m, x, width, is_signed, &line))
    return HALVE;
  if (line.first >= 0 && last_of(m, line) >= 0 && by > 0)
    return wants_rest ? remainder_of(m, line, by, to) : divide(m, line, by, to);
  if (distance(m))
    return HALVE;
  *to = constant((uint64_t)(wants_rest ? line.first % by : line.first / by)); /* towards 0 */
  return DONE;
}

/* Low bits are a number of fewer bits; high ones the difference. */
static enum done mask_with(const struct machine *m, unsigned width, struct value x, uint64_t mask, struct value *to) {
  const uint64_t all = mask_of(width), unset = ~mask & all;
  struct value low;
  if (!mask || !unset) {
    *to = mask ? x : constant(0);
    return DONE;
  }
  const int is_low = !(mask & (mask + 1)), is_high = !(unset & (unset + 1));
  if (!is_low && !is_high)
    return HALVE;
  if (extend(m, x, (unsigned)__builtin_popcountll(is_low ? mask : unset), 0, &low) == HALVE)
    return HALVE;
  *to = is_low ? low : (struct value){x.a - low.a, x.b - low.b};
  return DONE;
}

static enum done logic(const struct machine *m, uint64_t what, unsigned width, struct value x, struct value y, struct value *to) {
  uint64_t left, right;
  const int is_left = is_uniform(m, x, width, &left), is_right = is_uniform(m, y, width, &right);
  if (is_left && is_right) {
    *to = constant(what == OP_AND ? left & right : what == OP_OR ? left | right : left ^ right);
    return DONE;
  }
  if (!is_left && !is_right)
    return HALVE;
  const struct value varying = is_left ? y : x;
  const uint64_t with = is_left ? left : right;
  if (what == OP_AND)
    return mask_with(m, width, varying, with, to);
  if (!with)
    *to = varying;
  else if (what == OP_XOR && with == mask_of(width))
    *to = (struct value){~varying.a, -varying.b};
  else
    return HALVE;
  return DONE;
}

static enum done equal(const struct machine *m, unsigned width, struct value x, struct value y, struct value *to) {
  struct line line;
  if (!unwrap(m, (struct value){x.a - y.a, x.b - y.b}, width, 1, &line))
    return HALVE;
  const wide last = last_of(m, line);
  if (line.first && last && (line.first < 0) == (last < 0))
    *to = constant(0);
  else if (!line.first && !last)
    *to = constant(1);
  else
    return HALVE;
  return DONE;
}

static enum done less(const struct machine *m, unsigned width, int is_signed, struct value x, struct value y, struct value *to) {
  struct line left, right;
  if (!unwrap(m, x, width, is_signed, &left) || !unwrap(m, y, width, is_signed, &right))
    return HALVE;
  const int at_first = left.first < right.first;
  *to = constant((uint64_t)at_first);
  return at_first == (last_of(m, left) < last_of(m, right)) ? DONE : HALVE;
}

static enum done compute(const struct machine *m, const uint64_t *at, struct value *to, const char **why) {
  const unsigned width = (unsigned)at[2];
  const struct value x = m->registers[at[3]], y = m->registers[at[4]];
  uint64_t divisor;
  switch (*at) {
  case OP_ADD:
    *to = (struct value){x.a + y.a, x.b + y.b};
    return DONE;
  case OP_SUB:
    *to = (struct value){x.a - y.a, x.b - y.b};
    return DONE;
  case OP_MUL:
    return multiply(m, width, x, y, to);
  case OP_SHL:
  case OP_LSHR:
  case OP_ASHR:
    return shift(m, *at, width, x, y, to);
  case OP_AND:
  case OP_OR:
  case OP_XOR:
    return logic(m, *at, width, x, y, to);
  case OP_EQUAL:
    return equal(m, width, x, y, to);
  case OP_ULESS:
  case OP_SLESS:
    return less(m, width, *at == OP_SLESS, x, y, to);
  default:
    if (!is_uniform(m, y, width, &divisor))
      return HALVE;
    if (!divisor)
      *why = "the kernel divides by zero";
    return divisor ? quotient(m, *at, width, x, divisor, to) : DONE;
  }
}

/* ---- Execution ---- */

static enum done mark(struct machine *m, const uint64_t *at, const char **why) {
  struct mark all = {.counts = {m->high - m->low}};
  const struct value address = m->registers[at[1]];
  if (!is_uniform(m, m->registers[at[2]], 64, &all.steps[1]) || !is_uniform(m, m->registers[at[3]], 64, &all.counts[1]) ||
      !is_uniform(m, m->registers[at[4]], 64, &all.width))
    return HALVE;
  all.base = address.a + address.b * m->low;
  all.steps[0] = address.b;
  if (all.counts[1] && all.width)
    *why = add_mark(m, &m->open[at - m->code], &all);
  return DONE;
}

static uint64_t argument(const struct machine *m, const uint64_t *at) {
  uint64_t number = 0;
  memcpy(&number, (const char *)m->launch->arguments[at[2]] + at[3], at[4]);
  return number;
}

/* Leaves the upper half of the threads for later. */
static const char *halve(struct machine *m, size_t place) {
  if (m->pending_count == m->pending_room) {
    const size_t room = m->pending_room ? 2 * m->pending_room : 16;
    struct pending *pending = realloc(m->pending, room * sizeof *pending);
    if (pending)
      m->pending = pending;
    struct value *kept = realloc(m->kept, (room * m->register_count + 1) * sizeof *kept);
    if (kept)
      m->kept = kept;
    if (!pending || !kept)
      return no_memory;
    m->pending_room = room;
  }
  const uint32_t middle = m->low + (m->high - m->low) / 2;
  memcpy(m->kept + m->pending_count * m->register_count, m->registers, m->register_count * sizeof *m->registers);
  m->pending[m->pending_count++] = (struct pending){(uint32_t)place, middle, m->high};
  m->high = middle;
  return NULL;
}

static int resume(struct machine *m, size_t *place) {
  if (!m->pending_count)
    return 0;
  const struct pending *next = &m->pending[--m->pending_count];
  memcpy(m->registers, m->kept + m->pending_count * m->register_count, m->register_count * sizeof *m->registers);
  *place = next->place;
  m->low = next->low;
  m->high = next->high;
  return 1;
}

/* Executes one instruction. Moves `place` on only when it is done. */
static enum done execute(struct machine *m, size_t *place, const char **why) {
  const uint64_t *at = m->code + *place;
  struct value result = {0};
  uint64_t condition;
  enum done done = DONE;
  switch (*at) {
  case OP_CONSTANT:
    result = constant(at[2]);
    break;
  case OP_READ:
    result = constant(argument(m, at));
    break;
  case OP_ID:
    result = at[2] ? constant(m->ids[at[2]]) : (struct value){0, 1};
    break;
  case OP_MOVE:
    result = m->registers[at[2]];
    break;
  case OP_ZEXT:
  case OP_SEXT:
    done = extend(m, m->registers[at[3]], (unsigned)at[2], *at == OP_SEXT, &result);
    break;
  case OP_SELECT:
    if (!is_uniform(m, m->registers[at[2]], 1, &condition))
      return HALVE;
    result = m->registers[at[condition ? 3 : 4]];
    break;
  case OP_JUMP:
    *place = at[1];
    return DONE;
  case OP_BRANCH:
    if (!is_uniform(m, m->registers[at[1]], 1, &condition))
      return HALVE;
    *place = at[condition ? 2 : 3];
    return DONE;
  case OP_MARK:
    done = mark(m, at, why);
    *place += done == DONE ? 1u + operand_counts[OP_MARK] : 0;
    return done;
  default:
    done = compute(m, at, &result, why);
  }
  if (done == DONE) {
    m->registers[at[1]] = result;
    *place += 1u + operand_counts[*at];
  }
  return done;
}

/* One more step is executed, be it the end alone: the rows of a launch may be too many for themselves. */
static const char *take_step(struct machine *m) {
  if (!*m->steps)
    return too_long;
  --*m->steps;
  return NULL;
}

static const char *run_row(struct machine *m) {
  size_t place = 0;
  const char *why = NULL;
  m->low = 0;
  m->high = m->launch->block[0];
  do {
    while (!(why = take_step(m)) && m->code[place] != OP_END) {
      if (execute(m, &place, &why) == HALVE)
        why = halve(m, place);
      if (why)
        return why;
    }
  } while (!why && resume(m, &place));
  return why;
}

static const char *run_block(struct machine *m) {
  const char *why = NULL;
  for (m->ids[2] = 0; !why && m->ids[2] < m->launch->block[2]; m->ids[2]++)
    for (m->ids[1] = 0; !why && m->ids[1] < m->launch->block[1]; m->ids[1]++)
      why = run_row(m);
  return why;
}

static const char *run_grid(struct machine *m) {
  uint32_t *block = m->ids + 6;
  const char *why = NULL;
  memcpy(m->ids + 3, m->launch->block, sizeof m->launch->block);
  memcpy(m->ids + 9, m->launch->grid, sizeof m->launch->grid);
  for (block[2] = 0; !why && block[2] < m->launch->grid[2]; block[2]++)
    for (block[1] = 0; !why && block[1] < m->launch->grid[1]; block[1]++)
      for (block[0] = 0; !why && block[0] < m->launch->grid[0]; block[0]++)
        why = run_block(m);
  return why;
}

static int allocate(struct machine *m) {
  m->registers = calloc(m->register_count + 1, sizeof *m->registers);
  m->open = malloc(m->length * sizeof *m->open);
  m->marks = calloc(MEMORY_OF_MARKS, sizeof *m->marks);
  m->range_room = RANGES_AT_FIRST;
  m->ranges = malloc(m->range_room * sizeof *m->ranges);
  if (!m->registers || !m->open || !m->marks || !m->ranges)
    return -1;
  merge(m); /* nothing is open */
  return 0;
}

const char *gp_address_program_run(const char *program, const struct gp_address_launch *launch, uint64_t *steps, uint64_t *bytes) {
  struct machine m = {.launch = launch, .steps = steps};
  const char *why = read_program(&m, program);
  if (!why)
    why = allocate(&m) ? no_memory : run_grid(&m);
  if (!why) {
    merge(&m);
    *bytes = 0;
    for (size_t i = 0; i < m.range_count; i++)
      *bytes += (m.ranges[i].last - m.ranges[i].first + 1) << SECTOR_SHIFT;
  }
  free(m.code);
  free(m.registers);
  free(m.pending);
  free(m.kept);
  free(m.ranges);
  free(m.open);
  free(m.marks);
  return why;
}
