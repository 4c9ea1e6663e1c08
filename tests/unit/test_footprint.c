// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Address formulas: the sectors of a launch, found for all threads at once, against marks of one thread after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/footprint.h"
#include "clones/sector_set.h"

#include "formula_threads.h"

#define STEPS (UINT64_C(1) << 18)

static uint64_t bytes_of_threads(const struct gp_formula *formula, const struct gp_launch *launch, int *good) {
  static uint8_t sectors[SECTORS];
  uint64_t counts[GROUPS] = {0}, bytes = 0;
  memset(sectors, 0, sizeof sectors);
  *good = run_threads(formula, launch, counts, sectors);
  for (size_t i = 0; i < SECTORS; i++)
    bytes += sectors[i] * 32u;
  return bytes;
}

/* Returns whether the host could tell; then it must have told the sectors of the threads. */
static int compare(const struct gp_formula *formula, const struct gp_launch *launch, const char *text) {
  uint64_t steps = STEPS, bytes;
  int good;
  if (gp_footprint_bytes(formula, launch, &steps, &bytes))
    return 0;
  const uint64_t expected = bytes_of_threads(formula, launch, &good);
  if (good && bytes != expected) {
    const struct arguments *a = launch->arguments[0];
    fail_msg("%s\ngrid %u %u %u block %u %u %u, arguments %d %d %lld %lld: %llu bytes, not %llu", text, launch->grid[0],
             launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2], a->first, a->second,
             (long long)a->third, (long long)a->fourth, (unsigned long long)bytes, (unsigned long long)expected);
  }
  return good;
}

/* The share of launches, in percent, that the host must tell. Addresses must stay within 2 MiB. */
static void holds(const char *text, unsigned percent) {
  const char *problem = NULL;
  struct gp_formula *formula = parse(text, &problem);
  if (!formula)
    fail_msg("%s: %s", text, problem);
  unsigned told = 0;
  const unsigned trials = 60;
  random_state = 2027;
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

#define GLOBAL_ID "ctaid_x;ntid_x;tid_x;mul 32 0 1;add 32 3 2;sext 64 4" /* value 5 */
#define SMALL "param 32 0 0;and 32 0 #63;zext 64 1"                    /* value 2: 0 to 63 */

static void rows_of_elements(void **state) {
  (void)state;
  holds(GLOBAL_ID ";mul 64 5 #4;mark 6 #0 #1 #4;end", 100);
  holds(GLOBAL_ID ";mul 64 5 #36;add 64 6 #7;mark 7 #0 #1 #4;end", 100);
  holds(GLOBAL_ID ";mul 64 5 #64;mark 6 #0 #1 #4;mark 6 #8 #2 #1;add 64 6 #40;mark 7 #0 #1 #16;end", 100);
  holds(GLOBAL_ID ";mul 64 5 #-8;add 64 6 #1048576;mark 7 #0 #1 #8;end", 100);
  holds("tid_x;zext 64 0;mul 64 1 #4;mark 2 #0 #1 #4;end", 100);
  holds("mark #100 #0 #1 #1;mark #64 #32 #0 #4;mark #64 #32 #9 #0;end", 100);
}

static void guarded_rows(void **state) {
  (void)state;
  holds(GLOBAL_ID ";param 32 0 0;slt 32 4 6;if 7 1 2;mul 64 5 #4;mark 8 #0 #1 #4;br 2;end", 100);
  holds(GLOBAL_ID ";param 32 1 0;and 32 6 #255;zext 64 7;ult 64 5 8;select 64 9 5 8;mul 64 10 #4;mark 11 #0 #1 #4;end", 100);
}

static void tiles_of_matrices(void **state) {
  (void)state;
  /* rows of 1,024 bytes by y, columns by x; then transposed */
  holds(GLOBAL_ID ";tid_y;zext 64 6;mul 64 7 #1024;and 64 5 #255;mul 64 9 #4;add 64 8 10;mark 11 #0 #1 #4;end", 100);
  holds(GLOBAL_ID ";tid_y;zext 64 6;mul 64 7 #4;and 64 5 #255;mul 64 9 #1024;add 64 8 10;mark 11 #0 #1 #4;end", 100);
  /* each thread a row of some elements, at a pitch that is no multiple of a sector */
  holds("tid_x;zext 64 0;mul 64 1 #100;mark 2 #4 #20 #4;end", 100);
  holds("tid_x;zext 64 0;mul 64 1 #4;mark 2 #1000 #37 #4;end", 100);
}

static void windows_that_overlap(void **state) {
  (void)state;
  holds("tid_x;zext 64 0;mul 64 1 #64;mark 2 #96 #11 #4;end", 100);
  holds("tid_x;tid_y;zext 64 0;zext 64 1;mul 64 2 #64;mul 64 3 #192;add 64 4 5;mark 6 #64 #3 #4;mark 6 #40 #7 #8;end", 100);
}

static void lengths_that_differ(void **state) {
  (void)state;
  /* a prefix by thread: the longest is all of them */
  holds("tid_x;zext 64 0;mark #4096 #64 1 #4;end", 100);
  /* rows of a triangle */
  holds("tid_x;zext 64 0;mul 64 1 #2048;mark 2 #64 1 #4;end", 95);
  holds("tid_x;ctaid_x;zext 64 0;zext 64 1;mul 64 2 #4096;mul 64 3 #64;add 64 4 5;add 64 2 #1;mark 6 #128 7 #4;end", 90);
}

static void loops_that_stay(void **state) {
  (void)state;
  holds(SMALL ";tid_x;zext 64 3;mul 64 4 #4;br 1;phi 64 0 5 2 10;phi 64 0 #0 2 9;ult 64 7 2;if 8 2 3;"
              "add 64 7 #1;add 64 6 #512;mark 6 #0 #1 #4;br 1;end", 100);
  /* as many turns as the thread's number: the box is cut in each turn */
  holds("tid_x;and 32 0 #31;zext 64 1;br 1;phi 64 0 #0 2 5;ult 64 3 2;if 4 2 3;add 64 3 #1;mul 64 3 #96;mark 6 #0 #1 #4;br 1;end", 90);
}

/* What no dimension of a box can say is found point by point. */
static void operations_that_are_not_affine(void **state) {
  (void)state;
  holds("tid_x;tid_y;xor 32 0 1;zext 64 2;mul 64 3 #32;mark 4 #0 #1 #4;end", 90);
  holds("tid_x;mul 32 0 0;and 32 1 #4095;zext 64 2;mul 64 3 #32;mark 4 #0 #1 #4;end", 90);
}

static void large_launches_are_found_quickly(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t bytes;
  } known[] = {
      {GLOBAL_ID ";mul 64 5 #4;mark 6 #0 #1 #4;end", UINT64_C(4) << 30},
      {GLOBAL_ID ";mul 64 5 #64;mark 6 #0 #1 #4;end", UINT64_C(32) << 30},                            /* one member of structures */
      {GLOBAL_ID ";mul 64 5 #96;mark 6 #0 #1 #4;add 64 6 #40;mark 7 #0 #1 #8;end", UINT64_C(64) << 30}, /* two members */
  };
  void *arguments[] = {NULL};
  const struct gp_launch launch = {.grid = {1u << 20, 1, 1}, .block = {1024, 1, 1}, .arguments = arguments};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *problem = NULL;
    struct gp_formula *formula = parse(known[i].text, &problem);
    uint64_t steps = 1000, bytes = 0;
    assert_non_null(formula);
    const char *why = gp_footprint_bytes(formula, &launch, &steps, &bytes);
    if (why || bytes != known[i].bytes)
      fail_msg("%s: %s, %llu bytes", known[i].text, why ? why : "", (unsigned long long)bytes);
    gp_formula_free(formula);
  }
}

