// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/edit.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3

void edit_apply(struct text *out, const struct text *old, const struct insertion *insertions, size_t count) {
  size_t at = 0;
  text_reserve(out, old->length + 1);
  for (size_t i = 0; i < count; ++i) {
    text_bytes(out, text_get(old) + at, insertions[i].at - at);
    text_bytes(out, text_get(&insertions[i].line), insertions[i].line.length);
    at = insertions[i].at;
  }
  text_bytes(out, text_get(old) + at, old->length - at);
}

/* ---- The difference ---- */
struct lines {
  const char *text;
  size_t length;
  size_t *starts; /* and the text's end */
  size_t count;
};

static struct lines lines_of(const struct text *text) {
  struct lines lines = {.text = text_get(text), .length = text->length};
  lines.starts = allocate((text->length + 2) * sizeof *lines.starts);
  for (size_t at = 0; at < text->length;) {
    const char *end = memchr(lines.text + at, '\n', text->length - at);
    lines.starts[lines.count++] = at;
    at = end ? (size_t)(end - lines.text) + 1 : text->length;
  }
  lines.starts[lines.count] = text->length;
  return lines;
}

/* The index of the line that holds `at`. */
static size_t line_of(const struct lines *lines, size_t at) {
  size_t low = 0, high = lines->count;
  while (low + 1 < high) {
    size_t middle = (low + high) / 2;
    if (lines->starts[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void add_line(struct text *out, const char *mark, const char *line, size_t length) {
  text_add(out, mark);
  text_bytes(out, line, length);
  if (!length || line[length - 1] != '\n')
    text_add(out, "\n\\ No newline at end of file\n");
}

static void add_context(struct text *out, const struct lines *lines, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    add_line(out, " ", lines->text + lines->starts[i], lines->starts[i + 1] - lines->starts[i]);
}

/* A line that begins behind a byte-order mark: the mark goes to the new line, and the old one loses it. */
static void add_behind_mark(struct text *out, const struct lines *lines, size_t line, const struct insertion *insertion) {
  size_t start = lines->starts[line], mark = insertion->at - start;
  const char *old = lines->text + start;
  size_t length = lines->starts[line + 1] - start;
  add_line(out, "-", old, length);
  text_add(out, "+");
  text_bytes(out, old, mark);
  text_bytes(out, text_get(&insertion->line), insertion->line.length);
  add_line(out, "+", old + mark, length - mark);
}

/* The insertions from `first` to `last`, whose context is one piece. `moved`: lines inserted before them. */
static void add_hunk(struct text *out, const struct lines *lines, const struct insertion *insertions, size_t first, size_t last) {
  size_t begin = line_of(lines, insertions[first].at), end = line_of(lines, insertions[last].at) + CONTEXT;
  begin = begin > CONTEXT ? begin - CONTEXT : 0;
  end = end < lines->count ? end : lines->count;
  text_format(out, "@@ -%zu,%zu +%zu,%zu @@\n", begin + 1, end - begin, begin + first + 1, end - begin + (last - first + 1));
  for (size_t i = first; i <= last; ++i) {
    size_t line = line_of(lines, insertions[i].at);
    bool behind_mark = insertions[i].at != lines->starts[line];
    add_context(out, lines, begin, line);
    if (behind_mark)
      add_behind_mark(out, lines, line, &insertions[i]);
    else
      add_line(out, "+", text_get(&insertions[i].line), insertions[i].line.length);
    begin = line + behind_mark;
  }
  add_context(out, lines, begin, end);
}

void edit_diff(struct text *out, const char *path, const struct text *old, const struct insertion *insertions, size_t count) {
  struct lines lines = lines_of(old);
  const char *here = *path == '/' ? "" : "./"; /* -p0 keeps it, -p1 takes it away */
  if (count)
    text_format(out, "--- %s%s\n+++ %s%s\n", here, path, here, path);
  for (size_t first = 0, last; first < count; first = last + 1) {
    last = first;
    while (last + 1 < count &&
           line_of(&lines, insertions[last + 1].at) <= line_of(&lines, insertions[last].at) + 2 * CONTEXT)
      ++last;
    add_hunk(out, &lines, insertions, first, last);
  }
  free(lines.starts);
}
