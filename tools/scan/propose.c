// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/propose.h"

#include "scan/names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without write permission in its mode a file stays as it is, though root could write it. */
static bool is_read_only(const char *path) {
  struct stat status;
  return stat(path, &status) || !(status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) || access(path, W_OK);
}

static void forbid(struct found_function *function, const char *why) {
  if (!function->why_not)
    function->why_not = copy_string(why);
}

static void choose(const struct found_file *file, struct found_function *function, bool read_only) {
  if (!found_lacks(function))
    return;
  if (read_only)
    forbid(function, "the file is read-only");
  if (!function->is_clean && !source_begins_declaration(&file->source, function->start))
    forbid(function, "the compiler found an error in this file, and does not say for sure where it begins");
  function->is_proposed = !function->why_not;
}

static void choose_all(struct found *found) {
  for (size_t i = 0; i < found->file_count; ++i) {
    struct found_file *file = found->files[i];
    bool read_only = file->function_count && is_read_only(file->path);
    for (size_t f = 0; f < file->function_count; ++f)
      choose(file, &file->functions[f], read_only);
  }
}

/* ---- Names ---- */
struct list {
  struct found_function **functions;
  struct name_request *requests;
  const char **taken;
  size_t count, taken_count;
};

static void gather(struct list *list, const struct found_file *file) {
  for (size_t i = 0; i < file->source.pragma_count; ++i)
    if (file->source.pragmas[i].name) {
      list->taken = reallocate(list->taken, (list->taken_count + 1) * sizeof *list->taken);
      list->taken[list->taken_count++] = file->source.pragmas[i].name;
    }
  for (size_t i = 0; i < file->function_count; ++i) {
    struct found_function *function = &file->functions[i];
    if (!function->is_proposed)
      continue;
    list->functions = reallocate(list->functions, (list->count + 1) * sizeof *list->functions);
    list->requests = reallocate(list->requests, (list->count + 1) * sizeof *list->requests);
    list->functions[list->count] = function;
    list->requests[list->count++] = (struct name_request){.qualified = function->qualified, .file = file->path, .is_local = function->is_local};
  }
}

void propose(struct found *found) {
  struct list list = {0};
  choose_all(found);
  for (size_t i = 0; i < found->file_count; ++i)
    gather(&list, found->files[i]);
  name_all(list.requests, list.count, list.taken, list.taken_count);
  for (size_t i = 0; i < list.count; ++i) {
    struct found_function *function = list.functions[i];
    const char *phase = phase_of_name(function->qualified, function->parameters);
    function->region = list.requests[i].name;
    function->phase = phase ? copy_string(phase) : NULL;
  }
  free(list.functions);
  free(list.requests);
  free(list.taken);
}
