// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernel times of a process with a context before gpuprof's first call, as under PyTorch: events until CUPTI delivers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <string.h>

#include "base/device.h"
#include "cuda/cupti.h"
#include "cuda/cupti_types.h"
#include "cuda_program.h"

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tcounted\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=2\n"
                            "end\n";
static uint64_t bases[1];

static void counted(void **arguments) { (void)arguments; }

static void launch(void) {
  uint64_t nothing = 0;
  void *arguments[] = {&nothing};
  launch_blocks(counted, 1, 32, arguments);
}

static int register_program(void **state) {
  (void)state;
  setenv("FAKE_CUDA_CONTEXT", "1", 1);
  setenv("FAKE_CUPTI_SILENT", "1", 1);
  return register_program_of(sheet, (const struct cuda_function[]){{counted, "counted"}}, 1, bases);
}

static const struct gp_record *record(void) { return gp_kernel_of(stub_of(counted))->records; }

static int is_told(const char *text) {
  int told = 0;
  for (size_t i = 0; gp_log_message(i); i++)
    told |= strstr(gp_log_message(i)->text, text) != NULL;
  return told;
}

static void a_silent_cupti_is_stood_in_for_by_events(void **state) {
  (void)state;
  launch();
  launch();
  assert_true(gp_cupti_active());
  assert_true(gp_device()->idle());
  gp_device()->flush();
  assert_int_equal(record()->time.count, 2);
  assert_int_equal(record()->time.total, 2 * 1000000); /* the fake's events are a millisecond apart */
  assert_int_equal(record()->source, GP_TIME_EVENT);
  assert_true(is_told("kernel times are from CUDA events"));
}

static void records_come_before_events(void **state) {
  (void)state;
  unsetenv("FAKE_CUPTI_SILENT");
  launch();
  gp_device()->flush();
  assert_int_equal(record()->time.count, 3);
  assert_int_equal(record()->time.total, 2 * 1000000 + 500);
  assert_false(gp_cupti_is_unproven());
}

/* Its launch would end the process. */
static void a_graph_of_before_gets_no_record(void **state) {
  (void)state;
  int (*enabled)(int);
  *(void **)&enabled = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_enabled");
  assert_non_null(enabled);
  assert_true(enabled(GP_CUPTI_CONCURRENT_KERNEL));
  assert_false(enabled(GP_CUPTI_GRAPH));
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_silent_cupti_is_stood_in_for_by_events),
      cmocka_unit_test(records_come_before_events),
      cmocka_unit_test(a_graph_of_before_gets_no_record),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
