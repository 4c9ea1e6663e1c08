// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/line.h"

#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void line_push(struct line *line, char *item) {
  if (line->count + 1 >= line->capacity) {
    line->capacity = line->capacity ? 2 * line->capacity : 32;
    line->items = reallocate(line->items, line->capacity * sizeof *line->items);
  }
  line->items[line->count++] = item;
  line->items[line->count] = NULL;
}

void line_add(struct line *line, const char *item) { line_push(line, copy_string(item)); }

void line_add_all(struct line *line, const struct line *more) {
  for (size_t i = 0; i < more->count; ++i)
    line_add(line, more->items[i]);
}

bool line_has(const struct line *line, const char *item) {
  for (size_t i = 0; i < line->count; ++i)
    if (!strcmp(line->items[i], item))
      return true;
  return false;
}

void line_print(const struct line *line, size_t first) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  for (size_t i = first; i < line->count; ++i) {
    const char *item = line->items[i];
    bool quote = !*item || item[strspn(item, safe)];
    fputs(i > first ? " " : "", stdout);
    fputs(quote ? "'" : "", stdout);
    for (const char *at = item; *at; ++at)
      fputs(*at == '\'' ? "'\\''" : (char[]){*at, 0}, stdout);
    fputs(quote ? "'" : "", stdout);
  }
  putchar('\n');
}

void line_free(struct line *line) {
  for (size_t i = 0; i < line->count; ++i)
    free(line->items[i]);
  free(line->items);
}
