/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `scan` finds: files, their functions, and the launches in these. */
#ifndef GP_TOOL_SCAN_FOUND_H
#define GP_TOOL_SCAN_FOUND_H

#include "scan/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a function or launch has a region; the words are those of the JSON document. */
#define FOUND_STATES(X)                                                                                      \
  X(NONE, "none")                                                                                            \
  X(PRAGMA, "pragma")   /* of its own, or around it */                                                       \
  X(CALL, "call")       /* gpuprof_region_begin() or gpuprof::Region before it */                            \
  X(IGNORED, "ignored") /* #pragma gpuprof ignore */
enum found_state {
#define FOUND_STATE_ID(id, word) FOUND_##id,
  FOUND_STATES(FOUND_STATE_ID)
#undef FOUND_STATE_ID
};

struct found_launch {
  unsigned line, column;
  const char *how; /* "<<<>>>", or the function that is called */
  char *kernel;    /* or null */
  enum found_state state;
};

struct found_function {
  char *name, *qualified; /* "forward", "net::Layer::forward" */
  char *parameters;       /* their names, with blanks */
  bool is_kernel, is_local; /* local: static, or in an anonymous namespace */
  bool is_clean;        /* the compiler read a file with it without an error */
  unsigned line, start_line; /* of its name, and of its declaration */
  uint32_t start, name_at; /* offsets: of the declaration, and of its name */
  enum found_state state;
  char *region, *phase; /* of its region, or of the one proposed; or null */
  char *why_not;        /* why nothing is proposed; or null */
  bool is_foreign;      /* in a system header, or outside of the project */
  bool is_proposed;
  struct found_launch *launches;
  size_t launch_count, launch_capacity;
};

struct found_file {
  char *path, *shown; /* its real path, and what a person reads */
  struct source source;
  const char *unreadable; /* why its text could not be read, or null */
  struct found_function *functions;
  size_t function_count, function_capacity;
};

/* A file that could not be read in full, and the first error in it or in what it includes. */
struct found_problem {
  char *file, *at; /* as shown; `at`: where the error is, or null */
  unsigned line;
  char *what;
};

struct found {
  struct found_file **files; /* each stays where it is */
  size_t file_count, file_capacity;
  struct found_problem *problems;
  size_t problem_count, problem_capacity;
  char **units; /* files that were parsed, as they were named */
  size_t unit_count, unit_capacity;
};

struct found_totals {
  size_t kernels, kernels_with, launches, launches_with, functions, proposed, files_changed;
  size_t foreign; /* kernels outside of the project, in no other number */
};

/* The file of this real path; its text is read the first time. */
struct found_file *found_file(struct found *found, const char *path);
/* The function whose declaration begins at `start`; null: not yet found. */
struct found_function *found_function_at(struct found_file *file, uint32_t start);
/* A new function of the file, with the texts that it owns. */
struct found_function *found_add_function(struct found_file *file, const struct found_function *function);
void found_free_function(struct found_function *function);
void found_add_launch(struct found_function *function, const struct found_launch *launch);
/* The texts are copied; `at` may be null. */
void found_add_problem(struct found *found, const char *file, const char *at, unsigned line, const char *what);
/* Adds what `other` found and `found` did not, and empties it. */
void found_merge(struct found *found, struct found *other);
/* Files by path, functions by line. */
void found_sort(struct found *found);
void found_free(struct found *found);

/* It should have a region, and has none. */
bool found_lacks(const struct found_function *function);
/* The function has launches that are in no region, or is a kernel. */
bool found_needs_region(const struct found_function *function);
struct found_totals found_count(const struct found *found);
const char *found_state_word(enum found_state state);
/* `path` as a person reads it: from the folder that the command runs in. The caller frees it. */
char *found_shown_path(const char *path);

#endif
