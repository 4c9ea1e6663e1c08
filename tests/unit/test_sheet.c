// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sheet/sheet.h"

#include <string.h>

static const char good[] = "gpuprof-sheet\t1\n"
                           "build\toptimization=O3\tof_a_newer_plugin=1\tcompiler=clang 22\n"
                           "file\t0\t/path/app.cu\n"
                           "region\t0\t-\tname=attention\tkind=kernel\tfile=app.cu\tline=12\tphase=forward\n"
                           "region\t1\t0\tname=attention.softmax\tkind=device\tcolor=76b900\n"
                           "kernel\t0\t_Z4attnPfS_\tgroups=7\tfile=0\tline=12\n"
                           "kernel\t1\tbare\tgroups=1\n"
                           "function\t2\t_Z1ff\tgroups=1\n"
                           "call\t2\t1\tnext\n"
                           "cost\t0\t3\t1\t0\t21\tfp32_add=2\tglobal_load=18446744073709551614\n"
                           "cost\t1\t0\t-\t-\t0\n"
                           "empty\t0\t1\tfused\n"
                           "clone\t0\tfree\t3\t0:0:4\t2:16:8\n"
                           "clone\t1\tlight\t2\n"
                           "apart\t1\t0:8\t1:16\n"
                           "addresses\t0\tfree\t3\t@0:8:8\t2:0:4\n"
                           "addresses\t1\tlight\t2\n"
                           "addresses_apart\t1\t0:0\t1:8\n"
                           "counters\t1\t2\t16\n"
                           "unique\t1\t2\n"
                           "uncounted\t0\t3\t0\t25\tinline asm \"foo.bar\"\tnot in the table\n"
                           "uncounted\t0\t-\t-\t0\ta call\tits body is elsewhere\n"
                           "end\n";

static struct gp_sheet *parse(const char *text, char problem[256]) {
  problem[0] = 0;
  return gp_sheet_parse(text, strlen(text), problem, 256);
}

