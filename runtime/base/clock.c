// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/clock.h"

#include <time.h>

static uint64_t start_ns;
static long long start_seconds;

uint64_t gp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void gp_clock_start(void) {
  start_ns = gp_now();
  start_seconds = (long long)time(NULL);
}

uint64_t gp_start_ns(void) { return start_ns; }
long long gp_start_seconds(void) { return start_seconds; }
