/* The cost of the gate of launches for each launch, in one thread and in several at once (bench/overhead/journal). */
#include "base/clock.h"
#include "core/gate.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LAUNCHES 10000000

uint64_t gp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *launch(void *closure) {
  struct timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (int i = 0; i < LAUNCHES; i++) {
    gp_gate_enter();
    gp_gate_leave();
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  *(double *)closure = ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / LAUNCHES;
  return NULL;
}

int main(int count, char **arguments) {
  const int threads = count > 1 ? atoi(arguments[1]) : 1;
  pthread_t *all = calloc((size_t)threads, sizeof *all);
  double *ns = calloc((size_t)threads, sizeof *ns), sum = 0;
  for (int i = 0; all && ns && i < threads; i++)
    pthread_create(&all[i], NULL, launch, &ns[i]);
  for (int i = 0; all && ns && i < threads; i++) {
    pthread_join(all[i], NULL);
    sum += ns[i];
  }
  printf("%.1f\n", sum / threads);
  free(all);
  free(ns);
}
