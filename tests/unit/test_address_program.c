// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Address programs: each instruction, executed for rows of threads at once, against plain arithmetic of one thread; ranges; texts
 * that are no program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clones/address_program.h"

enum {
#define GPUPROF_ADDRESS_OP(name, operands) name,
#include "gpuprof/address_program.inc"
};

#define THREADS 80u

static const char *run(const char *program, uint32_t blocks, uint32_t threads, uint64_t limit, uint64_t *bytes) {
  static uint64_t numbers[2] = {4096, 7};
  static uint64_t room[8192];
  memcpy(room, numbers, sizeof numbers);
  void *arguments[] = {&room[0], &room[1]};
  const struct gp_address_launch launch = {{blocks, 1, 1}, {threads, 1, 1}, arguments, 2};
  *bytes = 1;
  return gp_address_program_run(program, &launch, &limit, bytes);
}

static uint64_t bytes_of(const char *program, uint32_t blocks, uint32_t threads) {
  uint64_t bytes;
  const char *why = run(program, blocks, threads, 1u << 20, &bytes);
  if (why)
    fail_msg("%s: %s", program, why);
  return bytes;
}

/* ---- One instruction ---- */

static uint64_t mask(unsigned width) { return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }
static int64_t sign(uint64_t x, unsigned width) { return (int64_t)(x << (64 - width)) >> (64 - width); }

static uint64_t expected(int what, unsigned width, uint64_t x, uint64_t y) {
  x &= mask(width);
  y &= mask(width);
  const int64_t sx = sign(x, width), sy = sign(y, width);
  switch (what) {
  case ADD: return x + y;
  case SUB: return x - y;
  case MUL: return x * y;
  case SHL: return y >= width ? 0 : x << y;
  case LSHR: return y >= width ? 0 : x >> y;
  case ASHR: return (uint64_t)(sx >> (y >= width ? width - 1 : y));
  case AND: return x & y;
  case OR: return x | y;
  case XOR: return x ^ y;
  case UDIV: return x / y;
  case UREM: return x % y;
  case SDIV: return sy == -1 ? -x : (uint64_t)(sx / sy);
  case SREM: return sy == -1 ? 0 : (uint64_t)(sx % sy);
  case EQUAL: return x == y;
  case ULESS: return x < y;
  default: return sx < sy;
  }
}

/* The instruction's operands are start + step * tid.x. One thread marks a sector if its result is the expected one. */
static int is_computed(int what, unsigned width, const uint64_t x[2], const uint64_t y[2], uint64_t thread) {
  char text[512];
  const unsigned result_width = what == EQUAL || what == ULESS || what == SLESS ? 1 : width;
  const uint64_t result =
      expected(what, width, x[0] + x[1] * thread, y[0] + y[1] * thread) & mask(result_width);
  snprintf(text, sizeof text,
           "16 %d 0 0 %d 1 %" PRIu64 " %d 2 %" PRIu64 " %d 3 %" PRIu64 " %d 4 %" PRIu64 " %d 5 64 2 0 %d 5 64 1 5 %d 6 64 4 0 %d 6 64 3 6"
           " %d 7 %u 5 6 %d 8 %" PRIu64 " %d 9 %u 7 8 %d 10 %" PRIu64 " %d 11 64 10 0 %d 12 1 9 11 %d 13 1 %d 12 68 73 %d 10 10 13 13 %d",
           ID, CONSTANT, x[0], CONSTANT, x[1], CONSTANT, y[0], CONSTANT, y[1], MUL, ADD, MUL, ADD, what, width, CONSTANT, result,
           EQUAL, result_width, CONSTANT, thread, EQUAL, AND, CONSTANT, BRANCH, MARK, END);
  return bytes_of(text, 1, THREADS) == 32;
}

static void rows_compute_like_single_threads(void **state) {
  (void)state;
  static const unsigned widths[] = {8, 32, 64};
  static const uint64_t starts[] = {0, 5, 64, (uint64_t)-7, 0x7ffffff0, 0xfffffff0, (uint64_t)INT64_MAX - 40};
  static const uint64_t steps[] = {0, 1, 4, (uint64_t)-3};
  static const uint64_t others[][2] = {{1, 0}, {3, 0}, {8, 0}, {31, 0}, {(uint64_t)-1, 0}, {(uint64_t)-32, 0}, {12, 0}, {2, 1}};
  for (int what = ADD; what <= SLESS; what++)
    for (size_t w = 0; what != ZEXT && what != SEXT && w < 3; w++)
      for (size_t i = 0; i < 7 * 4 * 8; i++) {
        const uint64_t x[] = {starts[i % 7], steps[i / 7 % 4]}, *y = others[i / 28];
        for (uint64_t thread = i % 5; thread < THREADS; thread += 13) {
          const int divides = what == UDIV || what == UREM || what == SDIV || what == SREM;
          if (divides && y[1])
            continue;
          if (!is_computed(what, widths[w], x, y, thread))
            fail_msg("instruction %d of %u bits, %" PRIu64 " + %" PRIu64 " t, %" PRIu64 " + %" PRIu64 " t, thread %" PRIu64, what,
                     widths[w], x[0], x[1], y[0], y[1], thread);
        }
      }
}

