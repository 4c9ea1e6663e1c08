// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a line "key : value" of /proc/cpuinfo, for the first processor; empty if there is none. */
static void cpu_fact(const char *key, char *value, size_t bytes) {
  char text[4096];
  int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  text[length > 0 ? length : 0] = 0;
  const char *line = strstr(text, key), *colon = line ? strchr(line, ':') : NULL;
  snprintf(value, bytes, "%.*s", colon ? (int)strcspn(colon + 1, "\n") : 0, colon ? colon + 1 : "");
  memmove(value, value + strspn(value, " "), strlen(value) - strspn(value, " ") + 1);
}

void gp_cpu_device_name(char *text, size_t bytes) {
  char model[96];
  cpu_fact("model name", model, sizeof model);
  if (model[0])
    snprintf(text, bytes, "CPU device (%s)", model);
  else
    snprintf(text, bytes, "CPU device");
}

uint64_t gp_cpu_clock_hz(void) {
  char mhz[64];
  cpu_fact("cpu MHz", mhz, sizeof mhz);
  return (uint64_t)(strtod(mhz, NULL) * 1e6);
}
