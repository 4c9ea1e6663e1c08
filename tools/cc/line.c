// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/line.h"

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

void line_quote(struct text *out, const char *item) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  bool quote = !*item || item[strspn(item, safe)];
  text_add(out, quote ? "'" : "");
  for (const char *at = item; *at; ++at)
    text_add(out, *at == '\'' ? "'\\''" : (char[]){*at, 0});
  text_add(out, quote ? "'" : "");
}

void line_print(const struct line *line, size_t first) {
  struct text out = {0};
  for (size_t i = first; i < line->count; ++i) {
    text_add(&out, i > first ? " " : "");
    line_quote(&out, line->items[i]);
  }
  puts(text_get(&out));
  text_free(&out);
}

void line_free(struct line *line) {
  for (size_t i = 0; i < line->count; ++i)
    free(line->items[i]);
  free(line->items);
}