/* ---- Ranges ---- */

/* Marks 4 bytes at a distance of `step` for each thread of all blocks, from 4096. */
static uint64_t elements(unsigned step, unsigned width, uint32_t blocks, uint32_t threads) {
  char text[512];
  snprintf(text, sizeof text, "16 %d 0 0 %d 1 6 %d 2 3 %d 3 0 0 8 %d 4 %u %d 5 %u %d 6 0 %d 7 1 %d 8 64 1 2 %d 8 64 8 0 %d 8 64 8 4"
                              " %d 8 64 8 3 %d 8 6 7 5 %d",
           ID, ID, ID, READ, CONSTANT, step, CONSTANT, width, CONSTANT, CONSTANT, MUL, ADD, MUL, ADD, MARK, END);
  return bytes_of(text, blocks, threads);
}

static void ranges_are_united(void **state) {
  (void)state;
  assert_int_equal(elements(4, 4, 10, 256), 10 * 256 * 4);
  assert_int_equal(elements(4, 4, 1, 7), 32);
  assert_int_equal(elements(0, 4, 10, 256), 32);
  assert_int_equal(elements(4, 32, 1, 8), 64); /* neighbours overlap */
  assert_int_equal(elements(128, 4, 3, 32), 3 * 32 * 32);
  assert_int_equal(elements(64, 4, 1, 8), 8 * 32);
  assert_int_equal(elements(36, 4, 1, 40), 40 * 32); /* of 44 sectors */
}

/* Columns: from tid.x * 4, 100 rows of 1,024 bytes; the same from every block. */
static void repeated_marks_count_once(void **state) {
  (void)state;
  char text[512];
  snprintf(text, sizeof text, "9 %d 0 0 %d 1 4 %d 2 1024 %d 3 100 %d 4 64 0 1 %d 4 2 3 1 %d", ID, CONSTANT, CONSTANT, CONSTANT, MUL,
           MARK, END);
  assert_int_equal(bytes_of(text, 50, 64), 100 * 64 * 4);
  assert_int_equal(bytes_of(text, 1, 256), 100 * 1024); /* without a gap */
}

static void parameters_are_read(void **state) {
  (void)state;
  char text[256]; /* as many bytes as the second argument says: 7 */
  snprintf(text, sizeof text, "9 %d 0 0 0 8 %d 1 1 0 4 %d 2 0 %d 3 1 %d 4 64 1 2 %d 0 2 3 4 %d", READ, READ, CONSTANT, CONSTANT, ADD,
           MARK, END);
  assert_int_equal(bytes_of(text, 4, 4), 32);
}

/* ---- What is no program, or too long ---- */

static void foreign_programs_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",       "1",        "1 ",      "0 99",     "1 0 x",   "1 1 0",       "1 1 1 5 0", /* no register 1 */
      "1 24 1 0",           /* into the middle of an instruction */
      "1 24 9 0",           "1 1 0 5", /* no end */
      "1 2 0 2 0 8 0",      /* no parameter 2 */
      "1 2 0 1 0 16 0",     "1 2 0 1 40000 8 0", "1 5 0 65 0 0 0", "1 5 0 0 0 0 0", "1 3 0 12 0",
  };
  uint64_t bytes;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *why = run(texts[i], 1, 1, 1000, &bytes);
    if (!why)
      fail_msg("'%s' is taken", texts[i]);
    assert_non_null(strstr(why, "does not know"));
  }
}

static void steps_are_bounded(void **state) {
  (void)state;
  uint64_t bytes;
  char text[64];
  snprintf(text, sizeof text, "1 %d 0", JUMP); /* for ever */
  assert_non_null(strstr(run(text, 1, 1, 1000, &bytes), "too long"));
  snprintf(text, sizeof text, "1 %d", END);
  assert_null(run(text, 5, 5, 1000, &bytes));
  assert_int_equal(bytes, 0);
  assert_non_null(strstr(run(text, 2000000000, 1, 1000, &bytes), "too long")); /* rows without an instruction */
}

static void division_by_zero_is_told(void **state) {
  (void)state;
  uint64_t bytes;
  char text[64];
  snprintf(text, sizeof text, "2 %d 0 0 %d 1 32 0 0 %d", CONSTANT, UDIV, END);
  assert_non_null(strstr(run(text, 1, 1, 1000, &bytes), "zero"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_compute_like_single_threads), cmocka_unit_test(ranges_are_united),
      cmocka_unit_test(repeated_marks_count_once),        cmocka_unit_test(parameters_are_read),
      cmocka_unit_test(foreign_programs_are_refused),     cmocka_unit_test(steps_are_bounded),
      cmocka_unit_test(division_by_zero_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
