// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* diff and check: the differences of two documents, their order, failures of a check, and facts forbidding a check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "common/say.h" /* has a function named like a macro of cmocka */

#include <cmocka.h>

#include "compare/compare.h"
#include "compare/compare_context.h"
#include "compare/diff.h"

#include <string.h>

static const struct selection everything = {.regions = true, .kernels = true};
static struct document before, after;
static struct comparison comparison;
static struct text out;

static void parse(struct document *document, const char *file, const char *context, const char *members) {
  struct text text = {0};
  text_format(&text,
              "{\"schema\":\"gpuprof.roofline\",\"version\":1,\"context\":{\"command\":\"app\"%s},\"device\":"
              "{\"kind\":"
              "\"gpu\",\"name\":\"H200\",\"chip\":\"h200\"},\"ceilings\":{\"flops\":[],\"bytes\":[]},%s}",
              context, members);
  assert_true(document_parse(file, &text, document));
}

static void parse_both(const char *first, const char *second) {
  parse(&before, "before.json", "", first);
  parse(&after, "after.json", "", second);
}

static void compare(const char *first, const char *second) {
  parse_both(first, second);
  compare_documents(&comparison, &before, &after, &everything);
}

static int tear_down(void **state) {
  (void)state;
  comparison_free(&comparison);
  document_free(&before);
  document_free(&after);
  text_free(&out);
  memset(&before, 0, sizeof before);
  memset(&after, 0, sizeof after);
  memset(&out, 0, sizeof out);
  return 0;
}

/* Rows with one region "a" of these members, and no kernel. */
#define REGION(members) "\"regions\":[{\"name\":\"a\",\"path\":\"a\"" members "}],\"kernels\":[]"
#define KERNEL(name) "\"regions\":[],\"kernels\":[{\"name\":\"" name "\"}]"

static void expect_difference(size_t index, const char *row, const char *name) {
  struct text shown = {0};
  assert_true(index < comparison.count);
  difference_name(&shown, &comparison.items[index]);
  assert_string_equal(comparison.items[index].row, row);
  assert_string_equal(text_get(&shown), name);
  text_free(&shown);
}

static void equal_counts_are_compared_and_no_difference(void **state) {
  (void)state;
  compare(REGION(",\"launches\":2,\"flops\":{\"total\":10}"),
          REGION(",\"launches\":2,\"flops\":{\"total\":10}"));
  assert_int_equal(comparison.count, 0);
  assert_true(comparison.compared >= 2);
  assert_int_equal(comparison.rows, 1);
}

static void counts_beyond_doubles_are_compared_exactly(void **state) {
  (void)state;
  compare(REGION(",\"launches\":18446744073709551615"), REGION(",\"launches\":18446744073709551614"));
  assert_int_equal(comparison.count, 1);
  expect_difference(0, "a", "launches");
}

static void counters_of_the_program_go_by_name(void **state) {
  (void)state;
  compare(REGION(",\"user_counters\":{\"hits\":1,\"old\":5}"),
          REGION(",\"user_counters\":{\"new\":5,\"hits\":2}"));
  assert_int_equal(comparison.count, 3);
  expect_difference(0, "a", "counter hits");
  expect_difference(1, "a", "counter new");
  expect_difference(2, "a", "counter old");
}

/* A count unknown to a device is no regression of the program. */
static void counts_of_one_device_are_set_apart(void **state) {
  (void)state;
  compare(REGION(",\"bytes\":{\"unique\":null}"), REGION(",\"bytes\":{\"unique\":64}"));
  assert_int_equal(comparison.count, 0);
  assert_int_equal(comparison.one_sided, 1);
  assert_string_equal(text_get(&comparison.one_sided_names), "unique bytes");
}

static void rows_of_one_document_are_gone_or_added(void **state) {
  (void)state;
  compare(KERNEL("_Z3oldv"), KERNEL("_Z3newv"));
  assert_int_equal(comparison.count, 2);
  assert_int_equal(comparison.items[0].gone + comparison.items[1].gone, 1);
  assert_int_equal(comparison.items[0].added + comparison.items[1].added, 1);
  assert_int_equal(comparison.rows, 0);
  comparison_keep_regressions(&comparison, 0);
  assert_int_equal(comparison.count, 2);
}

