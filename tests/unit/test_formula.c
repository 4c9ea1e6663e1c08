// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formulas: the counts of launches by their evaluation, against those of a run of the same program for each thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/formula_count.h"
#include "sheet/sheet.h"

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
};

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

static int run_threads(const struct gp_formula *f, const struct gp_launch *l, uint64_t *counts) {
  struct thread t = {.values = calloc(f->value_count + 1, sizeof *t.values)};
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

/* Returns whether the formula could tell; then it must have told the counts of the threads. */
static int compare(const struct gp_formula *formula, const struct gp_launch *launch, const char *text) {
  uint64_t counts[GROUPS] = {1, 2, 3, 4}, expected[GROUPS] = {1, 2, 3, 4};
  if (!gp_formula_count(formula, launch, counts, GROUPS))
    return 0;
  if (!run_threads(formula, launch, expected))
    return 0; /* undefined, in some thread */
  if (memcmp(counts, expected, sizeof counts)) {
    const struct arguments *a = launch->arguments[0];
    fail_msg("%s\ngrid %u %u %u block %u %u %u, arguments %d %d %lld %lld: %llu %llu %llu %llu, not %llu %llu %llu %llu", text,
             launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2], a->first,
             a->second, (long long)a->third, (long long)a->fourth, (unsigned long long)counts[0], (unsigned long long)counts[1],
             (unsigned long long)counts[2], (unsigned long long)counts[3], (unsigned long long)expected[0],
             (unsigned long long)expected[1], (unsigned long long)expected[2], (unsigned long long)expected[3]);
  }
  return 1;
}

/* The share of launches, in percent, that the formula must tell. */
static void holds(const char *text, unsigned percent) {
  const char *problem = NULL;
  struct gp_formula *formula = parse(text, &problem);
  if (!formula)
    fail_msg("%s: %s", text, problem);
  unsigned told = 0;
  const unsigned trials = 150;
  random_state = 2026;
  for (unsigned i = 0; i < trials; i++) {
    struct arguments arguments;
    void *places[PARAMETERS];
    const struct gp_launch launch = some_launch(&arguments, places);
    told += (unsigned)compare(formula, &launch, text);
  }
  gp_formula_free(formula);
  if (100 * told < percent * trials)
    fail_msg("%s\ntells %u of %u launches", text, told, trials);
}

#define GLOBAL_ID "ctaid_x;ntid_x;tid_x;mul 32 0 1;add 32 3 2" /* value 4 */

static void guards(void **state) {
  (void)state;
  holds("count 0 #1;end", 100);
  holds("tid_x;zext 64 0;count 0 1;count 1 #3;end", 100);
  holds(GLOBAL_ID ";param 32 0 0;slt 32 4 5;count 0 #1;if 6 1 2;count 1 #1;br 2;end", 100);
  holds(GLOBAL_ID ";param 32 0 0;ult 32 4 5;count 0 #1;if 6 1 2;count 1 #1;br 2;end", 100);
  holds(GLOBAL_ID ";param 32 0 0;eq 32 4 5;count 0 #1;if 6 1 2;count 1 #1;br 2;end", 100);
  holds(GLOBAL_ID ";sext 64 4;param 64 2 0;slt 64 5 6;zext 64 7;count 0 8;end", 100);
  holds(GLOBAL_ID ";ctaid_y;ntid_y;tid_y;mul 32 5 6;add 32 8 7;param 32 0 0;slt 32 4 10;param 32 1 0;slt 32 9 12;and 1 11 13;"
                  "if 14 1 2;count 0 #1;br 2;end", 100);
}

