// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/format_rounded.h"
#include "report/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t bytes;
static struct gp_json json;

static void begin(void) { gp_json_begin(&json, open_memstream(&text, &bytes)); }

static int end(void) {
  int result = gp_json_end(&json);
  fclose(json.stream);
  return result;
}

static void assert_document(const char *expected) {
  assert_int_equal(end(), 0);
  assert_string_equal(text, expected);
  free(text);
}

static void containers_nest_and_commas_fall_right(void **state) {
  (void)state;
  begin();
  gp_json_object(&json, NULL);
  gp_json_array(&json, "empty");
  gp_json_close_array(&json);
  gp_json_array(&json, "list");
  gp_json_unsigned(&json, NULL, 1);
  gp_json_null(&json, NULL);
  gp_json_object(&json, NULL);
  gp_json_close_object(&json);
  gp_json_close_array(&json);
  gp_json_text(&json, "last", "x");
  gp_json_close_object(&json);
  assert_document("{\n \"empty\": [],\n \"list\": [\n  1,\n  null,\n  {}\n ],\n \"last\": \"x\"\n}\n");
}

static void assert_text(const char *value, const char *expected) {
  begin();
  gp_json_text(&json, NULL, value);
  assert_document(expected);
}

static void texts_are_escaped(void **state) {
  (void)state;
  assert_text("a\"b\\c/", "\"a\\\"b\\\\c/\"\n");
  assert_text("\n\t\r\b\f\x01\x1f\x7f", "\"\\n\\t\\r\\b\\f\\u0001\\u001f\\u007f\"\n");
  assert_text("größe €  \xf0\x9f\x98\x80", "\"größe €  \xf0\x9f\x98\x80\"\n");
  assert_text(NULL, "null\n");
}

static void broken_utf8_becomes_valid(void **state) {
  (void)state;
  assert_text("a\xff" "b", "\"a\\ufffdb\"\n");          /* never a byte of UTF-8 */
  assert_text("\xc3", "\"\\ufffd\"\n");                 /* cut short at the end */
  assert_text("\xe2\x82", "\"\\ufffd\\ufffd\"\n");
  assert_text("\xc0\xaf", "\"\\ufffd\\ufffd\"\n");      /* overlong */
  assert_text("\xed\xa0\x80x", "\"\\ufffd\\ufffd\\ufffdx\"\n"); /* surrogate */
}

static void integers_are_exact(void **state) {
  (void)state;
  begin();
  gp_json_array(&json, NULL);
  gp_json_unsigned(&json, NULL, UINT64_MAX);
  gp_json_unsigned(&json, NULL, (UINT64_C(1) << 53) + 1);
  gp_json_signed(&json, NULL, INT64_MIN);
  gp_json_close_array(&json);
  assert_document("[\n 18446744073709551615,\n 9007199254740993,\n -9223372036854775808\n]\n");
}

static void assert_real(double value, const char *expected) {
  begin();
  gp_json_real(&json, NULL, value);
  assert_document(expected);
}

static void reals_are_short_and_read_back(void **state) {
  (void)state;
  assert_real(0.1, "0.1\n");
  assert_real(2, "2.0\n");
  assert_real(1e300, "1e+300\n");
  assert_real(1.0 / 3, "0.3333333333333333\n");
  assert_real(0.1 + 0.2, "0.30000000000000004\n");
  assert_real(NAN, "null\n");
  assert_real(INFINITY, "null\n");
}

static void compact_values_stand_on_one_line(void **state) {
  (void)state;
  begin();
  gp_json_array(&json, NULL);
  for (int i = 0; i < 2; i++) {
    gp_json_compact(&json, 0);
    gp_json_object(&json, NULL);
    gp_json_compact(&json, 1);
    gp_json_unsigned(&json, "a", 1);
    gp_json_array(&json, "b");
    gp_json_boolean(&json, NULL, 1);
    gp_json_real(&json, NULL, 0.5);
    gp_json_close_array(&json);
    gp_json_close_object(&json);
  }
  gp_json_compact(&json, 0);
  gp_json_close_array(&json);
  assert_int_equal(end(), 0);
  assert_string_equal(text, "[\n {\"a\": 1,\"b\": [true,0.5]},\n {\"a\": 1,\"b\": [true,0.5]}\n]\n");
  free(text);
}

