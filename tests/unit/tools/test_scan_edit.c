// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lines inserted into a text, and the difference that says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scan/edit.h"

#include <string.h>

/* Inserts "+\n" at each of the offsets. */
static void expect_edit(const char *old, const uint32_t *offsets, size_t count, const char *now, const char *difference) {
  struct insertion insertions[4];
  struct text text = {0}, out = {0}, diff = {0};
  for (size_t i = 0; i < count; ++i)
    insertions[i] = (struct insertion){.at = offsets[i], .line = {.data = (char[]){"+\n"}, .length = 2}};
  text_add(&text, old);
  edit_apply(&out, &text, insertions, count);
  edit_diff(&diff, "a.cu", &text, insertions, count);
  assert_string_equal(text_get(&out), now);
  assert_string_equal(text_get(&diff), difference);
  text_free(&text);
  text_free(&out);
  text_free(&diff);
}

#define HEAD "--- ./a.cu\n+++ ./a.cu\n"

static void changes_near_one_another_are_one_piece(void **state) {
  (void)state;
  expect_edit("1\n2\n3\n4\n5\n6\n7\n8\n9\n", (const uint32_t[]){2, 12}, 2, "1\n+\n2\n3\n4\n5\n6\n+\n7\n8\n9\n",
              HEAD "@@ -1,9 +1,11 @@\n 1\n++\n 2\n 3\n 4\n 5\n 6\n++\n 7\n 8\n 9\n");
}

static void changes_far_from_one_another_are_two(void **state) {
  (void)state;
  expect_edit("1\n2\n3\n4\n5\n6\n7\n8\n9\n", (const uint32_t[]){0, 16}, 2, "+\n1\n2\n3\n4\n5\n6\n7\n8\n+\n9\n",
              HEAD "@@ -1,3 +1,4 @@\n++\n 1\n 2\n 3\n@@ -6,4 +7,5 @@\n 6\n 7\n 8\n++\n 9\n");
}

static void a_last_line_without_an_end_keeps_none(void **state) {
  (void)state;
  expect_edit("1\n2", (const uint32_t[]){2}, 1, "1\n+\n2", HEAD "@@ -1,2 +1,3 @@\n 1\n++\n 2\n\\ No newline at end of file\n");
}

static void a_byte_order_mark_stays_first(void **state) {
  (void)state;
  expect_edit("\xEF\xBB\xBF" "1\n2\n", (const uint32_t[]){3}, 1, "\xEF\xBB\xBF+\n1\n2\n",
              HEAD "@@ -1,2 +1,3 @@\n-\xEF\xBB\xBF" "1\n+\xEF\xBB\xBF+\n+1\n 2\n");
}

static void nothing_to_insert_is_no_difference(void **state) {
  (void)state;
  expect_edit("1\n", NULL, 0, "1\n", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_near_one_another_are_one_piece),
      cmocka_unit_test(changes_far_from_one_another_are_two),
      cmocka_unit_test(a_last_line_without_an_end_keeps_none),
      cmocka_unit_test(a_byte_order_mark_stays_first),
      cmocka_unit_test(nothing_to_insert_is_no_difference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