static void every_record_is_read(void **state) {
  (void)state;
  char problem[256];
  struct gp_sheet *sheet = parse(good, problem);
  assert_string_equal(problem, "");
  assert_non_null(sheet);
  assert_string_equal(sheet->build[GP_BUILD_optimization], "O3");
  assert_string_equal(sheet->build[GP_BUILD_compiler], "clang 22");
  assert_null(sheet->build[GP_BUILD_architecture]);
  assert_int_equal(sheet->file_count, 1);
  assert_string_equal(sheet->files[0], "/path/app.cu");
  assert_int_equal(sheet->region_count, 2);
  assert_int_equal(sheet->regions[0].parent, GP_NONE);
  assert_string_equal(sheet->regions[0].description.phase, "forward");
  assert_int_equal(sheet->regions[0].description.line, 12);
  assert_int_equal(sheet->regions[1].parent, 0);
  assert_string_equal(sheet->regions[1].description.name, "attention.softmax");
  assert_int_equal(sheet->regions[1].description.color, 0x76b900);
  assert_int_equal(sheet->kernel_count, 3);
  assert_false(sheet->kernels[1].is_function);
  assert_true(sheet->kernels[2].is_function);
  assert_int_equal(sheet->kernels[2].call_count, 1);
  assert_string_equal(sheet->kernels[2].calls[0].name, "next");
  assert_int_equal(sheet->kernels[2].calls[0].region, 1);
  const struct gp_sheet_kernel *kernel = &sheet->kernels[0];
  assert_string_equal(kernel->name, "_Z4attnPfS_");
  assert_int_equal(kernel->groups, 7);
  assert_int_equal(kernel->file, 0);
  assert_int_equal(kernel->term_count, 2);
  assert_int_equal(kernel->terms[0].group, 3);
  assert_int_equal(kernel->terms[0].region, 1);
  assert_int_equal(kernel->terms[0].line, 21);
  assert_int_equal(kernel->terms[0].cost, GP_COST_fp32_add);
  assert_int_equal(kernel->terms[0].amount, 2);
  assert_int_equal(kernel->terms[1].cost, GP_COST_global_load);
  assert_true(kernel->terms[1].amount == UINT64_MAX - 1);
  assert_int_equal(kernel->empty_count, 1);
  assert_int_equal(kernel->empty[0].region, 1);
  assert_int_equal(kernel->empty[0].left, GP_EMPTY_FUSED);
  assert_int_equal(kernel->clone.kind, GP_CLONE_FREE);
  assert_int_equal(kernel->clone.parameters, 3);
  assert_int_equal(kernel->clone.read_count, 2);
  assert_int_equal(kernel->clone.reads[0].bytes, 4);
  assert_int_equal(kernel->clone.reads[1].parameter, 2);
  assert_int_equal(kernel->clone.reads[1].offset, 16);
  assert_int_equal(kernel->clone.reads[1].bytes, 8);
  assert_int_equal(sheet->kernels[1].clone.kind, GP_CLONE_LIGHT);
  assert_int_equal(sheet->kernels[1].clone.apart_count, 1);
  const struct gp_sheet_apart *apart = sheet->kernels[1].clone.apart;
  assert_int_equal(apart->read.parameter, 0);
  assert_int_equal(apart->read.offset, 8);
  assert_int_equal(apart->written.parameter, 1);
  assert_int_equal(apart->written.offset, 16);
  assert_int_equal(kernel->addresses.kind, GP_CLONE_FREE);
  assert_int_equal(kernel->addresses.read_count, 2);
  assert_int_equal(kernel->addresses.reads[0].is_base, 1);
  assert_int_equal(kernel->addresses.reads[0].offset, 8);
  assert_int_equal(kernel->addresses.reads[1].is_base, 0);
  assert_int_equal(kernel->has_marking_kernel, 0);
  assert_int_equal(sheet->kernels[1].addresses.kind, GP_CLONE_LIGHT);
  assert_int_equal(sheet->kernels[1].addresses.apart_count, 1);
  assert_int_equal(sheet->kernels[1].addresses.apart[0].written.offset, 8);
  assert_int_equal(sheet->kernels[1].has_marking_kernel, 1);
  assert_int_equal(sheet->kernels[1].parameters, 2);
  assert_int_equal(kernel->takes_counters, 0);
  assert_int_equal(sheet->kernels[1].takes_counters, 1);
  assert_int_equal(sheet->kernels[1].counters_offset, 16);
  assert_int_equal(kernel->uncounted_count, 2);
  assert_string_equal(kernel->uncounted[0].what, "inline asm \"foo.bar\"");
  assert_string_equal(kernel->uncounted[0].why, "not in the table");
  assert_int_equal(kernel->uncounted[1].group, GP_NONE);
  assert_int_equal(sheet->kernels[1].term_count, 0);
  assert_int_equal(sheet->kernels[1].file, GP_NONE);
  gp_sheet_free(sheet);
}

static void text_need_not_end_with_zero(void **state) {
  (void)state;
  char problem[256] = "", text[sizeof good + 3];
  memcpy(text, good, sizeof good - 1);
  memcpy(text + sizeof good - 1, "junk", 4);
  struct gp_sheet *sheet = gp_sheet_parse(text, sizeof good - 1, problem, sizeof problem);
  assert_non_null(sheet);
  gp_sheet_free(sheet);
}

