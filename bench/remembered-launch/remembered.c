/* The host's cost in ns of counting a launch with remembered counts: the same launch again and again,
 * and 1000 different ones in turn. On the fake device of the tests, so nothing else is measured.
 */
#include "base/device.h"
#include "clones/clones.h"
#include "fake_device.h"
#include "launch/launch_hook.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t0\tfree\t3\t0:0:4\t2:8:4\n"
                            "end\n";
static const char *const names[] = {"free", NULL};
static struct fake_unit unit;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(const char *what, struct gp_record *record, const struct gp_launch *launch,
                    int different) {
  enum { LAUNCHES = 1000000 };
  struct gp_clone_tally *tally;
  const double start = now();
  for (int i = 0; i < LAUNCHES; i++) {
    *(int *)launch->arguments[0] = i % different;
    gp_clones_launched(record, launch, &tally);
  }
  printf("%s: %.0f ns a launch, %d clones were run\n", what, (now() - start) / LAUNCHES, fake.clones);
}

int main(void) {
  setenv("GPUPROF_OUTPUT", "/dev/null", 1);
  gp_device_override(&fake_device);
  fake_register(&unit, sheet, names);
  fake = (struct fake_state){
      .next_unique_bytes = UINT64_MAX, .clone_parameters = 3, .clone_unit = unit.counters};
  int number = 0, other = 0, members[4] = {0};
  void *arguments[] = {&number, &other, members};
  const struct gp_launch launch = {
      .function = &unit.functions[0], .grid = {3, 1, 1}, .block = {1, 1, 1}, .arguments = arguments};
  fake_launch_cloned(&unit, 0, NULL, 3, arguments);
  struct gp_record *record = gp_kernel_of(launch.function)->records;
  for (int round = 0; round < 3; round++) {
    measure("the same", record, &launch, 1);
    measure("1000 in turn", record, &launch, 1000);
  }
  return 0;
}