static void grid_strides(void **state) {
  (void)state;
  /* the trips of for (i = id; i < n; i += stride): as a quotient, and as a loop */
  holds(GLOBAL_ID ";nctaid_x;mul 32 5 1;param 32 0 0;slt 32 4 7;if 8 1 2;sub 32 7 4;add 32 9 #-1;udiv 32 10 6;zext 64 11;"
                  "add 64 12 #1;count 0 13;br 2;end", 100);
  holds(GLOBAL_ID ";nctaid_x;mul 32 5 1;zext 64 6;param 32 1 0;and 32 8 #4095;zext 64 9;zext 64 4;br 1;"
                  "phi 64 0 11 2 16;phi 64 0 #0 2 15;ult 64 12 10;if 14 2 3;add 64 13 #1;add 64 12 7;br 1;count 0 13;end", 90);
}

static void lanes_and_parts_of_warps(void **state) {
  (void)state;
  holds("tid_x;eq 32 0 #0;if 1 1 2;count 0 #1;br 2;end", 100);
  holds("laneid;eq 32 0 #0;if 1 1 2;count 0 #1;br 2;end", 90);
  holds("tid_x;and 32 0 #31;lshr 32 0 #5;zext 64 1;zext 64 2;count 0 3;count 1 4;and 32 0 #24;zext 64 5;count 2 6;end", 100);
  holds("tid_x;and 32 0 #-32;or 32 1 #7;xor 32 0 #5;zext 64 2;zext 64 3;count 0 4;count 1 5;end", 100);
  holds("tid_x;trunc 1 0;if 1 1 2;count 0 #1;br 2;zext 64 1;count 1 2;end", 100);
  /* a tree over the block: for (k = ntid / 2; k > 0; k /= 2) if (tid < k) … */
  holds("ntid_x;tid_x;lshr 32 0 #1;br 1;phi 32 0 2 4 9;phi 64 0 #0 4 8;ult 32 #0 3;if 5 2 5;ult 32 1 3;if 6 3 4;"
        "add 64 4 #1;br 4;phi 64 2 4 3 7;lshr 32 3 #1;br 1;count 0 4;end", 100);
}

static void quotients(void **state) {
  (void)state;
  holds(GLOBAL_ID ";udiv 32 4 #7;urem 32 4 #7;eq 32 6 #0;zext 64 5;count 0 8;if 7 1 2;count 1 #1;br 2;end", 100);
  holds("tid_x;param 32 0 0;and 32 1 #15;add 32 2 #1;urem 32 0 3;zext 64 4;count 0 5;udiv 32 0 3;zext 64 6;count 1 7;end", 100);
  holds("tid_x;mul 32 0 #3;add 32 1 #-50;sdiv 32 2 #12;srem 32 2 #12;sext 64 3;sext 64 4;count 0 5;count 1 6;end", 100);
  holds("tid_x;sub 32 #40 0;ashr 32 1 #3;lshr 32 1 #29;sext 64 2;zext 64 3;count 0 4;count 1 5;end", 100);
}

/* A quotient changes the dimensions; a register read behind it is the thread's number still. */
static void registers_read_again(void **state) {
  (void)state;
  holds("tid_x;udiv 32 0 #8;slt 32 1 #3;zext 64 2;count 0 3;tid_x;zext 64 4;count 1 5;and 32 4 #6;zext 64 6;count 2 7;end", 100);
  holds("tid_x;sub 32 #40 0;ashr 32 1 #2;tid_x;slt 32 2 3;zext 64 4;count 0 5;laneid;zext 64 6;count 1 7;end", 80);
}

static void triangles(void **state) {
  (void)state;
  holds(GLOBAL_ID ";param 32 0 0;slt 32 4 5;if 6 1 2;zext 64 4;add 64 7 #1;count 0 8;br 2;end", 100);
  holds("tid_x;ctaid_x;ult 32 0 1;if 2 1 2;count 0 #1;br 2;end", 100);
  holds("tid_x;ctaid_x;umin 32 0 1;smax 32 0 1;zext 64 2;zext 64 3;count 0 4;count 1 5;end", 100);
  holds("tid_x;mul 32 0 0;zext 64 1;count 0 2;end", 30);
}

