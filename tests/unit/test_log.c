// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message of any length reaches stderr in one piece, without other output within it.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"

/* A pipe keeping the bounds of writes stands in for stderr. */
static void test_one_write(void **state) {
  (void)state;
  int ends[2], saved = dup(STDERR_FILENO);
  char about[300], got[4096], expected[4096];
  memset(about, 'a', sizeof about - 1);
  about[sizeof about - 1] = 0;
  assert_int_equal(pipe2(ends, O_DIRECT | O_NONBLOCK), 0);
  dup2(ends[1], STDERR_FILENO);
  gp_log(GP_ERROR, about, "%0500d", 7);
  dup2(saved, STDERR_FILENO);
  ssize_t length = read(ends[0], got, sizeof got - 1);
  close(ends[0]);
  close(ends[1]);
  close(saved);
  assert_true(length > 0);
  got[length] = 0;
  snprintf(expected, sizeof expected, "gpuprof: error: %s: %0500d\n", about, 7);
  assert_string_equal(got, expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_write)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
