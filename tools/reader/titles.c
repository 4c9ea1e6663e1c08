// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/titles.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

struct titled {
  char **title;
  const struct entry *entry;
};

static int by_title(const void *first, const void *second) {
  const struct titled *a = first, *b = second;
  const int order = strcmp(*a->title, *b->title);
  return order ? order : strcmp(a->entry->name, b->entry->name);
}

static void add_parameters(struct titled *kernels, size_t count) {
  if (!strcmp(kernels[0].entry->name, kernels[count - 1].entry->name))
    return;
  for (size_t i = 0; i < count; ++i) {
    free(*kernels[i].title);
    *kernels[i].title = entry_title_with_parameters(kernels[i].entry);
  }
}

char **entry_titles(const struct entry *entries, size_t count) {
  char **titles = allocate(count * sizeof *titles);
  struct titled *kernels = allocate(count * sizeof *kernels);
  size_t kernel_count = 0;
  for (size_t i = 0; i < count; ++i) {
    titles[i] = entry_title(&entries[i]);
    if (entries[i].is_kernel)
      kernels[kernel_count++] = (struct titled){&titles[i], &entries[i]};
  }
  qsort(kernels, kernel_count, sizeof *kernels, by_title);
  for (size_t i = 0, end; i < kernel_count; i = end) {
    for (end = i + 1; end < kernel_count && !strcmp(*kernels[i].title, *kernels[end].title);)
      ++end;
    add_parameters(kernels + i, end - i);
  }
  free(kernels);
  return titles;
}

void entry_titles_free(char **titles, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(titles[i]);
  free(titles);
}
