/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file of the trace: whole JSON after each write, so that a killed program leaves a readable trace. For the one
 * writer. */
#ifndef GP_TRACE_FILE_H
#define GP_TRACE_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct gp_trace_file {
  int descriptor;
  char *path;
  off_t end; /* of the events: the closing text is written behind it, and overwritten by the next events */
};

/* Opens the file named by the setting (with %p, %r, %h and %t). Ranks and forked processes have files of their own. An
 * older file is replaced as a whole: of two processes with one name, the later one has the name.
 * Returns null, or the reason why it cannot. */
const char *gp_trace_file_open(struct gp_trace_file *file, const char *pattern, int is_child);
/* Writes events, and the text that closes the document. Returns 0, or -1 with errno. */
int gp_trace_file_add(struct gp_trace_file *file, const char *events, size_t length, const char *closing);
/* Passes the whole text to `change`, which may overwrite characters. */
int gp_trace_file_change(const struct gp_trace_file *file, void (*change)(char *text, size_t length));
/* 1 if another file has its name meanwhile. */
int gp_trace_file_is_replaced(const struct gp_trace_file *file);
void gp_trace_file_close(struct gp_trace_file *file);

#endif
