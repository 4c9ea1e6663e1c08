/* The cost of a new region path: by a new name, by a new step, and by known regions inside one another
 * in a new order. Each iteration opens new paths, so the table of paths grows as in a long run.
 */
#define _GNU_SOURCE
#include <gpuprof.h>
#include <gpuprof/abi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 15, PATHS = 20000, SITES = 700 };

static unsigned made;

static void names(void) {
  for (int i = 0; i < PATHS; i++) {
    char name[32];
    snprintf(name, sizeof name, "layer_%u", made++);
    gpuprof_region_end(gpuprof_region_begin(name));
  }
}

static void known_names(void) {
  for (int i = 0; i < PATHS; i++) {
    char name[32];
    snprintf(name, sizeof name, "layer_%d", i);
    gpuprof_region_end(gpuprof_region_begin(name));
  }
}

static void steps(void) {
  const uint32_t around = gpuprof_region_begin("steps");
  for (int i = 0; i < PATHS; i++)
    gpuprof_step(made++);
  gpuprof_region_end(around);
}

static struct gpuprof_region_site sites[SITES];

static void pairs(void) {
  static unsigned pair;
  for (int i = 0; i < PATHS; i++, pair++) {
    const uint32_t outer = __gpuprof_region_enter(&sites[pair / SITES]);
    __gpuprof_region_exit(__gpuprof_region_enter(&sites[pair % SITES]));
    __gpuprof_region_exit(outer);
  }
}

static void know_sites(void) {
  static char descriptions[SITES][32];
  for (int i = 0; i < SITES; i++) {
    snprintf(descriptions[i], sizeof *descriptions, "name=site_%d\tkind=host", i);
    sites[i].description = descriptions[i];
    __gpuprof_region_exit(__gpuprof_region_enter(&sites[i]));
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct way {
  const char *name;
  void (*loop)(void);
} ways[] = {{"a new name", names}, {"a known name", known_names}, {"a new step", steps}, {"known regions, a new path", pairs}};
enum { WAYS = sizeof ways / sizeof *ways };

static int order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static double ns[WAYS][TURNS];
  know_sites();
  for (int turn = 0; turn < TURNS; turn++)
    for (int w = 0; w < WAYS; w++) {
      const double start = now();
      ways[w].loop();
      ns[w][turn] = (now() - start) / PATHS;
    }
  printf("%-30s %8s %8s   ns a path, processor time, %d turns of %d\n", "", "least", "median", TURNS, PATHS);
  for (int w = 0; w < WAYS; w++) {
    qsort(ns[w], TURNS, sizeof **ns, order);
    printf("%-30s %8.0f %8.0f\n", ways[w].name, ns[w][0], ns[w][TURNS / 2]);
  }
  fflush(stdout);
  syscall(SYS_exit_group, 0); /* a document of a million paths would take longer than all of this */
}