static void numbers_that_wrap(void **state) {
  (void)state;
  holds("tid_x;mul 32 0 #715827883;slt 32 1 #0;if 2 1 2;count 0 #1;br 2;end", 50);
  holds("tid_x;trunc 8 0;mul 8 1 #9;zext 64 2;sext 64 2;count 0 3;count 1 4;end", 90);
  holds(GLOBAL_ID ";param 32 0 0;add 32 4 5;slt 32 6 4;zext 64 7;ult 32 6 4;zext 64 9;count 0 8;count 1 10;end", 100);
  holds("tid_x;param 64 2 0;zext 64 0;add 64 1 2;ult 64 3 1;slt 64 3 1;zext 64 4;zext 64 5;count 0 6;count 1 7;count 2 3;end", 100);
}

/* Random programs without loops: whatever a formula tells is right. */
static unsigned value_of_width(const unsigned *widths, unsigned count, unsigned width) {
  for (unsigned tries = 0; tries < 200; tries++) {
    const unsigned v = below(count);
    if (widths[v] == width)
      return v;
  }
  return GP_NONE;
}

static char *some_operand(char *to, const unsigned *widths, unsigned count, unsigned width) {
  const unsigned v = below(4) ? value_of_width(widths, count, width) : GP_NONE;
  return to + (v == GP_NONE ? sprintf(to, " #%lld", (long long)number((uint64_t)some_number(), width)) : sprintf(to, " %u", v));
}

static void some_program(char *text) {
  static const char *const names[] = {
#define GPUPROF_FORMULA_OP(name, operands) #name,
#include "gpuprof/formula_ops.inc"
  };
  unsigned widths[64] = {32, 32, 32, 32, 32, 32, 64, 32}, count = 8;
  char *to = text + sprintf(text, "tid_x;ctaid_x;ntid_x;nctaid_x;param 32 0 0;param 32 1 0;param 64 2 0;tid_y");
  const unsigned steps = 2 + below(12);
  for (unsigned i = 0; i < steps; i++) {
    if (!below(5)) {
      to += sprintf(to, ";%s", below(2) ? "tid_x" : "ctaid_x");
      widths[count++] = 32;
    }
    const unsigned code = below(GP_FORMULA_PHI);
    const unsigned width = code == GP_FORMULA_trunc ? (below(2) ? 8 : 1) : code == GP_FORMULA_zext || code == GP_FORMULA_sext ? 64 : 32;
    if (code == GP_FORMULA_zext || code == GP_FORMULA_sext || code == GP_FORMULA_trunc) {
      to += sprintf(to, ";%s %u %u", names[code], width, value_of_width(widths, count, 32));
    } else if (code == GP_FORMULA_select) {
      const unsigned condition = value_of_width(widths, count, 1);
      to += condition == GP_NONE ? sprintf(to, ";select %u #1", width) : sprintf(to, ";select %u %u", width, condition);
      to = some_operand(some_operand(to, widths, count, width), widths, count, width);
    } else {
      to += sprintf(to, ";%s %u", names[code], width);
      to = some_operand(some_operand(to, widths, count, width), widths, count, width);
    }
    widths[count++] = code == GP_FORMULA_eq || code == GP_FORMULA_ult || code == GP_FORMULA_slt ? 1 : width;
  }
  const unsigned condition = value_of_width(widths, count, 1), wide = value_of_width(widths, count, 64);
  to += sprintf(to, ";count 0 %u", wide);
  if (condition != GP_NONE)
    to += sprintf(to, ";if %u 1 2;count 1 #1;br 2;count 2 %u;end", condition, wide);
  else
    to += sprintf(to, ";end");
}

