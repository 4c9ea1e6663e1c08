// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Remarks that hold for each launch of a kernel are made once for a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/kernels.h"
#include "fake_device.h"

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\twork\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
static const char *const names[] = {"work", NULL};
static struct fake_unit unit;

static int tells(enum gp_kernel_remark remark, const char *why) {
  struct gp_kernel *kernel = gp_kernel_of(&unit.functions[0]);
  assert_non_null(kernel);
  gp_kernel_lock(kernel);
  const int result = gp_kernel_tells(kernel, remark, why);
  gp_kernel_unlock(kernel);
  return result;
}

static void a_reason_is_told_until_another_one_holds(void **state) {
  (void)state;
  static const char first[] = "first", second[] = "second";
  assert_true(tells(GP_REMARK_UNIQUE, first));
  assert_false(tells(GP_REMARK_UNIQUE, first));
  assert_true(tells(GP_REMARK_INSTRUMENTED, first));
  assert_true(tells(GP_REMARK_UNIQUE, second));
  assert_false(tells(GP_REMARK_UNIQUE, second));
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_reason_is_told_until_another_one_holds)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
