// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* doctor asks the compiler for its linker of CUDA programs. */
#include "cc/by_hand.h"
#include "common/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a compiler wants the wrapper whose driver answers so. */
static bool wants(const char *answer) {
  char path[] = "/tmp/gpuprof-compiler-XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *script = fdopen(descriptor, "w");
  fprintf(script, "#!/bin/sh\n[ \"$1\" = '-###' ] || exit 1\ncat >&2 <<'END'\n%s\nEND\n", answer);
  fclose(script);
  chmod(path, 0700);
  const bool result = by_hand_wants_wrapper(path);
  unlink(path);
  return result;
}

static void the_newer_driver_wants_it(void **state) {
  (void)state;
  assert_true(wants("clang version 22.1.8\n \"/llvm/bin/clang\" \"-cc1\" \"--offload-new-driver\"\n"
                    " \"/llvm/bin/clang-linker-wrapper\" \"--host-triple=x86_64-pc-linux-gnu\" \"-o\" \"a.out\""));
}

static void the_older_driver_does_not(void **state) {
  (void)state;
  assert_false(wants("clang version 19.1.7\n \"/llvm/bin/clang\" \"-cc1\"\n \"/usr/bin/ld\" \"-o\" \"a.out\""));
}

/* The folder of the source is no program. */
static void a_folder_of_that_name_is_none(void **state) {
  (void)state;
  assert_false(wants(" \"/usr/bin/ld\" \"-L/home/clang-linker-wrapper/lib\" \"-o\" \"a.out\""));
}

static void no_compiler_wants_nothing(void **state) {
  (void)state;
  assert_false(by_hand_wants_wrapper("/nonexistent/clang++"));
  assert_false(by_hand_wants_wrapper("/a folder's/clang++"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_newer_driver_wants_it),
      cmocka_unit_test(the_older_driver_does_not),
      cmocka_unit_test(a_folder_of_that_name_is_none),
      cmocka_unit_test(no_compiler_wants_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
