/* The cost of a region for the host: the same loop without a region, with one while gpuprof is off, and with a counting
 * one. The three take turns, so a busy machine disturbs them alike; the least and the median of the turns are printed.
 */
#include <gpuprof.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 41, ROUNDS = 200000 };

static volatile uint64_t sink;

static void plain(void) {
  for (int i = 0; i < ROUNDS; i++)
    sink = (uint64_t)i;
}

static void one(void) {
  for (int i = 0; i < ROUNDS; i++) {
#pragma gpuprof region("one")
    sink = (uint64_t)i;
  }
}

static void nested(void) {
  for (int i = 0; i < ROUNDS / 4; i++) {
#pragma gpuprof region("a")
#pragma gpuprof region("b")
#pragma gpuprof region("c")
#pragma gpuprof region("d")
    sink = (uint64_t)i;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct way {
  const char *name;
  void (*loop)(void);
  int counts;
} ways[] = {{"plain loop", plain, 1},
            {"region, off", one, 0},
            {"region, on", one, 1},
            {"4 nested regions, on (each)", nested, 1}};
enum { WAYS = sizeof ways / sizeof *ways };

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static double ns[WAYS][TURNS];
  for (int turn = 0; turn < TURNS; turn++)
    for (int w = 0; w < WAYS; w++) {
      if (ways[w].counts)
        gpuprof_enable();
      else
        gpuprof_disable();
      double start = now();
      ways[w].loop();
      ns[w][turn] = (now() - start) / ROUNDS;
    }
  for (int w = 0; w < WAYS; w++)
    qsort(ns[w], TURNS, sizeof **ns, order);
  printf("%-30s %8s %8s   ns a pass, %d turns of %d\n", "", "least", "median", TURNS, ROUNDS);
  for (int w = 0; w < WAYS; w++)
    printf("%-30s %8.2f %8.2f\n", ways[w].name, ns[w][0], ns[w][TURNS / 2]);
  printf("%-30s %8.2f %8.2f   more than the plain loop\n", "cost of a region, off", ns[1][0] - ns[0][0],
         ns[1][TURNS / 2] - ns[0][TURNS / 2]);
  printf("%-30s %8.2f %8.2f\n", "cost of a region, on", ns[2][0] - ns[0][0], ns[2][TURNS / 2] - ns[0][TURNS / 2]);
  return 0;
}
