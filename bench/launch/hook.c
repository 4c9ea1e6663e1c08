// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the hook of a launch takes by itself, on the fake device of the unit tests: ns of processor time of each thread.
 * Usage: hook KIND THREADS LAUNCHES [TURNS]. Kinds: free (a free clone counts the kernel), unique (its unique bytes are looked
 * up, too), region (in a region of the host, with a time of the device), twin (it gets its counters), turns (24 launches of the
 * kernel in turn), steps (the same, each 24 in a region of another name), differ (no launch is like one before), off (gpuprof is
 * disabled).
 */
#include "base/device.h"
#include "base/log.h"
#include "fake_device.h"
#include "gpuprof.h"
#include "launch/launch_hook.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tfree\tgroups=2\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t0\tfree\t3\t0:0:4\t2:8:4\n"
                            "kernel\t1\tunique\tgroups=2\n"
                            "cost\t1\t0\t-\t-\t0\tfp32_add=1\n"
                            "clone\t1\tfree\t4\t0:0:4\t2:8:4\n"
                            "addresses\t1\tfree\t4\t0:0:4\t@3:0:8\n"
                            "kernel\t2\ttwin\tgroups=2\n"
                            "cost\t2\t0\t-\t-\t0\tfp32_add=1\n"
                            "twin\t2\t3\n"
                            "counters\t2\t3\t24\n"
                            "end\n";
static const char *const names[] = {"free", "unique", "twin", NULL};
static struct fake_unit unit;
static const char *kind;
static long launches;

static int is(const char *name) { return !strcmp(kind, name); }

static int nothing(void *unused) {
  (void)unused;
  return 0;
}

static const char *launch_twin(const struct gp_launch *launch, const char *suffix, int *error) {
  (void)launch, (void)suffix;
  *error = 0;
  return NULL;
}

static double own_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A path of its own for the launches that follow. */
static unsigned begin_step(unsigned last, long number) {
  char name[32];
  if (last)
    gpuprof_region_end(last);
  snprintf(name, sizeof name, "step_%ld", number);
  return gpuprof_region_begin(name);
}

static void *run(void *ns) {
  int number = 0, other = 0, members[4] = {0};
  void *pointer = &unit;
  void *arguments[] = {&number, &other, members, &pointer};
  const struct gp_launch launch = {.function = &unit.functions[is("unique") ? 1 : is("twin") ? 2 : 0],
                                   .grid = {3, 1, 1},
                                   .block = {128, 1, 1},
                                   .stream = (void *)0x1000,
                                   .arguments = arguments};
  const int turns = is("turns") || is("steps") ? 24 : is("differ") ? 1 << 30 : 1;
  const unsigned region = is("region") ? gpuprof_region_begin("region") : 0;
  for (int i = 0; i < 100; i++) {
    number = i % turns;
    gp_launch(launch, nothing, NULL);
  }
  const double start = own_ns();
  unsigned step = 0;
  for (long i = 0; i < launches; i++) {
    number = (int)(i % turns);
    if (is("steps") && i % 24 == 0)
      step = begin_step(step, i / 24);
    gp_launch(launch, nothing, NULL);
  }
  if (step)
    gpuprof_region_end(step);
  *(double *)ns = (own_ns() - start) / (double)launches;
  if (region)
    gpuprof_region_end(region);
  return NULL;
}

static double turn(int threads) {
  pthread_t all[64];
  double ns[64], sum = 0;
  for (int i = 0; i < threads; i++)
    pthread_create(&all[i], NULL, run, &ns[i]);
  for (int i = 0; i < threads; i++) {
    pthread_join(all[i], NULL);
    sum += ns[i] / threads;
  }
  return sum;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  kind = count > 1 ? words[1] : "free";
  const int threads = count > 2 ? atoi(words[2]) : 1, turns = count > 4 ? atoi(words[4]) : 1;
  launches = count > 3 ? atol(words[3]) : 1000000;
  if (threads < 1 || threads > 64 || turns < 1 || turns > 99 || launches < 1)
    return 2;
  static struct gp_device_ops device;
  if (fake_begin(&unit, sheet, names))
    return 1;
  device = fake_device;
  device.launch_instrumented = launch_twin;
  gp_device_override(&device);
  fake = (struct fake_state){.next_unique_bytes = UINT64_MAX, .clone_parameters = is("unique") ? 4 : 3, .clone_unit = unit.counters};
  fake.time_source = is("region") ? GP_TIME_EVENT : GP_TIME_NONE;
  if (is("off"))
    gpuprof_disable();
  double ns[99];
  for (int i = 0; i < turns; i++)
    ns[i] = turn(threads);
  qsort(ns, (size_t)turns, sizeof *ns, by_size);
  printf("%.1f %.1f\n", ns[0], ns[turns / 2]);
  return 0;
}