static void what_is_wrong_is_said(void **state) {
  (void)state;
#define HEAD "gpuprof-sheet\t1\n"
  static const struct {
    const char *text, *problem;
  } cases[] = {
      {"", "line 1 of the cost sheet: it must begin with 'gpuprof-sheet' and version 1"},
      {"gpuprof-sheet\t2\nend\n", "line 1 of the cost sheet: it must begin"},
      {HEAD, "the end is missing"},
      {HEAD "end\nfile\t0\tx\n", "line 3 of the cost sheet: something follows the end"},
      {HEAD "what\t0\nend\n", "line 2 of the cost sheet: 'what' is no record"},
      {HEAD "file\t0\nend\n", "'file' lacks fields"},
      {HEAD "file\t1\tx\nend\n", "file 1 is out of order"},
      {HEAD "region\t0\t0\tname=a\nend\n", "'0' is not a number below 0"},
      {HEAD "region\t0\t-\tkind=host\nend\n", "region 0 has no name"},
      {HEAD "kernel\t0\tk\tgroups=0\nend\n", "kernel k has no groups"},
      {HEAD "kernel\t0\tk\tgroups=1\ncounters\t0\t1\t32764\nend\n", "'32764' is not a number below 32764"},
      {HEAD "kernel\t0\tk\tgroups=-1\nend\n", "'groups=-1' is not key=number"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t2\t-\t-\t0\nend\n", "'2' is not a number below 2"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t1\t0\t-\t-\t0\nend\n", "'1' is not a number below 1"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t0\t5\t-\t0\nend\n", "'5' is not a number below 0"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t-\t-\t-\t0\nend\n", "a cost needs a group"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t0\t-\t-\t0\tfp33_add=1\nend\n", "'fp33_add' is no cost class"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t0\t-\t-\t0\tfp32_ad=1\nend\n", "'fp32_ad' is no cost class"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t0\t-\t-\t0\tfp32_add=x\nend\n", "'x' is not a number"},
      {HEAD "kernel\t0\tk\tgroups=2\nempty\t0\t0\tfused\nend\n", "'0' is not a number below 0"},
      {HEAD "region\t0\t-\tname=a\nkernel\t0\tk\tgroups=2\nempty\t0\t0\tgone\nend\n", "'gone' is nothing that"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tcheap\t1\nend\n", "'cheap' is no kind of clone"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tfree\t1\t1:0:4\nend\n", "a clone reads parameter 1 of 1"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tfree\t3\t2:0:4\nclone\t0\tfree\t1\nend\n", "kernel 0 has two clones"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tfree\t1\t0:4\nend\n", "what a clone reads is parameter:offset:bytes"},
      {HEAD "kernel\t0\tk\tgroups=2\naddresses\t0\tfree\t1\t@0:0:4\nend\n", "a base is a pointer of 8 bytes, not of 4"},
      {HEAD "kernel\t0\tk\tgroups=2\nunique\t0\tmany\nend\n", "'many' is not a number"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t1\tfree\t1\nend\n", "'1' is not a number below 1"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tlight\t1\napart\t0\t0:0\t1:0\nend\n", "a pointer is parameter 1 of 1"},
      {HEAD "kernel\t0\tk\tgroups=2\nstores\t0\t1\t1:0\nend\n", "a pointer is parameter 1 of 1"},
      {HEAD "kernel\t0\tk\tgroups=2\nloads\t0\t1\t0:0\nloads\t0\t1\t0:0\nend\n", "kernel 0 has two records of loads"},
      {HEAD "kernel\t0\tk\tgroups=2\nclone\t0\tlight\t1\napart\t0\t0\t0:8\nend\n",
       "a pointer among the arguments is parameter:offset"},
      {HEAD "kernel\t0\tk\tgroups=2\ncost\t0\t0\t-\t-\t0\tfp32_add\nend\n", "'fp32_add' is not class=amount"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char problem[256];
    assert_null(parse(cases[i].text, problem));
    if (!strstr(problem, cases[i].problem))
      fail_msg("expected '%s', got '%s'", cases[i].problem, problem);
  }
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  char problem[256];
  for (size_t bytes = 0; bytes + 1 < sizeof good - 1; bytes++) {
    assert_null(gp_sheet_parse(good, bytes, problem, sizeof problem));
    assert_string_not_equal(problem, "");
  }
}

static void classes_have_their_flops(void **state) {
  (void)state;
  struct gp_totals totals = {0};
  totals.amount[GP_COST_fp32_fma] = 10;
  totals.amount[GP_COST_fp32_add] = 1;
  totals.amount[GP_COST_fp64_div] = 3;
  totals.amount[GP_COST_tensor_bf16] = 100;
  totals.amount[GP_COST_tensor_int8] = 1000;
  totals.amount[GP_COST_special] = 7;
  totals.amount[GP_COST_global_load] = 64;
  totals.amount[GP_COST_global_atomic] = 4;
  totals.amount[GP_COST_global_uniform] = 32; /* of the loads: in no sum */
  assert_int_equal(gp_totals_flops(&totals), 2 * 10 + 1 + 3 + 100);
  assert_int_equal(gp_totals_group_flops(&totals, "fp32"), 21);
  assert_int_equal(gp_totals_group(&totals, "global"), 68);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_record_is_read),       cmocka_unit_test(text_need_not_end_with_zero),
      cmocka_unit_test(what_is_wrong_is_said),      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(classes_have_their_flops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
