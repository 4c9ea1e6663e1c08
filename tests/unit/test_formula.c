// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formulas: the counts of launches by their evaluation, against those of a run of the same program for each thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/formula_count.h"
#include "sheet/sheet.h"

#include "formula_threads.h"

/* Returns whether the formula could tell; then it must have told the counts of the threads. */
static int compare(const struct gp_formula *formula, const struct gp_launch *launch, const char *text) {
  uint64_t counts[GROUPS] = {1, 2, 3, 4}, expected[GROUPS] = {1, 2, 3, 4};
  if (!gp_formula_count(formula, launch, counts, GROUPS))
    return 0;
  if (!run_threads(formula, launch, expected, NULL))
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
