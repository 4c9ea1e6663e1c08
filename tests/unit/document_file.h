/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The document of a test: its file, written by programs of the test, and its content. */
#ifndef DOCUMENT_FILE_H
#define DOCUMENT_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/gpuprof-test-XXXXXX", path[128];

static inline int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  snprintf(path, sizeof path, "%s/report.json", folder);
  return 0;
}

static inline int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

/* The caller's; null if there is no document. */
static inline char *contents(void) {
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  char *text = calloc(1, 1 << 20);
  if (text)
    text[fread(text, 1, (1 << 20) - 1, file)] = 0;
  fclose(file);
  return text;
}

static inline int contains(const char *part) {
  char *text = contents();
  const int found = text && strstr(text, part) != NULL;
  free(text);
  return found;
}

#endif
