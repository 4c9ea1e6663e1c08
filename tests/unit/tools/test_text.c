// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Text leaving the command: characters obeyed by a terminal, widths, and shortened names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/text.h"

#include <string.h>

#define REPLACED "\xEF\xBF\xBD"

static struct text text;

static const char *plain(const char *string) {
  text_free(&text);
  text_plain(&text, string);
  return text_get(&text);
}

static const char *elided(const char *string, size_t width) {
  text_free(&text);
  text_elide(&text, string, width, "..");
  return text_get(&text);
}

static const char *kernel(const char *name, size_t width) {
  text_free(&text);
  text_elide_kernel(&text, name, width, "..");
  return text_get(&text);
}

static void what_a_terminal_obeys_is_replaced(void **state) {
  (void)state;
  assert_string_equal(plain("attention<\xC3\xA9>"), "attention<\xC3\xA9>");
  assert_string_equal(plain("a\x1B[31mb"), "a" REPLACED "[31mb");
  assert_string_equal(plain("a\nb\tc"), "a" REPLACED "b" REPLACED "c");
  assert_string_equal(plain("a\xE2\x80\xAE"
                            "b"),
                      "a" REPLACED "b"); /* turns the direction of writing */
  assert_string_equal(plain("a\xC2\x85"
                            "b"),
                      "a" REPLACED "b"); /* a control character of two bytes */
  assert_string_equal(plain("a\xFF"
                            "b"),
                      "a" REPLACED "b");
}

static void xml_is_escaped(void **state) {
  (void)state;
  text_free(&text);
  text_xml(&text, "<a href=\"x\">'&'</a>");
  assert_null(strpbrk(text_get(&text), "<>\"'"));
  text_free(&text);
  text_xml(&text, "a&b");
  assert_string_equal(text_get(&text), "a&amp;b");
}

static void a_column_is_a_code_point(void **state) {
  (void)state;
  assert_int_equal(text_width(""), 0);
  assert_int_equal(text_width("abc"), 3);
  assert_int_equal(text_width("\xC3\xA9\xE2\x80\xA6\xF0\x9F\x98\x80"), 3);
}

static void sequences_are_whole_or_broken(void **state) {
  (void)state;
  assert_int_equal(utf8_length("a"), 1);
  assert_int_equal(utf8_length("\xC3\xA9"), 2);
  assert_int_equal(utf8_length("\xF0\x9F\x98\x80"), 4);
  assert_int_equal(utf8_length("\xC0\x80"), 0);     /* longer than it has to be */
  assert_int_equal(utf8_length("\xED\xA0\x80"), 0); /* a surrogate */
  assert_int_equal(utf8_length("\xC3"), 0);
  assert_true(utf8_is_cut("\xF0\x9F", 2));
  assert_false(utf8_is_cut("\xC3\xA9", 2));
}

static void the_middle_of_a_long_text_goes(void **state) {
  (void)state;
  assert_string_equal(elided("abcdefgh", 8), "abcdefgh");
  assert_string_equal(elided("abcdefgh", 7), "abc..gh");
  assert_string_equal(elided("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 4), "\xC3\xA9..\xC3\xA9");
  assert_string_equal(elided("abcdefgh", 2), "abcdefgh"); /* no room for anything but the ellipsis */
}

static void scopes_of_a_kernel_go_first(void **state) {
  (void)state;
  assert_string_equal(kernel("a::(anonymous namespace)::work<b::c>", 36),
                      "a::(anonymous namespace)::work<b::c>");
  assert_string_equal(kernel("a::(anonymous namespace)::work<b::c>", 12), "work<b::c>");
  assert_string_equal(kernel("a::work<abcdefghij>", 12), "work<ab..ij>");
}

static void texts_grow(void **state) {
  (void)state;
  text_free(&text);
  for (int i = 0; i < 1000; i++)
    text_format(&text, "%d,", i % 10);
  assert_int_equal(text.length, 2000);
  assert_int_equal(strlen(text_get(&text)), 2000);
  text_free(&text);
  text_repeat(&text, "ab", 3);
  assert_string_equal(text_get(&text), "ababab");
}

static size_t taken, parts;
static char next_taken = 'a';

static void take(struct text_sink *sink, const char *bytes, size_t count) {
  (void)sink;
  for (size_t i = 0; i < count; i++, next_taken = next_taken == 'z' ? 'a' : (char)(next_taken + 1))
    assert_int_equal(bytes[i], next_taken);
  taken += count;
  parts++;
}

/* A text of any length has the room of a part. */
static void long_texts_are_passed_on_in_parts(void **state) {
  (void)state;
  struct text_sink sink = {take};
  struct text passed = {.sink = &sink};
  const size_t times = 100000;
  for (size_t i = 0; i < times; i++) {
    text_add(&passed, "abcdefghijklmnopqrstuvwxyz");
    text_pass_on(&passed);
  }
  assert_true(parts > 1);
  assert_true(passed.capacity < 26 * times / 4);
  take(&sink, text_get(&passed), passed.length);
  assert_int_equal(taken, 26 * times);
  text_free(&passed);
}

static void texts_without_a_sink_are_kept(void **state) {
  (void)state;
  text_free(&text);
  text_repeat(&text, "0123456789", 100000);
  text_pass_on(&text);
  assert_int_equal(text.length, 1000000);
}

/* Of any length, also beyond the remaining room. */
static void formatted_texts_are_whole(void **state) {
  (void)state;
  static char word[301];
  for (size_t length = 0; length < sizeof word - 1; length++) {
    text_free(&text);
    memset(word, 'x', length);
    word[length] = 0;
    text_format(&text, "<%s>", word);
    assert_int_equal(text.length, length + 2);
    assert_int_equal(strlen(text_get(&text)), length + 2);
  }
}

static void whole_numbers_are_exact(void **state) {
  (void)state;
  text_free(&text);
  text_unsigned(&text, 0);
  text_add(&text, " ");
  text_unsigned(&text, UINT64_MAX);
  assert_string_equal(text_get(&text), "0 18446744073709551615");
}

static int forget(void **state) {
  (void)state;
  text_free(&text);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_terminal_obeys_is_replaced),
      cmocka_unit_test(xml_is_escaped),
      cmocka_unit_test(a_column_is_a_code_point),
      cmocka_unit_test(sequences_are_whole_or_broken),
      cmocka_unit_test(the_middle_of_a_long_text_goes),
      cmocka_unit_test(scopes_of_a_kernel_go_first),
      cmocka_unit_test(texts_grow),
      cmocka_unit_test(long_texts_are_passed_on_in_parts),
      cmocka_unit_test(texts_without_a_sink_are_kept),
      cmocka_unit_test(formatted_texts_are_whole),
      cmocka_unit_test(whole_numbers_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
