// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prefault.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* C libraries before 2.35 do not name it */
#endif

void gp_prefault(void *start, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = (uintptr_t)start / page * page;
  const uintptr_t end = ((uintptr_t)start + bytes) / page * page;
  const int saved = errno;
  if (first < end)
    madvise((void *)first, end - first, MADV_POPULATE_WRITE);
  errno = saved;
}