static void derived_reals_have_nine_digits(void **state) {
  (void)state;
  begin();
  gp_json_array(&json, NULL);
  gp_json_compact(&json, 1);
  gp_json_rounded(&json, NULL, 1.0 / 3);
  gp_json_rounded(&json, NULL, 2);
  gp_json_rounded(&json, NULL, 5575680000000);
  gp_json_rounded(&json, NULL, NAN);
  gp_json_close_array(&json);
  assert_document("[0.333333333,2.0,5.57568e+12,null]\n");
}

/* Defaults of every kind of value, and of objects in the object. */
static void write_defaults(struct gp_json_defaults *defaults) {
  gp_json_compact(&json, 1);
  gp_json_array(&json, NULL);
  gp_json_object_of_defaults(&json, NULL, defaults);
  gp_json_unsigned(&json, "count", 0);
  gp_json_null(&json, "unknown");
  gp_json_text(&json, "text", "word");
  gp_json_real(&json, "real", 0);
  gp_json_object(&json, "inner");
  gp_json_unsigned(&json, "a", 0);
  gp_json_unsigned(&json, "b", 7);
  gp_json_close_object(&json);
  gp_json_array(&json, "list");
  gp_json_close_array(&json);
  gp_json_close_object(&json);
}
#define DEFAULTS \
  "[{\"count\": 0,\"unknown\": null,\"text\": \"word\",\"real\": 0.0,\"inner\": {\"a\": 0,\"b\": 7},\"list\": []}"

/* The same members, or others. */
static void write_row(struct gp_json_defaults *defaults, int other) {
  gp_json_sparse_object(&json, NULL, defaults);
  gp_json_unsigned(&json, "count", (uint64_t)other);
  if (other)
    gp_json_unsigned(&json, "unknown", 0);
  else
    gp_json_null(&json, "unknown");
  gp_json_text(&json, "text", other ? "words" : "word");
  gp_json_real(&json, "real", other);
  gp_json_object(&json, "inner");
  gp_json_unsigned(&json, "a", 0);
  gp_json_unsigned(&json, "b", other ? 70 : 7);
  gp_json_close_object(&json);
  gp_json_array(&json, "list");
  if (other)
    write_row(defaults, 0);
  gp_json_close_array(&json);
  gp_json_close_object(&json);
}

static void members_equal_to_defaults_are_left_out(void **state) {
  (void)state;
  static struct gp_json_defaults defaults;
  begin();
  write_defaults(&defaults);
  write_row(&defaults, 0);
  write_row(&defaults, 1);
  gp_json_close_array(&json);
  assert_document(DEFAULTS ",{},{\"count\": 1,\"unknown\": 0,\"text\": \"words\",\"real\": 1.0,\"inner\": {\"b\": 70},"
                           "\"list\": [{}]}]\n");
}

/* Absent is not unknown: values other than the default, and kept ones, are written in any case. */
static void members_without_a_default_are_kept(void **state) {
  (void)state;
  static struct gp_json_defaults defaults;
  begin();
  write_defaults(&defaults);
  gp_json_sparse_object(&json, NULL, &defaults);
  gp_json_null(&json, "count");
  gp_json_null(&json, "other");
  gp_json_object(&json, "others");
  gp_json_close_object(&json);
  gp_json_object(&json, "inner");
  gp_json_null(&json, "a");
  gp_json_unsigned(&json, "count", 0);
  gp_json_close_object(&json);
  gp_json_keep(&json, 1);
  gp_json_text(&json, "text", "word");
  gp_json_keep(&json, 0);
  gp_json_real(&json, "real", 0);
  gp_json_close_object(&json);
  gp_json_close_array(&json);
  assert_document(DEFAULTS ",{\"count\": null,\"other\": null,\"others\": {},\"inner\": {\"a\": null,\"count\": 0},"
                           "\"text\": \"word\"}]\n");
}