static void random_programs(void **state) {
  (void)state;
  unsigned told = 0;
  for (unsigned program = 0; program < 3000; program++) {
    char text[4096];
    const char *problem = NULL;
    random_state = program * 977;
    some_program(text);
    struct gp_formula *formula = parse(text, &problem);
    if (!formula)
      fail_msg("%s: %s", text, problem);
    for (unsigned i = 0; i < 3; i++) {
      struct arguments arguments;
      void *places[PARAMETERS];
      const struct gp_launch launch = some_launch(&arguments, places);
      told += (unsigned)compare(formula, &launch, text);
    }
    gp_formula_free(formula);
  }
  assert_true(told > 3000);
}

/* ---- What cannot be told, and what is no formula ---- */

static void launches_without_threads_and_endless_loops_are_left_to_the_clone(void **state) {
  (void)state;
  const char *problem = NULL;
  uint64_t counts[GROUPS] = {5};
  struct gp_formula *formula = parse("br 1;count 0 #1;br 1", &problem);
  const struct gp_launch one = {.grid = {1, 1, 1}, .block = {1, 1, 1}}, none = {.grid = {0, 1, 1}, .block = {1, 1, 1}};
  assert_false(gp_formula_count(formula, &one, counts, GROUPS));
  assert_int_equal(counts[0], 5);
  gp_formula_free(formula);
  formula = parse("count 0 #1;end", &problem);
  assert_false(gp_formula_count(formula, &none, counts, GROUPS));
  assert_true(gp_formula_count(formula, &one, counts, GROUPS));
  assert_int_equal(counts[0], 6);
  gp_formula_free(formula);
}

static void a_large_grid_takes_no_longer(void **state) {
  (void)state;
  const char *problem = NULL;
  struct gp_formula *formula = parse(GLOBAL_ID ";zext 64 4;param 64 2 0;ult 64 5 6;if 7 1 2;count 0 5;br 2;end", &problem);
  int64_t n = 4000000000;
  void *arguments[] = {NULL, NULL, &n};
  const struct gp_launch launch = {.grid = {4194303, 65535, 3}, .block = {1024, 1, 1}, .arguments = arguments};
  uint64_t counts[GROUPS] = {0};
  assert_true(gp_formula_count(formula, &launch, counts, GROUPS));
  assert_int_equal(counts[0], (uint64_t)n * (uint64_t)(n - 1) / 2 * 65535 * 3);
  gp_formula_free(formula);
}

static void malformed_formulas_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {
      "", "end end", "end 1", "br 1", "count 4 #1;end", "count 0 1;end", "count 0 #1", "tid_x;count 0 0;end", "tid_w;end",
      "add 0 #1 #1;end", "add 65 #1 #1;end", "add 32 #1;end", "add 32 #1 #1 #1;end", "add 32 #99999999999999999999 #1;end",
      "add 32 1 #1;end", "zext 64 #1;end", "tid_x;zext 32 0;end", "tid_x;trunc 64 0;end", "tid_x;add 64 0 #1;end",
      "param 32 4 0;end", "param 32 0 1;end", "param 24 0 0;end", "param 64 0 0;end", "tid_x;if 0 0 0", "if #1 0 7",
      "switch #1 0", "tid_x;switch 0 0 #1", "tid_x;switch 0 0 1 0", "tid_x;phi 32 0 #1;end", "phi 32 0;end", "phi 32 9 #1;end",
      "select 32 #1 #2;end", "end;", ";end", "count 0 #-;end", "count -1 #1;end"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *problem = NULL;
    struct gp_formula *formula = parse(texts[i], &problem);
    if (formula || !problem)
      fail_msg("'%s' is taken", texts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guards),
      cmocka_unit_test(grid_strides),
      cmocka_unit_test(lanes_and_parts_of_warps),
      cmocka_unit_test(quotients),
      cmocka_unit_test(registers_read_again),
      cmocka_unit_test(triangles),
      cmocka_unit_test(numbers_that_wrap),
      cmocka_unit_test(random_programs),
      cmocka_unit_test(launches_without_threads_and_endless_loops_are_left_to_the_clone),
      cmocka_unit_test(a_large_grid_takes_no_longer),
      cmocka_unit_test(malformed_formulas_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
