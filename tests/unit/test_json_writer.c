#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(containers_nest_and_commas_fall_right), cmocka_unit_test(texts_are_escaped),
      cmocka_unit_test(broken_utf8_becomes_valid),             cmocka_unit_test(integers_are_exact),
      cmocka_unit_test(compact_values_stand_on_one_line),      cmocka_unit_test(texts_of_any_length_are_whole),
      cmocka_unit_test(reals_are_short_and_read_back),         cmocka_unit_test(misuse_and_full_disks_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
