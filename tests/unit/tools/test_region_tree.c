// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The order of regions: children behind their parent, found by index or path, without a way round in circles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/region_tree.h"

#include <string.h>

#define MANY 200000u

static struct entry entries[MANY];

static void set(size_t index, const char *path, const char *parent, size_t parent_index) {
  entries[index] = (struct entry){.name = path, .path = path, .parent = parent, .parent_index = parent_index};
}

static void expect(size_t index, const char *path, unsigned depth, size_t parent, bool last) {
  assert_string_equal(entries[index].path, path);
  assert_int_equal(entries[index].depth, depth);
  assert_int_equal(entries[index].parent_index, parent);
  assert_int_equal(entries[index].last, last);
}

static void children_follow_their_parent(void **state) {
  (void)state;
  static const char a[] = "a", ab[] = "a/b", ac[] = "a/c", d[] = "d", abe[] = "a/b/e";
  set(0, d, "", SIZE_MAX);
  set(1, ac, a, SIZE_MAX);
  set(2, abe, ab, SIZE_MAX);
  set(3, a, "", SIZE_MAX);
  set(4, ab, a, SIZE_MAX);
  region_tree_order(entries, 5);
  expect(0, "d", 0, SIZE_MAX, true); /* of its own tree */
  expect(1, "a", 0, SIZE_MAX, true);
  expect(2, "a/c", 1, 1, false);
  expect(3, "a/b", 1, 1, true);
  expect(4, "a/b/e", 2, 3, true);
}

static void an_index_goes_before_a_path(void **state) {
  (void)state;
  static const char a[] = "a", ab[] = "a/b";
  set(0, a, "", SIZE_MAX);
  set(1, a, "", SIZE_MAX); /* of another thread, say */
  set(2, ab, a, 1);
  region_tree_order(entries, 3);
  expect(2, "a/b", 1, 1, true);
  assert_int_equal(entries[1].depth, 0);
}

static void circles_begin_a_tree_of_their_own(void **state) {
  (void)state;
  static const char a[] = "a", b[] = "b";
  set(0, a, b, SIZE_MAX);
  set(1, b, a, SIZE_MAX);
  region_tree_order(entries, 2);
  assert_int_equal(entries[0].depth, 0);
  assert_int_equal(entries[1].depth, 1);
  assert_int_equal(entries[1].parent_index, 0);
}

/* In the order of documents: each behind its parent, or behind a sibling and its content. */
static void entries_in_their_order_stay(void **state) {
  (void)state;
  set(0, "a", "", SIZE_MAX);
  set(1, "a/b", "", 0);
  set(2, "a/b/c", "", 1);
  set(3, "a/b/d", "", 1);
  set(4, "a/e", "", 0);
  set(5, "f", "", SIZE_MAX);
  region_tree_order(entries, 6);
  expect(0, "a", 0, SIZE_MAX, true);
  expect(1, "a/b", 1, 0, false);
  expect(2, "a/b/c", 2, 1, false);
  expect(3, "a/b/d", 2, 1, true);
  expect(4, "a/e", 1, 0, true);
  expect(5, "f", 0, SIZE_MAX, true);
}

/* A child behind an entry of another parent. */
static void entries_out_of_their_order_move(void **state) {
  (void)state;
  set(0, "a", "", SIZE_MAX);
  set(1, "b", "", SIZE_MAX);
  set(2, "a/c", "", 0);
  region_tree_order(entries, 3);
  expect(0, "a", 0, SIZE_MAX, true);
  expect(1, "a/c", 1, 0, true);
  expect(2, "b", 0, SIZE_MAX, true);
}

static void a_parent_that_is_missing_leaves_a_root(void **state) {
  (void)state;
  set(0, "c", "", SIZE_MAX);
  set(1, "a/b", "a", SIZE_MAX);
  region_tree_order(entries, 2);
  expect(1, "a/b", 0, SIZE_MAX, true);
}

static void a_chain_may_be_deep(void **state) {
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    set(i, "x", "", i ? i - 1 : SIZE_MAX);
  region_tree_order(entries, MANY);
  assert_int_equal(entries[MANY - 1].depth, MANY - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_follow_their_parent),
      cmocka_unit_test(entries_in_their_order_stay),
      cmocka_unit_test(entries_out_of_their_order_move),
      cmocka_unit_test(an_index_goes_before_a_path),
      cmocka_unit_test(circles_begin_a_tree_of_their_own),
      cmocka_unit_test(a_parent_that_is_missing_leaves_a_root),
      cmocka_unit_test(a_chain_may_be_deep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
