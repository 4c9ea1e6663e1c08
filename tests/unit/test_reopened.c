// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A library that is closed and opened again while a document is made of its kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/kernels.h"
#include "fake_device.h"
#include "report/aggregate.h"

#include <pthread.h>
#include <stdatomic.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tadd\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "end\n";
static const char *const names[] = {"add", NULL};
static struct fake_unit unit;
static _Atomic int ended;

static void launch(void) {
  const uint64_t counts[] = {1};
  fake_launch(&unit, 0, NULL, 1, counts, 1);
}

static void *look(void *kernel) {
  uint64_t groups = 0;
  while (!ended)
    for (int i = 0; i < 1000; i++)
      groups += gp_instance_sheet(&((struct gp_kernel *)kernel)->instances[0])->groups != 1;
  return (void *)(uintptr_t)groups;
}

static void its_kernel_has_a_sheet_at_any_moment(void **state) {
  (void)state;
  enum { OPENINGS = 100000 };
  pthread_t threads[2];
  void *others;
  launch();
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, look, gp_kernel_of(&unit.functions[0]));
  for (int i = 0; i < OPENINGS; i++) {
    fake_unregister(&unit);
    fake_register(&unit, sheet, names);
    launch();
  }
  ended = 1;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], &others);
    assert_null(others);
  }
  struct gp_aggregate *all = gp_aggregate_make();
  assert_int_equal(all->regions.totals.amount[GP_COST_fp32_add], OPENINGS + 1);
  gp_aggregate_free(all);
}

static int set_up(void **state) {
  (void)state;
  return fake_begin(&unit, sheet, names);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(its_kernel_has_a_sheet_at_any_moment)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
