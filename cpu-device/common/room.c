// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/room.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static bool limit_of(uint64_t *bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return false;
  *bytes = limit.rlim_cur;
  return true;
}

/* Without /proc the used amount is unknown: half of the limit is assumed. */
static uint64_t used_of(uint64_t limit) {
  FILE *file = fopen("/proc/self/statm", "re");
  unsigned long long pages = 0;
  int known = file && fscanf(file, "%llu", &pages) == 1;
  if (file)
    fclose(file);
  return known ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : limit / 2;
}

uint64_t gp_cpu_room(void) {
  uint64_t limit;
  if (!limit_of(&limit))
    return UINT64_MAX;
  uint64_t used = used_of(limit);
  return used < limit ? limit - used : 0;
}

const char *gp_cpu_room_limit(char text[128]) {
  uint64_t limit;
  text[0] = 0;
  if (limit_of(&limit))
    snprintf(text, 128, " (its address space is limited to %llu MB by ulimit -v: raise that)",
             (unsigned long long)(limit >> 20));
  return text;
}