static const char *why_of(const char *text, uint64_t steps) {
  const char *problem = NULL;
  struct gp_formula *formula = parse(text, &problem);
  void *arguments[] = {NULL};
  const struct gp_launch launch = {.grid = {1000, 1, 1}, .block = {1024, 1, 1}, .arguments = arguments};
  uint64_t bytes;
  const char *why = gp_footprint_bytes(formula, &launch, &steps, &bytes);
  gp_formula_free(formula);
  return why ? why : "";
}

static void what_takes_too_long_is_told(void **state) {
  (void)state;
  assert_non_null(strstr(why_of("br 1;br 1", 1000), "takes too long"));
  assert_non_null(strstr(why_of("tid_x;mul 32 0 0;zext 64 1;mark 2 #0 #1 #4;end", 100), "cannot compute")); /* 1,024 points */
  assert_non_null(strstr(why_of("tid_x;tid_y;zext 64 0;mul 64 2 #68;mark 3 #90 #1000 #4;end", 5000), "too many places"));
  assert_non_null(strstr(why_of("tid_x;zext 64 0;mul 64 1 #4611686018427387904;mark 2 #0 #1 #4;end", 1000), "wrap around"));
  assert_non_null(strstr(why_of("udiv 32 #1 #0;end", 1000), "cannot compute"));
}

/* Lattices of random shapes, against their ranges one by one. */
static void random_lattices(void **state) {
  (void)state;
  static uint8_t sectors[1 << 16];
  random_state = 5;
  for (unsigned trial = 0; trial < 3000; trial++) {
    struct gp_sector_set set = {0};
    uint64_t ranges = 1u << 20, bytes, expected = 0;
    memset(sectors, 0, sizeof sectors);
    const unsigned lattices = 1 + below(4);
    const uint64_t grain = below(3) ? 32 : 4;
    for (unsigned n = 0; n < lattices; n++) {
      struct gp_lattice l = {.base = (1u << 20) + below(200) * grain, .width = 1 + below(70), .dimensions = below(4)};
      for (unsigned d = 0; d < l.dimensions; d++) {
        l.steps[d] = below(24) * grain * (below(4) ? 1 : 4);
        l.counts[d] = 1 + below(6);
        if (!below(4))
          l.steps[d] = -l.steps[d];
      }
      for (unsigned i = 0; i < (l.dimensions > 0 ? l.counts[0] : 1); i++)
        for (unsigned j = 0; j < (l.dimensions > 1 ? l.counts[1] : 1); j++)
          for (unsigned k = 0; k < (l.dimensions > 2 ? l.counts[2] : 1); k++)
            for (uint64_t byte = 0; byte < l.width; byte++)
              sectors[(l.base + i * l.steps[0] + j * l.steps[1] + k * l.steps[2] + byte) / 32] = 1;
      assert_null(gp_sector_set_add(&set, l));
    }
    assert_null(gp_sector_set_bytes(&set, &ranges, &bytes));
    for (size_t i = 0; i < sizeof sectors; i++)
      expected += sectors[i] * 32u;
    if (bytes != expected)
      fail_msg("trial %u: %llu bytes, not %llu", trial, (unsigned long long)bytes, (unsigned long long)expected);
    gp_sector_set_free(&set);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_elements),
      cmocka_unit_test(guarded_rows),
      cmocka_unit_test(tiles_of_matrices),
      cmocka_unit_test(windows_that_overlap),
      cmocka_unit_test(lengths_that_differ),
      cmocka_unit_test(loops_that_stay),
      cmocka_unit_test(operations_that_are_not_affine),
      cmocka_unit_test(large_launches_are_found_quickly),
      cmocka_unit_test(what_takes_too_long_is_told),
      cmocka_unit_test(random_lattices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
