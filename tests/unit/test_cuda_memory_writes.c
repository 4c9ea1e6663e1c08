// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory read by a clone, on a fake GPU: calls of the driver that write it are seen by CUPTI, by whomever they are made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_calls.h"
#include "clones/clones.h"
#include "cuda_program.h"
#include "gpuprof.h"

#include <dlfcn.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\twatched\tgroups=2\n"
                            "cost\t0\t1\t-\t-\t0\tfp32_add=1\n"
                            "clone\t0\tlight\t2\t0:0:8\n"
                            "loads\t0\t2\t0:0\n"
                            "stores\t0\t2\n"
                            "end\n";
static uint64_t bases[1];
static int clone_runs;
enum { PLACE = 7 << 20, ELSEWHERE = 9 << 20, LAUNCHES = 10 };

static void watched(void **arguments) { (void)arguments; }

__attribute__((visibility("default"))) void fake_counting_clone(void **arguments);
void fake_counting_clone(void **arguments) {
  clone_runs++;
  *(uint64_t *)(uintptr_t)*(const uint64_t *)arguments[2] = (uint64_t)(uintptr_t)bases;
}

static int register_program(void **state) {
  (void)state;
  return register_program_of(sheet, (const struct cuda_function[]){{watched, "watched"}}, 1, bases);
}

static int clones_of_launches(void) {
  uint64_t pointer = PLACE;
  uint32_t number = 3;
  void *arguments[] = {&pointer, &number};
  const int before = clone_runs;
  for (int i = 0; i < LAUNCHES; i++)
    launch_blocks(watched, 1, 32, arguments);
  return clone_runs - before;
}

static int call_driver(const char *function, uint64_t first) {
  int (*call)(const char *, uint64_t);
  *(void **)&call = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_driver_call");
  assert_non_null(call);
  return call(function, first);
}

/* Before anybody watches memory, copies are not looked at; what hides later writes is. */
static void copies_are_seen_once_memory_is_watched(void **state) {
  (void)state;
  assert_false(call_driver("cuMemcpyHtoD_v2", PLACE));
  assert_int_equal(clones_of_launches(), 2);
  assert_true(call_driver("cuMemcpyHtoD_v2", PLACE + 64));
  assert_int_equal(clones_of_launches(), 2);
  assert_true(call_driver("cuMemcpyHtoD_v2", ELSEWHERE));
  assert_int_equal(clones_of_launches(), 0);
  assert_false(call_driver("cuMemcpyDtoH_v2", PLACE));
}

static void a_call_that_may_write_anywhere_is_a_write(void **state) {
  (void)state;
  assert_true(call_driver("cuMemcpyBatchAsync", 0));
  assert_int_equal(clones_of_launches(), 2);
}

static void freed_memory_is_another_one(void **state) {
  (void)state;
  assert_true(call_driver("cuMemFree_v2", PLACE));
  assert_int_equal(clones_of_launches(), 2);
}

static void a_launch_of_a_library_may_write_anywhere(void **state) {
  (void)state;
  void (*launch)(const char *, int);
  *(void **)&launch = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "fake_driver_launch");
  assert_non_null(launch);
  launch("of_a_library", 0);
  assert_int_equal(clones_of_launches(), 2);
}

static void after_a_function_of_the_host_the_clone_runs_each_time(void **state) {
  (void)state;
  assert_true(call_driver("cuLaunchHostFunc", 0));
  assert_int_equal(clones_of_launches(), LAUNCHES);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_are_seen_once_memory_is_watched),
      cmocka_unit_test(a_call_that_may_write_anywhere_is_a_write),
      cmocka_unit_test(freed_memory_is_another_one),
      cmocka_unit_test(a_launch_of_a_library_may_write_anywhere),
      cmocka_unit_test(after_a_function_of_the_host_the_clone_runs_each_time),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
