// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/user_arguments.h"

#include "cc/words.h"
#include "common/file.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* An option with its value, joined or in two arguments: `count` of them; 0 for anything else. */
struct option {
  const char *value;
  size_t count;
};

static struct option option_at(const struct line *line, size_t index, const char *name) {
  const char *item = line->items[index];
  if (!begins_with(item, name))
    return (struct option){0};
  const char *joined = item + strlen(name);
  if (*joined)
    return (struct option){joined, 1};
  return index + 1 < line->count ? (struct option){line->items[index + 1], 2} : (struct option){0};
}

/* ---- Libraries ---- */
static struct option runtime_library(const struct line *line, size_t index) {
  static const char *const names[] = {"cudart", "cudart_static", "cuda", "cudadevrt", NULL};
  struct option library = option_at(line, index, "-l");
  return library.count && is_one_of(library.value, names) ? library : (struct option){0};
}

bool user_arguments_name_runtime(const struct line *passed) {
  for (size_t i = 0; i < passed->count; ++i)
    if (runtime_library(passed, i).count)
      return true;
  return false;
}

/* A program that names libcuda.so.1 does not start without a driver: it does so where libgpuprof lacks a function. */
static void add_runtime_library(struct line *line, const char *name) {
  bool is_driver = !strcmp(name, "cuda");
  if (is_driver)
    line_add(line, "-Wl,--push-state,--as-needed");
  line_push(line, format_string("-l%s", name));
  if (is_driver)
    line_add(line, "-Wl,--pop-state");
}

/* ---- Headers ---- */
/* Both toolkits have cuda_runtime.h. */
static struct option toolkit_folder(const struct line *line, size_t index) {
  struct option folder = option_at(line, index, "-isystem");
  if (!folder.count)
    folder = option_at(line, index, "-I");
  char *header = folder.count ? format_string("%s/crt/host_config.h", folder.value) : NULL;
  bool is_toolkit = header && file_exists(header);
  free(header);
  return is_toolkit ? folder : (struct option){0};
}

void user_arguments_add(struct line *line, const struct line *passed, const struct stand_ins *stand_ins) {
  for (size_t i = 0; i < passed->count;) {
    struct option library = runtime_library(passed, i);
    struct option folder = stand_ins->headers ? toolkit_folder(passed, i) : (struct option){0};
    if (library.count && !stand_ins->libraries)
      add_runtime_library(line, library.value);
    if (folder.count) {
      line_add(line, "-idirafter");
      line_add(line, folder.value);
    }
    if (!library.count && !folder.count)
      line_add(line, passed->items[i]);
    i += library.count + folder.count + (!library.count && !folder.count);
  }
}
