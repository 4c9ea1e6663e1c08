// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/found.h"

#include "common/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROW(items, count, capacity)                                                                         \
  do {                                                                                                       \
    if ((count) == (capacity)) {                                                                             \
      (capacity) = (capacity) ? 2 * (capacity) : 8;                                                          \
      (items) = reallocate((items), (capacity) * sizeof *(items));                                           \
    }                                                                                                        \
  } while (0)

char *found_shown_path(const char *path) {
  char *here = getcwd(NULL, 0);
  size_t length = here ? strlen(here) : 0;
  bool inside = length > 1 && !strncmp(path, here, length) && path[length] == '/';
  free(here);
  return copy_string(inside ? path + length + 1 : path);
}

static bool has_size(const char *path, size_t size) {
  struct stat status;
  return !stat(path, &status) && (size_t)status.st_size == size;
}

struct found_file *found_file(struct found *found, const char *path) {
  for (size_t i = 0; i < found->file_count; ++i)
    if (!strcmp(found->files[i]->path, path))
      return found->files[i];
  struct found_file *file = allocate(sizeof *file);
  *file = (struct found_file){.path = copy_string(path), .shown = found_shown_path(path)};
  file->unreadable = file_read_source(path, &file->source.text);
  if (!file->unreadable && !has_size(path, file->source.text.length))
    file->unreadable = "it has a zero byte"; /* behind which nothing was read */
  source_read(&file->source);
  GROW(found->files, found->file_count, found->file_capacity);
  return found->files[found->file_count++] = file;
}

struct found_function *found_function_at(struct found_file *file, uint32_t start) {
  for (size_t i = 0; i < file->function_count; ++i)
    if (file->functions[i].start == start)
      return &file->functions[i];
  return NULL;
}

struct found_function *found_add_function(struct found_file *file, const struct found_function *function) {
  GROW(file->functions, file->function_count, file->function_capacity);
  file->functions[file->function_count] = *function;
  return &file->functions[file->function_count++];
}

void found_add_launch(struct found_function *function, const struct found_launch *launch) {
  GROW(function->launches, function->launch_count, function->launch_capacity);
  function->launches[function->launch_count++] = *launch;
}

void found_add_problem(struct found *found, const char *file, const char *at, unsigned line, const char *what) {
  GROW(found->problems, found->problem_count, found->problem_capacity);
  found->problems[found->problem_count++] =
      (struct found_problem){copy_string(file), at ? copy_string(at) : NULL, line, copy_string(what)};
}

void found_free_function(struct found_function *function) {
  for (size_t i = 0; i < function->launch_count; ++i)
    free(function->launches[i].kernel);
  free(function->launches);
  free(function->name);
  free(function->qualified);
  free(function->parameters);
  free(function->region);
  free(function->phase);
  free(function->why_not);
}

static void free_file(struct found_file *file) {
  for (size_t i = 0; i < file->function_count; ++i)
    found_free_function(&file->functions[i]);
  free(file->functions);
  source_free(&file->source);
  free(file->path);
  free(file->shown);
  free(file);
}

void found_free(struct found *found) {
  for (size_t i = 0; i < found->file_count; ++i)
    free_file(found->files[i]);
  for (size_t i = 0; i < found->problem_count; ++i) {
    free(found->problems[i].file);
    free(found->problems[i].at);
    free(found->problems[i].what);
  }
  for (size_t i = 0; i < found->unit_count; ++i)
    free(found->units[i]);
  free(found->files);
  free(found->problems);
  free(found->units);
  *found = (struct found){0};
}

/* ---- Merging ---- */
static void merge_function(struct found_file *file, struct found_function *function) {
  struct found_function *known = found_function_at(file, function->start);
  if (!known) {
    found_add_function(file, function);
    *function = (struct found_function){0};
    return;
  }
  /* Where an error hid launches, a clean reading knows more. */
  bool better = function->is_clean && !known->is_clean;
  if (better) {
    struct found_function old = *known;
    *known = *function;
    *function = old;
  }
}

void found_merge(struct found *found, struct found *other) {
  for (size_t i = 0; i < other->file_count; ++i) {
    struct found_file *from = other->files[i];
    struct found_file *file = found_file(found, from->path);
    for (size_t f = 0; f < from->function_count; ++f)
      merge_function(file, &from->functions[f]);
  }
  for (size_t i = 0; i < other->problem_count; ++i) {
    const struct found_problem *problem = &other->problems[i];
    found_add_problem(found, problem->file, problem->at, problem->line, problem->what);
  }
  for (size_t i = 0; i < other->unit_count; ++i) {
    GROW(found->units, found->unit_count, found->unit_capacity);
    found->units[found->unit_count++] = copy_string(other->units[i]);
  }
  found_free(other);
}

static int by_path(const void *a, const void *b) {
  const struct found_file *const *one = a, *const *two = b;
  return strcmp((*one)->path, (*two)->path);
}

static int by_start(const void *a, const void *b) {
  const struct found_function *one = a, *two = b;
  return one->start < two->start ? -1 : one->start > two->start;
}

void found_sort(struct found *found) {
  if (found->file_count)
    qsort(found->files, found->file_count, sizeof *found->files, by_path);
  for (size_t i = 0; i < found->file_count; ++i)
    if (found->files[i]->function_count)
      qsort(found->files[i]->functions, found->files[i]->function_count, sizeof *found->files[i]->functions, by_start);
}

/* ---- Asking ---- */
bool found_needs_region(const struct found_function *function) {
  bool needs = function->is_kernel;
  for (size_t i = 0; i < function->launch_count; ++i)
    needs = needs || function->launches[i].state == FOUND_NONE;
  return needs;
}

bool found_lacks(const struct found_function *function) {
  return function->state == FOUND_NONE && found_needs_region(function) && !function->is_foreign;
}

static void count_function(struct found_totals *totals, const struct found_function *function) {
  if (function->is_foreign) {
    totals->foreign += function->is_kernel;
    return;
  }
  bool has = !found_lacks(function);
  totals->kernels += function->is_kernel;
  totals->kernels_with += function->is_kernel && has;
  totals->functions += !function->is_kernel;
  totals->launches += function->launch_count;
  for (size_t i = 0; i < function->launch_count; ++i)
    totals->launches_with += function->launches[i].state != FOUND_NONE;
  totals->proposed += function->is_proposed;
}

struct found_totals found_count(const struct found *found) {
  struct found_totals totals = {0};
  for (size_t i = 0; i < found->file_count; ++i) {
    size_t before = totals.proposed;
    for (size_t f = 0; f < found->files[i]->function_count; ++f)
      count_function(&totals, &found->files[i]->functions[f]);
    totals.files_changed += totals.proposed > before;
  }
  return totals;
}

const char *found_state_word(enum found_state state) {
  static const char *const state_words[] = {
#define FOUND_STATE_WORD(id, word) word,
      FOUND_STATES(FOUND_STATE_WORD)
#undef FOUND_STATE_WORD
  };
  return state_words[state];
}
