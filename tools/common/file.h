/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files: read whole, written whole or not at all. */
#ifndef GP_TOOL_FILE_H
#define GP_TOOL_FILE_H

#include "common/text.h"

/* Reads a whole file, "-" for standard input; of one without an end `limit` bytes, or as far as it is text. Says why
 * not and returns false. The caller frees the text. */
bool file_read(const char *path, size_t limit, struct text *content);
/* Reads a regular file of at most `limit` bytes. Returns the reason of a failure, or null. The caller frees the text. */
const char *file_read_regular(const char *path, size_t limit, struct text *content);
/* Reads a file named by a document: a regular one of at most this size. Returns the reason of a failure, or null. */
#define FILE_SOURCE_LIMIT (16 << 20)
const char *file_read_source(const char *path, struct text *content);
/* Replaces a regular file by these bytes at once; it keeps its mode, and its owner where that is allowed. Returns an exit
 * code. */
int file_replace(const char *path, const char *bytes, size_t count);
/* Writes beside `path` and renames: no reader ever sees half a file. A link at `path` is
 * replaced, not followed. Devices and pipes are written; "-" is stdout. Returns an exit code. */
int file_write(const char *path, const char *bytes, size_t count);

/* The same in parts: the sink takes them, and the file is there once it is closed. */
struct file_output {
  struct text_sink sink;
  const char *path;
  char *temporary; /* becomes `path`; null: this is written itself */
  int descriptor, reason;
  bool is_good, is_ignored; /* ignored: the reader has seen enough */
  void (*broken_pipe)(int);
};
void file_open(struct file_output *output, const char *path);
/* Writes the rest. Returns an exit code. */
int file_close(struct file_output *output, const struct text *rest);

/* True where `path` is one of these files, by any of its names. */
bool file_is_among(const char *path, const char *const *files, size_t count);
bool file_exists(const char *path);
bool folder_exists(const char *path);
bool file_is_program(const char *path);
/* The program `name` on PATH, or null. The caller frees it. */
char *file_on_path(const char *name);
/* The real path of the folder of `path`'s target, freed by the caller. Null without such a file.
 */
char *file_real_folder(const char *path);

#endif