/* It divides work counted elsewhere. */
static void a_new_region_is_no_regression(void **state) {
  (void)state;
  compare(REGION(""), REGION("},{\"name\":\"b\",\"path\":\"b\""));
  assert_int_equal(comparison.count, 1);
  comparison_keep_regressions(&comparison, 0);
  assert_int_equal(comparison.count, 0);
}

/* ---- Values kept by a check ---- */

static struct value whole(uint64_t number) {
  return (struct value){.kind = VALUE_WHOLE, .magnitude = number, .real = (double)number};
}

static size_t kept(struct difference difference, double tolerance) {
  struct comparison one = {.items = &difference, .count = 1};
  comparison_keep_regressions(&one, tolerance);
  return one.count;
}

static void work_may_shrink_and_grow_by_the_tolerance(void **state) {
  (void)state;
  const struct difference grown = {.before = whole(100), .after = whole(105), .fails = IF_GROWN};
  const struct difference shrunk = {.before = whole(100), .after = whole(10), .fails = IF_GROWN};
  assert_int_equal(kept(grown, 0), 1);
  assert_int_equal(kept(grown, 4.9), 1);
  assert_int_equal(kept(grown, 5), 0);
  assert_int_equal(kept(shrunk, 0), 0);
}

static void what_a_program_does_must_not_change(void **state) {
  (void)state;
  const struct difference fewer = {.before = whole(100), .after = whole(95), .fails = IF_CHANGED};
  assert_int_equal(kept(fewer, 0), 1);
  assert_int_equal(kept(fewer, 5), 0);
}

static void a_count_that_is_gone_fails_and_a_new_one_does_not(void **state) {
  (void)state;
  const struct difference gone = {.before = whole(1), .after = {.kind = VALUE_UNKNOWN}, .fails = IF_GROWN};
  const struct difference new = {.before = {.kind = VALUE_UNKNOWN}, .after = whole(1), .fails = IF_GROWN};
  assert_int_equal(kept(gone, 1000), 1);
  assert_int_equal(kept(new, 0), 0);
}

static void some_differences_never_fail(void **state) {
  (void)state;
  assert_int_equal(kept((struct difference){.gone = true, .fails = NEVER}, 0), 0);
  assert_int_equal(kept((struct difference){.gone = true, .fails = IF_CHANGED}, 1000), 1);
}

/* ---- Output ---- */

static void rows_come_before_counts_and_large_changes_before_small(void **state) {
  (void)state;
  struct difference items[] = {
      {.row = "small", .before = whole(100), .after = whole(101), .group = DIFFERS_COUNT, .order = 0},
      {.row = "large", .before = whole(100), .after = whole(900), .group = DIFFERS_COUNT, .order = 1},
      {.row = "row", .gone = true, .group = DIFFERS_ROW, .order = 2},
      {.row = "equal", .before = whole(200), .after = whole(202), .group = DIFFERS_COUNT, .order = 3},
  };
  struct comparison four = {.items = items, .count = 4};
  comparison_sort(&four);
  assert_string_equal(items[0].row, "row");
  assert_string_equal(items[1].row, "large");
  assert_string_equal(items[2].row, "small");
  assert_string_equal(items[3].row, "equal");
}

static void the_table_has_change_and_width(void **state) {
  (void)state;
  static char name[300];
  memset(name, 'n', sizeof name - 1);
  struct difference items[] = {
      {.row = name, .before = whole(100), .after = whole(150), .group = DIFFERS_COUNT, .step = NO_STEP},
      {.row = "a", .before = whole(0), .after = whole(1), .group = DIFFERS_COUNT, .step = 7},
      {.row = "b", .before = whole(1), .after = whole(20), .group = DIFFERS_COUNT, .step = NO_STEP},
  };
  comparison_table(&out, &(struct comparison){.items = items, .count = 3}, 40);
  const char *text = text_get(&out);
  assert_non_null(strstr(text, "+50 %"));
  assert_non_null(strstr(text, "step 7"));
  assert_non_null(strstr(text, " new\n"));
  assert_non_null(strstr(text, "x 20\n"));
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 110);
}

/* ---- Whole comparisons ---- */

