// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Files of unique bytes (GPUPROF_UNIQUE_FILE): any bytes are applied to a report's rows, or refused. */
#include "report/unique_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char name[64];
  int file = memfd_create("unique", 0);
  if (file < 0 || write(file, data, size) != (ssize_t)size)
    abort();
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  struct gp_row inner = {.path = (char *)"train/forward", .launches = 2}, outer = {.path = (char *)"train", .children = &inner},
                kernel = {.path = (char *)"scale", .launches = 1};
  struct gp_aggregate aggregate = {.regions = {.children = &outer}, .kernels = {.children = &kernel}};
  gp_unique_apply(&aggregate, name);
  close(file);
  return 0;
}
