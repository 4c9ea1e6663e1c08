// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tokens, pragmas and places of lines in a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scan/source.h"

#include <string.h>

static struct source source;

static void read_text(const char *text) {
  source_free(&source);
  text_add(&source.text, text);
  source_read(&source);
}

/* The offset of the first `word`. */
static uint32_t at(const char *word) { return (uint32_t)(strstr(text_get(&source.text), word) - text_get(&source.text)); }

static void comments_and_literals_have_no_words(void **state) {
  (void)state;
  read_text("/* k1 */ // k2 \\\n k3\nconst char *a = \"k4 \\\" k5\", b = 'k', *c = R\"x(k6 )\" k7)x\"; int n = 1'000; // 'k8\nk9");
  for (const char *const *word = (const char *const[]){"k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", NULL}; *word; ++word)
    assert_int_equal(source_token_at(&source, at(*word)), source.token_count);
  assert_true(source_token_is(&source, source.token_count - 1, "k9"));
}

static void pragmas_are_found_with_what_follows(void **state) {
  (void)state;
  read_text("#pragma gpuprof region(\"a b\") phase( forward ) // c\n#pragma unroll\nvoid f() {}\n");
  assert_int_equal(source.pragma_count, 1);
  assert_string_equal(source.pragmas[0].name, "a b");
  assert_string_equal(source.pragmas[0].phase, "forward");
  assert_ptr_equal(source_pragma_of(&source, at("void"), at("f()")), source.pragmas);
  read_text("  # \\\n pragma /* x\n */ gpuprof ignore\n[[nodiscard]] __attribute__((x)) int f();");
  assert_true(source.pragmas[0].ignore);
  assert_ptr_equal(source_pragma_before(&source, at("int")), source.pragmas);
  read_text("_Pragma(\"gpuprof region(\\\"op\\\")\") x();");
  assert_string_equal(source.pragmas[0].name, "op");
  assert_ptr_equal(source_pragma_before(&source, at("x()")), source.pragmas);
  read_text("#define REGION(n) _Pragma(#n) \\\n  _Pragma(\"gpuprof region\")\nREGION(\"m\")\nx();");
  assert_string_equal(source.pragmas[0].name, "m");
  assert_ptr_equal(source_pragma_before(&source, at("x()")), source.pragmas);
}

static void other_pragmas_are_none(void **state) {
  (void)state;
  read_text("// #pragma gpuprof region\n/*\n#pragma gpuprof region\n*/\nconst char *s = R\"(\n#pragma gpuprof region\n)\";\n"
            "#pragma gpuprof expect flops(1)\n#pragma gpuproof region\nx();");
  assert_int_equal(source.pragma_count, 0);
}

static void a_declaration_begins_before_its_attributes(void **state) {
  (void)state;
  read_text("; extern \"C\" [[a]] [[b(1)]] __attribute__((c(2))) alignas(4) void f();\n f(1) void g();");
  assert_int_equal(source_declaration_start(&source, at("void f")), at("extern"));
  assert_int_equal(source_declaration_start(&source, at("void g")), at("void g"));
}

static void a_line_stands_where_no_code_is_divided(void **state) {
  (void)state;
  read_text("\xEF\xBB\xBFvoid a();\r\n\tvoid b();\n/* */ void c();\nx; void d();\n/*\n*/ void e();\nx = y \\\n void f();\nvoid g();");
  assert_int_equal(source_place_above(&source, at("void a")).at, 3);
  assert_string_equal(source_place_above(&source, at("void a")).line_end, "\r\n");
  assert_int_equal(source_place_above(&source, at("void b")).indent, 1);
  assert_null(source_place_above(&source, at("void c")).why_not);
  assert_non_null(source_place_above(&source, at("void d")).why_not);
  assert_non_null(source_place_above(&source, at("void e")).why_not);
  assert_non_null(source_place_above(&source, at("void f")).why_not);
  assert_null(source_place_above(&source, at("void g")).why_not);
  assert_string_equal(source_place_above(&source, at("void g")).line_end, "\n");
}

static void texts_that_end_too_early_are_read(void **state) {
  (void)state;
  for (const char *const *text = (const char *const[]){"", "\\", "/*", "//", "\"", "'", "R\"", "R\"x(", "#", "#pragma gpuprof", "#define",
                                                       "#pragma gpuprof region(\"", "_Pragma(\"", "_Pragma", "L\"", "#\\", "a\\", NULL};
       *text; ++text)
    read_text(*text);
  source_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comments_and_literals_have_no_words),
      cmocka_unit_test(pragmas_are_found_with_what_follows),
      cmocka_unit_test(other_pragmas_are_none),
      cmocka_unit_test(a_declaration_begins_before_its_attributes),
      cmocka_unit_test(a_line_stands_where_no_code_is_divided),
      cmocka_unit_test(texts_that_end_too_early_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
