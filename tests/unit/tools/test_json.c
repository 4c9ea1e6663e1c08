// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* JSON as read by the command: kinds of numbers, strings, places, and mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/json.h"
#include "common/text.h"

#include <string.h>

static struct json_tree tree;
static struct json_remark wrong;

static bool read_text(const char *text) {
  json_free(&tree);
  memset(&tree, 0, sizeof tree);
  memset(&wrong, 0, sizeof wrong);
  return json_read(&tree, text, strlen(text), &wrong);
}

static void numbers_keep_their_kind(void **state) {
  (void)state;
  assert_true(read_text("[0, 18446744073709551615, -18446744073709551615, 1.5, 18446744073709551616, 1e2]"));
  assert_int_equal(json_count(&tree.root), 6);
  assert_int_equal(json_item(&tree.root, 0)->kind, JSON_WHOLE);
  assert_int_equal(json_item(&tree.root, 1)->magnitude, UINT64_MAX);
  assert_int_equal(json_item(&tree.root, 2)->kind, JSON_NEGATIVE);
  assert_int_equal(json_item(&tree.root, 2)->magnitude, UINT64_MAX);
  assert_true(json_item(&tree.root, 3)->real == 1.5);
  assert_int_equal(json_item(&tree.root, 4)->kind, JSON_REAL);
  assert_int_equal(json_item(&tree.root, 5)->kind, JSON_REAL);
}

static void strings_are_decoded(void **state) {
  (void)state;
  assert_true(read_text("[\"a\\n\\u00e9\", \"\\ud83d\\ude00\", \"\\u0000\", \"\\ud800\"]"));
  assert_string_equal(json_item(&tree.root, 0)->string, "a\n\xC3\xA9");
  assert_string_equal(json_item(&tree.root, 1)->string, "\xF0\x9F\x98\x80");
  assert_string_equal(json_item(&tree.root, 2)->string, "\xEF\xBF\xBD");
  assert_string_equal(json_item(&tree.root, 3)->string, "\xEF\xBF\xBD");
}

static void values_are_found_by_their_path(void **state) {
  (void)state;
  assert_true(read_text("{\"bytes\": {\"global\": {\"load\": 7}}, \"a\": [1, {\"b\": 2}]}"));
  assert_int_equal(json_find(&tree, &tree.root, "bytes.global.load")->magnitude, 7);
  assert_null(json_find(&tree, &tree.root, "bytes.global.store"));
  assert_null(json_find(&tree, &tree.root, "a.b")); /* an array is no object */
  assert_int_equal(json_key_of(&tree, "missing"), JSON_NO_KEY);
}

static void a_place_is_the_way_to_a_value(void **state) {
  (void)state;
  struct text place = {0};
  assert_true(read_text("{\"a\": [1, {\"b\": 2}]}"));
  json_place(&place, &tree, json_find(&tree, json_item(json_find(&tree, &tree.root, "a"), 1), "b")->offset);
  assert_string_equal(text_get(&place), "a[1].b");
  text_free(&place);
}

static void of_equal_keys_the_last_counts(void **state) {
  (void)state;
  assert_true(read_text("{\"a\": 1, \"b\": 2, \"a\": 3}"));
  assert_int_equal(tree.duplicates, 1);
  assert_int_equal(json_find(&tree, &tree.root, "a")->magnitude, 3);
}

static void what_is_wrong_has_its_place(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t offset;
    bool cut;
  } cases[] = {{"[1, @]", 4, false}, {"[1 2]", 3, false}, {"{\"a\" 1}", 5, false}, {"[1, 2", 5, true},
               {"\"abc", 4, true},   {"[1] 2", 4, false}, {"[01]", 2, false},      {"", 0, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(read_text(cases[i].text));
    if (wrong.offset != cases[i].offset || wrong.cut != cases[i].cut || !*wrong.what == !wrong.cut)
      fail_msg("'%s': '%s' at %zu, cut %d", cases[i].text, wrong.what, wrong.offset, wrong.cut);
  }
}

static void nests_may_be_deep(void **state) {
  (void)state;
  enum { DEPTH = 100000 };
  static char text[2 * DEPTH + 1];
  memset(text, '[', DEPTH);
  memset(text + DEPTH, ']', DEPTH);
  assert_true(read_text(text));
  size_t depth = 0;
  for (const struct json *at = &tree.root; json_count(at); at = json_item(at, 0))
    depth++;
  assert_int_equal(depth, DEPTH - 1);
}

static int forget(void **state) {
  (void)state;
  json_free(&tree);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_keep_their_kind),
      cmocka_unit_test(strings_are_decoded),
      cmocka_unit_test(values_are_found_by_their_path),
      cmocka_unit_test(a_place_is_the_way_to_a_value),
      cmocka_unit_test(of_equal_keys_the_last_counts),
      cmocka_unit_test(what_is_wrong_has_its_place),
      cmocka_unit_test(nests_may_be_deep),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
