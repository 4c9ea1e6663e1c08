// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Settings: lines of an input are the environment, and the file named by GPUPROF_CONFIG; then a pattern of file names. */
#include "base/settings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_LINES = 64 };

static size_t split(char *text, char **lines) {
  size_t count = 0;
  for (char *line; count < MOST_LINES && (line = strsep(&text, "\n"));)
    lines[count++] = line;
  lines[count] = NULL;
  return count;
}

static void load(char **environment) {
  struct gp_settings settings;
  struct gp_settings_problem problems[GP_SETTINGS_PROBLEMS];
  size_t count = gp_settings_load(&settings, environment, problems);
  if (count > GP_SETTINGS_PROBLEMS || !settings.output || !settings.hardware)
    abort();
  for (size_t i = 0; i < count; i++)
    if (!problems[i].text[0])
      abort();
  free(gp_settings_expand(settings.output, 7, settings.chip, "host", -1));
  gp_settings_free(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 << 16)
    return 0;
  char *text = malloc(size + 1), *lines[MOST_LINES + 1], name[64];
  memcpy(text, data, size);
  text[size] = 0;
  int file = memfd_create("settings", 0);
  if (file < 0 || write(file, data, size) != (ssize_t)size)
    abort();
  snprintf(name, sizeof name, "GPUPROF_CONFIG=/proc/self/fd/%d", file);
  load((char *[]){name, NULL});
  split(text, lines);
  load(lines);
  close(file);
  free(text);
  return 0;
}
