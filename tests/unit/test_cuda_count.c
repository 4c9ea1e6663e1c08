// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Counting on the GPU from end to end: registration, descriptor, sheet, counters, times and a device reset,
 * on a fake driver, CUDA runtime and CUPTI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "clones/clones.h"
#include "core/kernels.h"
#include "cuda/cupti.h"
#include "cuda_program.h"
#include "gpuprof.h"
#include "gpuprof/abi.h"

int cudaDeviceReset(void);

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tcounted\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=2\tglobal_load=4\n"
                            "end\n";
static uint64_t bases[1];

/* One "thread" adds the counts of all threads of the launch. */
static void counted(void **arguments) {
  uint64_t *counters = (uint64_t *)(uintptr_t)bases[0];
  if (!counters)
    return;
  counters[0] += *(const uint64_t *)arguments[0];
  counters[2 * 5 + 1] += 1; /* slot 5, group 1 */
}

static void launch(void) {
  uint64_t threads = 2 * 32;
  void *arguments[] = {&threads};
  launch_blocks(counted, 2, 32, arguments);
}

static int register_program(void **state) {
  (void)state;
  return register_program_of(sheet, (const struct cuda_function[]){{counted, "counted"}}, 1, bases);
}

/* The counts of the kernel's record whose region has this name; null: of the one outside any region. */
static struct gp_record *record_in(const char *region) {
  struct gp_kernel *kernel = gp_kernel_of((const void *)(uintptr_t)counted);
  for (struct gp_record *r = kernel->records; r; r = r->next) {
    const char *name = r->context->site ? r->context->site->description.name : NULL;
    if (region ? name && !strcmp(name, region) : !name)
      return r;
  }
  fail_msg("no record in region %s", region ? region : "(none)");
  return NULL;
}

static void assert_counts(const char *region, uint64_t launches) {
  uint64_t counts[2];
  struct gp_record *record = record_in(region);
  assert_int_equal(gp_record_read(record, 0, counts), 0);
  assert_int_equal(counts[0], 64 * launches);
  assert_int_equal(counts[1], launches);
  assert_int_equal(record->launches, launches);
  assert_int_equal(record->threads, 64 * launches);
}

static void launches_count_for_the_region_they_are_in(void **state) {
  (void)state;
  launch();
  for (int i = 0; i < 2; i++) {
    uint32_t token = gpuprof_region_begin("a");
    launch();
    launch();
    gpuprof_region_end(token);
    launch();
  }
  assert_counts(NULL, 3);
  assert_counts("a", 4);
}

static void times_come_from_records(void **state) {
  (void)state;
  assert_null(gp_cuda_time_source_reason());
  gp_device()->flush();
  assert_int_equal(record_in("a")->source, GP_TIME_CUPTI);
  assert_int_equal(record_in("a")->time.total, 4 * 500);
}

static void counts_outlive_a_reset_of_the_device(void **state) {
  (void)state;
  assert_int_equal(cudaDeviceReset(), 0);
  assert_true(bases[0] == 0); /* nothing counts into freed memory */
  assert_counts(NULL, 3);
  assert_counts("a", 4);
  launch();
  assert_counts(NULL, 4);
  assert_int_equal(cudaDeviceReset(), 0);
  assert_counts(NULL, 4);
  assert_counts("a", 4);
}

int main(int count, char **arguments) {
  (void)count;
  run_with_fakes(arguments);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_count_for_the_region_they_are_in),
      cmocka_unit_test(times_come_from_records),
      cmocka_unit_test(counts_outlive_a_reset_of_the_device),
  };
  return cmocka_run_group_tests(tests, register_program, NULL);
}
