/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files to parse, each with its flags: from compile_commands.json, or named on the command line. */
#ifndef GP_TOOL_SCAN_DATABASE_H
#define GP_TOOL_SCAN_DATABASE_H

#include "cc/line.h"
#include "scan/walk.h"

#include <stdbool.h>
#include <stddef.h>

struct scan_unit {
  char *path;        /* real path */
  struct line flags; /* for clang, absolute */
  bool is_cuda;      /* else it is parsed only for launches by calls */
  bool is_header;    /* parsed only where no other file includes it */
  bool is_chosen;    /* of those in a database */
};

struct scan_units {
  struct scan_unit *items;
  size_t count, capacity;
  struct walk_roots roots; /* folders of the project */
};

/* Reads `path`, a compile_commands.json or the folder of one. Returns an exit code, after saying what is wrong. */
int units_from_database(struct scan_units *units, const char *path);
/* Adds a file, or the .cu and .cuh files of a folder and the folders in it, with these flags. */
int units_from_path(struct scan_units *units, const char *path, const struct line *flags);
/* Marks the files of a database that are `path`, or in this folder. Returns an exit code: there must be one. */
int units_keep(struct scan_units *units, const char *path);
/* Drops those that are not marked. */
void units_keep_chosen(struct scan_units *units);
/* Adds a folder to those of the project. */
void units_add_root(struct scan_units *units, const char *folder);
void units_free(struct scan_units *units);

#endif
