// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How often a launch reads the clock: on the fake device, with a clock_gettime() of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ticks.h"
#include "fake_device.h"
#include "launch/launch_hook.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int reads;

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time) {
  reads++;
  return (int)syscall(SYS_clock_gettime, clock, time);
}

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\ttwinned\tgroups=2\n"
                            "twin\t0\t1\n"
                            "counters\t0\t1\t8\n"
                            "kernel\t1\tplain\tgroups=2\n"
                            "end\n";
static const char *const names[] = {"twinned", "plain", NULL};
static struct fake_unit unit;

enum { TWINNED, PLAIN };

static int reads_of_20_launches(int kernel) {
  uint32_t number = 3;
  void *arguments[] = {&number};
  reads = 0;
  for (int i = 0; i < 20; i++)
    fake_launch_cloned(&unit, kernel, NULL, 2, arguments);
  return reads;
}

/* Those around the program's call, for the time line. Samples of gpuprof's own cost read only the processor's counter. */
static void a_launch_reads_the_clock_twice(void **state) {
  (void)state;
  reads_of_20_launches(PLAIN);
  assert_in_range(reads_of_20_launches(PLAIN), 1, gp_ticks_of_processor ? 40 : 20 * 4 + 2 * 2);
}

/* Its times are told by the counter. Now and then the clock is read beside it: not each time. */
static void a_repeated_launch_reads_no_clock(void **state) {
  (void)state;
  int least = reads_of_20_launches(TWINNED);
  for (int i = 0; i < 1000 && least; i++) {
    const int now = reads_of_20_launches(TWINNED);
    least = now < least ? now : least;
  }
  assert_in_range(least, 0, gp_ticks_of_processor ? 0 : 20 * 2 + 2 * 2);
}

static int set_up(void **state) {
  (void)state;
  const int off = fake_begin(&unit, sheet, names);
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_unit = unit.counters, .counters_argument = 1};
  return off;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_reads_the_clock_twice),
      cmocka_unit_test(a_repeated_launch_reads_no_clock),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