static void another_build_forbids_a_check(void **state) {
  (void)state;
  parse(&before, "before.json", ",\"builds\":[{\"optimization\":\"O2\",\"compiler\":\"clang 21\"}]",
        REGION(""));
  parse(&after, "after.json", ",\"builds\":[{\"optimization\":\"O3\",\"compiler\":\"clang 22\"}]",
        REGION(""));
  assert_int_equal(compare_contexts(&out, &before, &after, false),
                   1); /* the compiler is told, and forbids nothing */
  assert_non_null(strstr(text_get(&out), "optimization of device code: O2 before, O3 after"));
  assert_non_null(strstr(text_get(&out), "compiler: clang 21 before, clang 22 after"));
}

static void builds_of_a_document_are_a_set(void **state) {
  (void)state;
  parse(&before, "before.json", ",\"builds\":[{\"optimization\":\"O2\"},{\"optimization\":\"O3\"}]",
        REGION(""));
  parse(&after, "after.json",
        ",\"builds\":[{\"optimization\":\"O3\"},{\"optimization\":\"O2\"},{\"optimization\":\"O3\"}]",
        REGION(""));
  assert_int_equal(compare_contexts(&out, &before, &after, false), 0);
  assert_string_equal(text_get(&out), "");
}

static void diff_tells_differences_and_its_exit_code(void **state) {
  (void)state;
  const struct arguments arguments = {0};
  parse_both(REGION(",\"launches\":2"), REGION(",\"launches\":3"));
  assert_int_equal(diff_documents(&out, &before, &after, &arguments), EXIT_DIFFERS);
  assert_non_null(strstr(text_get(&out), " 1 of 1 counts differ."));
  assert_int_equal(diff_documents(&out, &before, &before, &arguments), EXIT_GOOD);
}

static void a_check_fails_beyond_its_tolerance(void **state) {
  (void)state;
  const struct arguments arguments = {0};
  size_t beyond = 0;
  parse_both(REGION(",\"launches\":10"), REGION(",\"launches\":11"));
  assert_int_equal(check_documents(&out, &before, &after, 5, &arguments, &beyond), EXIT_DIFFERS);
  assert_int_equal(beyond, 1);
  assert_int_equal(check_documents(&out, &before, &after, 10, &arguments, &beyond), EXIT_GOOD);
  assert_int_equal(beyond, 0);
  assert_non_null(strstr(text_get(&out), "1 counts checked: none is beyond the baseline."));
}

static void programs_without_a_common_row_are_not_checked(void **state) {
  (void)state;
  const struct arguments arguments = {0};
  size_t beyond = 0;
  parse_both(KERNEL("_Z3onev"), KERNEL("_Z3twov"));
  assert_int_equal(check_documents(&out, &before, &after, 0, &arguments, &beyond), EXIT_UNUSABLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(equal_counts_are_compared_and_no_difference, tear_down),
      cmocka_unit_test_teardown(counts_beyond_doubles_are_compared_exactly, tear_down),
      cmocka_unit_test_teardown(counters_of_the_program_go_by_name, tear_down),
      cmocka_unit_test_teardown(counts_of_one_device_are_set_apart, tear_down),
      cmocka_unit_test_teardown(rows_of_one_document_are_gone_or_added, tear_down),
      cmocka_unit_test_teardown(a_new_region_is_no_regression, tear_down),
      cmocka_unit_test(work_may_shrink_and_grow_by_the_tolerance),
      cmocka_unit_test(what_a_program_does_must_not_change),
      cmocka_unit_test(a_count_that_is_gone_fails_and_a_new_one_does_not),
      cmocka_unit_test(some_differences_never_fail),
      cmocka_unit_test(rows_come_before_counts_and_large_changes_before_small),
      cmocka_unit_test_teardown(the_table_has_change_and_width, tear_down),
      cmocka_unit_test_teardown(another_build_forbids_a_check, tear_down),
      cmocka_unit_test_teardown(builds_of_a_document_are_a_set, tear_down),
      cmocka_unit_test_teardown(diff_tells_differences_and_its_exit_code, tear_down),
      cmocka_unit_test_teardown(a_check_fails_beyond_its_tolerance, tear_down),
      cmocka_unit_test_teardown(programs_without_a_common_row_are_not_checked, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
