/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Formulas one thread after the other: what their evaluation for all threads at once is compared with. */
#ifndef GP_TEST_FORMULA_THREADS_H
#define GP_TEST_FORMULA_THREADS_H

#include "sheet/formula.h"
#include "sheet/sheet.h"

#include "base/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS 4u
#define PARAMETERS 4u

static const struct gp_sheet_read reads[PARAMETERS] = {
    {.parameter = 0, .bytes = 4}, {.parameter = 1, .bytes = 4}, {.parameter = 2, .bytes = 8}, {.parameter = 3, .bytes = 8}};

static struct gp_formula *parse(const char *text, const char **problem) {
  char *copy = strdup(text);
  assert_non_null(copy);
  struct gp_formula *formula = gp_formula_parse(copy, GROUPS, reads, PARAMETERS, problem);
  free(copy);
  return formula;
}

struct arguments {
  int32_t first, second;
  int64_t third, fourth;
};

/* ---- One thread after the other ---- */

static uint64_t bits(uint64_t value, unsigned width) { return value << (64 - width) >> (64 - width); }
static int64_t number(uint64_t value, unsigned width) { return (int64_t)(value << (64 - width)) >> (64 - width); }

static int operation(unsigned code, unsigned width, unsigned from, uint64_t a, uint64_t b, uint64_t c, uint64_t *result) {
  const int64_t x = number(a, width), y = number(b, width);
  switch (code) {
  case GP_FORMULA_add: *result = a + b; break;
  case GP_FORMULA_sub: *result = a - b; break;
  case GP_FORMULA_mul: *result = a * b; break;
  case GP_FORMULA_shl: *result = b < width ? a << b : 0; return b < width;
  case GP_FORMULA_lshr: *result = b < width ? a >> b : 0; return b < width;
  case GP_FORMULA_ashr: *result = b < width ? (uint64_t)(x >> b) : 0; return b < width;
  case GP_FORMULA_and: *result = a & b; break;
  case GP_FORMULA_or: *result = a | b; break;
  case GP_FORMULA_xor: *result = a ^ b; break;
  case GP_FORMULA_udiv: *result = b ? a / b : 0; return b != 0;
  case GP_FORMULA_urem: *result = b ? a % b : 0; return b != 0;
  case GP_FORMULA_sdiv: *result = y > 0 ? (uint64_t)(x / y) : 0; return y > 0;
  case GP_FORMULA_srem: *result = y > 0 ? (uint64_t)(x % y) : 0; return y > 0;
  case GP_FORMULA_umin: *result = a < b ? a : b; break;
  case GP_FORMULA_umax: *result = a > b ? a : b; break;
  case GP_FORMULA_smin: *result = x < y ? a : b; break;
  case GP_FORMULA_smax: *result = x > y ? a : b; break;
  case GP_FORMULA_eq: *result = a == b; break;
  case GP_FORMULA_ult: *result = a < b; break;
  case GP_FORMULA_slt: *result = x < y; break;
  case GP_FORMULA_zext: *result = a; break;
  case GP_FORMULA_sext: *result = (uint64_t)number(a, from); break;
  case GP_FORMULA_trunc: *result = a; break;
  default: *result = a & 1 ? b : c; break;
  }
  return 1;
}

struct thread {
  uint32_t registers[GP_REGISTERS];
  uint64_t *values;
  uint8_t *sectors; /* a byte each, set where a mark touches it; null: marks are left out */
};

#define SECTORS (1u << 16) /* addresses of marks are modulo 2 MiB */

static void touch(struct thread *t, uint64_t address, uint64_t distance, uint64_t turns, uint64_t bytes) {
  for (uint64_t i = 0; t->sectors && i < turns; i++)
    for (uint64_t byte = 0; byte < bytes; byte++)
      t->sectors[(address + i * distance + byte) / 32 % SECTORS] = 1;
}

static uint64_t operand_of(const struct gp_formula *f, const struct thread *t, const struct gp_formula_operand *o, unsigned width) {
  return bits(o->value == GP_NONE ? (uint64_t)o->constant : t->values[o->value], o->value == GP_NONE ? width : f->widths[o->value]);
}