/* A site's changes of the defaults: its rows leave such values out, and write the general default. */
static void an_object_changes_the_defaults_of_others(void **state) {
  (void)state;
  static struct gp_json_defaults defaults, changed;
  begin();
  write_defaults(&defaults);
  gp_json_object(&json, NULL);
  gp_json_text(&json, "place", "here");
  gp_json_change_defaults(&json, &defaults, &changed);
  gp_json_unsigned(&json, "count", 5);
  gp_json_null(&json, "unknown");
  gp_json_text(&json, "text", "words");
  gp_json_unsigned(&json, "other", 1);
  gp_json_object(&json, "others");
  gp_json_unsigned(&json, "a", 1);
  gp_json_close_object(&json);
  gp_json_object(&json, "inner");
  gp_json_unsigned(&json, "a", 0);
  gp_json_unsigned(&json, "b", 8);
  gp_json_close_object(&json);
  gp_json_array(&json, "list");
  gp_json_object(&json, NULL);
  gp_json_unsigned(&json, "count", 1);
  gp_json_close_object(&json);
  gp_json_close_array(&json);
  gp_json_keep(&json, 1);
  gp_json_real(&json, "real", 1);
  gp_json_keep(&json, 0);
  gp_json_close_object(&json);
  gp_json_sparse_object(&json, NULL, &changed);
  gp_json_unsigned(&json, "count", 5);
  gp_json_unsigned(&json, "unknown", 0);
  gp_json_text(&json, "text", "words");
  gp_json_real(&json, "real", 0);
  gp_json_object(&json, "inner");
  gp_json_unsigned(&json, "a", 0);
  gp_json_unsigned(&json, "b", 7);
  gp_json_close_object(&json);
  gp_json_array(&json, "list");
  write_row(&defaults, 0);
  gp_json_close_array(&json);
  gp_json_close_object(&json);
  write_row(&defaults, 0);
  gp_json_close_array(&json);
  assert_document(DEFAULTS ",{\"place\": \"here\",\"count\": 5,\"text\": \"words\",\"inner\": {\"b\": 8}},"
                           "{\"unknown\": 0,\"inner\": {\"b\": 7},\"list\": [{}]},{}]\n");
}

/* A text too long for a default is not changed: rows write it each time. */
static void a_change_that_does_not_fit_is_not_made(void **state) {
  (void)state;
  static struct gp_json_defaults defaults, changed;
  begin();
  write_defaults(&defaults);
  gp_json_object(&json, NULL);
  gp_json_change_defaults(&json, &defaults, &changed);
  gp_json_text(&json, "text", "twenty-four characters..");
  gp_json_close_object(&json);
  gp_json_sparse_object(&json, NULL, &changed);
  gp_json_text(&json, "text", "twenty-four characters..");
  gp_json_close_object(&json);
  gp_json_sparse_object(&json, NULL, &changed);
  gp_json_text(&json, "text", "word");
  gp_json_close_object(&json);
  gp_json_close_array(&json);
  assert_document(DEFAULTS ",{},{\"text\": \"twenty-four characters..\"},{}]\n");
}

