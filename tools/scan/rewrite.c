// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/rewrite.h"

#include "common/file.h"
#include "common/say.h"
#include "scan/edit.h"
#include "scan/show.h"

#include <stdlib.h>
#include <string.h>

struct changes {
  struct insertion *items;
  size_t count;
};

/* In the order of the file: functions are sorted by where they begin. */
static struct changes changes_of(const struct found_file *file) {
  struct changes changes = {.items = allocate((file->function_count + 1) * sizeof *changes.items)};
  for (size_t i = 0; i < file->function_count; ++i) {
    const struct found_function *function = &file->functions[i];
    if (!function->is_proposed)
      continue;
    struct source_place place = source_place_above(&file->source, function->start);
    struct insertion *insertion = &changes.items[changes.count++];
    *insertion = (struct insertion){.at = place.at};
    text_bytes(&insertion->line, file->source.text.data + place.at, place.indent);
    show_pragma(&insertion->line, function);
    text_add(&insertion->line, place.line_end);
  }
  return changes;
}

static void changes_free(struct changes *changes) {
  for (size_t i = 0; i < changes->count; ++i)
    text_free(&changes->items[i].line);
  free(changes->items);
}

/* Somebody may have saved the file since it was read. */
static bool is_unchanged(const struct found_file *file) {
  struct text now = {0};
  bool same = !file_read_source(file->path, &now) && now.length == file->source.text.length &&
              !memcmp(text_get(&now), text_get(&file->source.text), now.length);
  text_free(&now);
  return same;
}

static int write_file(const struct found_file *file, const struct changes *changes) {
  struct text out = {0};
  if (!is_unchanged(file))
    return fail("'%s' was changed while it was scanned; scan again.", file->shown);
  edit_apply(&out, &file->source.text, changes->items, changes->count);
  int code = file_replace(file->path, text_get(&out), out.length);
  text_free(&out);
  return code;
}

int rewrite_files(struct found *found) {
  int code = EXIT_GOOD;
  for (size_t i = 0; i < found->file_count; ++i) {
    struct found_file *file = found->files[i];
    struct changes changes = changes_of(file);
    if (changes.count && write_file(file, &changes)) {
      code = EXIT_UNUSABLE;
      for (size_t f = 0; f < file->function_count; ++f) {
        if (file->functions[f].is_proposed)
          file->functions[f].why_not = copy_string("the file could not be written");
        file->functions[f].is_proposed = false;
      }
    }
    changes_free(&changes);
  }
  return code;
}

void rewrite_diff(struct text *out, const struct found *found) {
  for (size_t i = 0; i < found->file_count; ++i) {
    struct changes changes = changes_of(found->files[i]);
    edit_diff(out, found->files[i]->shown, &found->files[i]->source.text, changes.items, changes.count);
    changes_free(&changes);
  }
}