/* 0: an operation has no result, or the thread does not come to its end. */
static int run_thread(const struct gp_formula *f, struct thread *t, void **arguments, uint64_t *counts) {
  uint32_t block = 0, from = 0, at = f->blocks[0];
  for (unsigned turns = 0; turns < 100000; turns++) {
    const struct gp_formula_step *s = &f->steps[at++];
    const struct gp_formula_operand *o = f->operands + s->first;
    uint32_t to = GP_NONE;
    uint64_t *result = &t->values[s->result];
    switch (s->code) {
    case GP_FORMULA_END:
      return 1;
    case GP_FORMULA_PARAM:
      *result = 0;
      memcpy(result, (char *)arguments[s->index] + s->offset, (s->width + 7u) / 8);
      *result = bits(*result, s->width);
      break;
    case GP_FORMULA_REGISTER:
      *result = t->registers[s->index];
      break;
    case GP_FORMULA_COUNT:
      counts[s->index] += operand_of(f, t, o, 64);
      break;
    case GP_FORMULA_MARK:
      touch(t, operand_of(f, t, o, 64), operand_of(f, t, o + 1, 64), operand_of(f, t, o + 2, 64), operand_of(f, t, o + 3, 64));
      break;
    case GP_FORMULA_PHI: /* tests have at most one, or phis that do not read each other */
      for (uint32_t i = 0; i < s->operands; i += 2)
        if (o[i].constant == from)
          *result = operand_of(f, t, &o[i + 1], s->width);
      break;
    case GP_FORMULA_BR:
      to = (uint32_t)o[0].constant;
      break;
    case GP_FORMULA_IF:
      to = (uint32_t)o[operand_of(f, t, o, 1) ? 1 : 2].constant;
      break;
    case GP_FORMULA_SWITCH:
      to = (uint32_t)o[1].constant;
      for (uint32_t i = s->operands - 2; i >= 2; i -= 2)
        if (operand_of(f, t, o, 1) == bits((uint64_t)o[i].constant, f->widths[o->value]))
          to = (uint32_t)o[i + 1].constant;
      break;
    default: {
      const unsigned first = s->code == GP_FORMULA_select ? 1 : s->width;
      const uint64_t a = operand_of(f, t, o, first), b = s->operands > 1 ? operand_of(f, t, o + 1, s->width) : 0,
                     c = s->operands > 2 ? operand_of(f, t, o + 2, s->width) : 0;
      const unsigned its = o->value == GP_NONE ? s->width : f->widths[o->value];
      if (!operation(s->code, s->width, its, a, b, c, result))
        return 0;
      *result = bits(*result, f->widths[s->result]);
    }
    }
    if (to != GP_NONE) {
      from = block;
      block = to;
      at = f->blocks[to];
    }
  }
  return 0;
}

static int run_threads(const struct gp_formula *f, const struct gp_launch *l, uint64_t *counts, uint8_t *sectors) {
  struct thread t = {.values = calloc(f->value_count + 1, sizeof *t.values), .sectors = sectors};
  uint32_t *r = t.registers;
  for (int d = 0; d < 3; d++) {
    r[GP_REGISTER_ntid_x + d] = l->block[d];
    r[GP_REGISTER_nctaid_x + d] = l->grid[d];
  }
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], threads = l->block[0] * l->block[1] * l->block[2];
  int good = 1;
  for (uint64_t n = 0; good && n < blocks * threads; n++) {
    const uint32_t b = (uint32_t)(n / threads), i = (uint32_t)(n % threads);
    r[GP_REGISTER_tid_x] = i % l->block[0];
    r[GP_REGISTER_tid_y] = i / l->block[0] % l->block[1];
    r[GP_REGISTER_tid_z] = i / l->block[0] / l->block[1];
    r[GP_REGISTER_ctaid_x] = b % l->grid[0];
    r[GP_REGISTER_ctaid_y] = b / l->grid[0] % l->grid[1];
    r[GP_REGISTER_ctaid_z] = b / l->grid[0] / l->grid[1];
    r[GP_REGISTER_laneid] = i % 32;
    good = run_thread(f, &t, l->arguments, counts);
  }
  free(t.values);
  return good;
}

/* ---- Comparisons ---- */

static uint64_t random_state;
static uint32_t below(uint32_t limit) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % limit;
}

static int64_t some_number(void) {
  switch (below(10)) {
  case 0: return INT32_MIN + (int64_t)below(3);
  case 1: return INT32_MAX - (int64_t)below(3);
  case 2: return (int64_t)1 << below(63);
  case 3: return -(int64_t)below(100);
  case 4: return INT64_MAX - below(1000);
  default: return below(1u << (1 + below(12)));
  }
}

static struct gp_launch some_launch(struct arguments *a, void **places) {
  *a = (struct arguments){(int32_t)some_number(), (int32_t)some_number(), some_number(), some_number()};
  places[0] = &a->first;
  places[1] = &a->second;
  places[2] = &a->third;
  places[3] = &a->fourth;
  const uint32_t flat = below(2);
  return (struct gp_launch){.grid = {1 + below(12), flat ? 1 : 1 + below(4), flat ? 1 : 1 + below(2)},
                            .block = {1 + below(70), flat ? 1 : 1 + below(6), flat ? 1 : 1 + below(2)},
                            .arguments = places};
}

#endif
