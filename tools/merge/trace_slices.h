/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of a trace in Chrome's format, walked through without a tree: traces are large. Texts end where `end` says; a
 * program that was killed leaves one that is cut. */
#ifndef GP_TOOL_TRACE_SLICES_H
#define GP_TOOL_TRACE_SLICES_H

#include <stdbool.h>
#include <stddef.h>

struct slice {
  const char *at, *end;
};

/* A member of an object, or an item of an array: then `name` is empty. */
struct trace_member {
  struct slice name, value; /* the name without its quotes */
};

/* Takes the next member or item off `rest`, which begins behind the bracket. Returns false behind the last one, or where the
 * text is cut. */
bool trace_next(struct slice *rest, struct trace_member *member);
/* What is in an object or array, behind its bracket; empty for other values. */
struct slice trace_inside(struct slice value);
/* The value of a member of an object; empty if there is none. */
struct slice trace_find(struct slice object, const char *name);
bool slice_is(struct slice slice, const char *text);

#endif