/* Texts too long for a default, and members beyond the last, are written each time. */
static void defaults_that_do_not_fit_are_not_left_out(void **state) {
  (void)state;
  static struct gp_json_defaults defaults;
  static char keys[GP_JSON_DEFAULTS + 8][8];
  static const char text_of_24[] = "twenty-four characters..";
  size_t written = 0;
  begin();
  gp_json_array(&json, NULL);
  for (int row = 0; row < 2; row++) {
    if (row)
      gp_json_sparse_object(&json, NULL, &defaults);
    else
      gp_json_object_of_defaults(&json, NULL, &defaults);
    gp_json_text(&json, "long", text_of_24);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      snprintf(keys[i], sizeof keys[i], "k%zu", i);
      gp_json_unsigned(&json, keys[i], 0);
    }
    gp_json_close_object(&json);
  }
  gp_json_close_array(&json);
  assert_int_equal(end(), 0);
  for (const char *at = text; (at = strstr(at, text_of_24)); at++)
    written++;
  assert_int_equal(written, 2);
  written = 0;
  for (const char *at = text; (at = strstr(at, ": 0")); at++)
    written++;
  assert_int_equal(written, 2 * (sizeof keys / sizeof *keys) - (GP_JSON_DEFAULTS - 2));
  free(text);
}

/* Around the size of the writer's own buffer, and beyond. */
static void texts_of_any_length_are_whole(void **state) {
  (void)state;
  static char value[3 * sizeof json.buffer];
  for (size_t length = sizeof json.buffer - 4; length < sizeof json.buffer + 4; length++) {
    for (unsigned times = 1; times <= 2; times++) {
      memset(value, 'x', times * length);
      value[times * length] = 0;
      begin();
      gp_json_text(&json, NULL, value);
      assert_int_equal(end(), 0);
      assert_int_equal(strlen(text), times * length + 3);
      assert_memory_equal(text + 1, value, times * length);
      free(text);
    }
  }
}

static void misuse_and_full_disks_are_errors(void **state) {
  (void)state;
  begin();
  gp_json_object(&json, NULL); /* never closed */
  assert_int_equal(end(), -1);
  free(text);
  begin();
  gp_json_close_array(&json); /* never opened */
  assert_int_equal(end(), -1);
  free(text);
  FILE *full = fopen("/dev/full", "w");
  assert_non_null(full);
  setvbuf(full, NULL, _IONBF, 0);
  gp_json_begin(&json, full);
  gp_json_unsigned(&json, NULL, 1);
  assert_int_equal(end(), -1);
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Numbers of few digits, ratios, and any bits. */
static double random_real(uint64_t *state, int kind) {
  const uint64_t a = next_random(state), b = next_random(state);
  double value;
  if (kind == 0)
    return (double)(a % 1000000) / (double)(1 + b % 1000);
  if (kind == 1)
    return (double)(a >> (b % 64)) * 0.5;
  if (kind == 2)
    return (double)(a % 2000000001) / 2e10;
  memcpy(&value, &a, sizeof value);
  return value;
}

static void rounded_reals_are_those_of_printf(void **state) {
  uint64_t seed = 77;
  int quick = 0;
  (void)state;
  for (int i = 0; i < 200000; i++) {
    const double value = random_real(&seed, i % 4);
    char own[GP_ROUNDED_BYTES], expected[40];
    if (!gp_format_rounded(own, value))
      continue;
    snprintf(expected, sizeof expected, "%.9g", value);
    assert_string_equal(own, expected);
    quick++;
  }
  assert_in_range(quick, 120000, 200000); /* those of any bits are mostly too small or too large */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(containers_nest_and_commas_fall_right), cmocka_unit_test(texts_are_escaped),
      cmocka_unit_test(broken_utf8_becomes_valid),             cmocka_unit_test(integers_are_exact),
      cmocka_unit_test(compact_values_stand_on_one_line),      cmocka_unit_test(texts_of_any_length_are_whole),
      cmocka_unit_test(derived_reals_have_nine_digits),        cmocka_unit_test(members_equal_to_defaults_are_left_out),
      cmocka_unit_test(members_without_a_default_are_kept),    cmocka_unit_test(defaults_that_do_not_fit_are_not_left_out),
      cmocka_unit_test(an_object_changes_the_defaults_of_others), cmocka_unit_test(a_change_that_does_not_fit_is_not_made),
      cmocka_unit_test(reals_are_short_and_read_back),         cmocka_unit_test(rounded_reals_are_those_of_printf),
      cmocka_unit_test(misuse_and_full_disks_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
