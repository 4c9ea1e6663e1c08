// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* GPUPROF_UNIQUE=1 on a fake GPU: marking kernels are launched through the
 * driver or the runtime, on an empty table, and their marks reach the record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clones/addresses.h"
#include "cuda_program.h"

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=1\n"
                            "addresses\t0\tfree\t2\t@0:0:8\t1:0:4\n"
                            "kernel\t1\tlight\tgroups=1\n"
                            "addresses\t1\tlight\t2\t1:0:4\n"
                            "kernel\t2\tcopied\tgroups=1\n"
                            "unique\t2\t2\n"
                            "kernel\t3\tplain\tgroups=1\n"
                            "end\n";
static uint64_t bases[4];
static int kernel_runs, clone_runs, copy_runs;

static void count_run(void **arguments) {
  (void)arguments;
  kernel_runs++;
}
/* Differing functions, since the linker may merge equal ones. */
static void free_kernel(void **arguments) { count_run(arguments); }
static void light(void **arguments) {
  count_run(arguments);
  kernel_runs += 0 * (int)bases[1];
}
static void copied(void **arguments) {
  count_run(arguments);
  kernel_runs += 0 * (int)bases[2];
}
static void plain(void **arguments) {
  count_run(arguments);
  kernel_runs += 0 * (int)bases[3];
}

/* Marks as many sectors as the second argument says; 1000 are too many. */
static void mark(void **arguments) {
  struct gpuprof_unique_table *table = (void *)(uintptr_t)*(const uint64_t *)arguments[2];
  uint64_t *keys = (uint64_t *)(uintptr_t)table->keys;
  uint32_t *bits = (uint32_t *)(uintptr_t)table->bits, sectors;
  memcpy(&sectors, arguments[1], sizeof sectors);
  assert_int_equal(table->mask & (table->mask + 1), 0);
  assert_int_equal(table->overflow, 0);
  for (size_t i = 0; i < GPUPROF_UNIQUE_WORDS; i++)
    assert_int_equal(table->counts[i * GPUPROF_UNIQUE_STRIDE], 0);
  for (uint64_t i = 0; i <= table->mask; i++)
    assert_int_equal(keys[i] | bits[i * GPUPROF_UNIQUE_WORDS] | bits[i * GPUPROF_UNIQUE_WORDS + 63], 0);
  keys[7] = 1;
  bits[64 * 7] = 1;
  table->counts[0] = 1;
  table->counts[63 * GPUPROF_UNIQUE_STRIDE] = sectors - 1;
  table->overflow = sectors == 1000;
}

/* The fake driver's functions of the module (fake_libcuda.c). */
__attribute__((visibility("default"))) void fake_address_clone(void **arguments);
void fake_address_clone(void **arguments) {
  clone_runs++;
  mark(arguments);
}
__attribute__((visibility("default"))) void fake_unique_copy(void **arguments);
void fake_unique_copy(void **arguments) {
  copy_runs++;
  mark(arguments);
}

static int register_program(void **state) {
  (void)state;
  const struct cuda_function functions[] = {
      {free_kernel, "free"}, {light, "light"}, {copied, "copied"}, {plain, "plain"}};
  return register_program_of(sheet, functions, 4, bases);
}

static struct gp_record *launch(cuda_kernel *kernel, uint32_t sectors) {
  uint64_t pointer = UINT64_C(5) << 20;
  void *arguments[] = {&pointer, &sectors};
  kernel_runs = clone_runs = copy_runs = 0;
  return launch_blocks(kernel, 1, 32, arguments);
}

static void a_free_clone_runs_when_it_is_asked(void **state) {
  (void)state;
  launch(free_kernel, 3);
  struct gp_record copy = *launch(free_kernel, 3);
  assert_int_equal(kernel_runs, 1);
  assert_int_equal(clone_runs, 0);
  gp_addresses_add(&copy);
  assert_int_equal(clone_runs, 1);
  assert_int_equal(copy.unique_launches, 2);
  assert_int_equal(copy.unique_bytes, 32 * (3 + 3));
}

static void a_light_clone_runs_behind_each_launch(void **state) {
  (void)state;
  launch(light, 3);
  struct gp_record *record = launch(light, 3);
  assert_int_equal(kernel_runs, 1);
  assert_int_equal(clone_runs, 1);
  assert_int_equal(record->unique_launches, 2);
  assert_int_equal(record->unique_bytes, 32 * (3 + 3));
}

static void a_copy_runs_in_place_of_the_kernel(void **state) {
  (void)state;
  launch(copied, 3);
  struct gp_record *record = launch(copied, 4);
  assert_int_equal(kernel_runs, 0);
  assert_int_equal(copy_runs, 1);
  assert_int_equal(record->launches, 2);
  assert_int_equal(record->unique_launches, 2);
  assert_int_equal(record->unique_bytes, 32 * (3 + 4));
  assert_int_equal(record->time.count, 0);
}

static void too_much_memory_is_not_known(void **state) {
  (void)state;
  struct gp_record *record = launch(copied, 1000);
  assert_int_equal(record->launches, record->unique_launches + 1);
  assert_true(said("copied", "more memory than the device has in use"));
}

static void without_a_copy_the_kernel_runs(void **state) {
  (void)state;
  struct gp_record *record = launch(plain, 3);
  assert_int_equal(kernel_runs, 1);
  assert_int_equal(record->launches, 1);
  assert_int_equal(record->unique_launches, 0);
  assert_true(said("plain", "unique=on"));
}

int main(int count, char **arguments) {
  (void)count;
  setenv("GPUPROF_UNIQUE", "1", 1);
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_free_clone_runs_when_it_is_asked),
      cmocka_unit_test(a_light_clone_runs_behind_each_launch),
      cmocka_unit_test(a_copy_runs_in_place_of_the_kernel),
      cmocka_unit_test(too_much_memory_is_not_known),
      cmocka_unit_test(without_a_copy_the_kernel_runs),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
