/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lines inserted into a text: the new text, and the difference as `patch` reads it. */
#ifndef GP_TOOL_SCAN_EDIT_H
#define GP_TOOL_SCAN_EDIT_H

#include "common/text.h"

#include <stddef.h>
#include <stdint.h>

struct insertion {
  uint32_t at; /* the begin of a line; before the indentation */
  struct text line; /* with its end */
};

/* The text with all insertions, which stand in the order of the text. */
void edit_apply(struct text *out, const struct text *old, const struct insertion *insertions, size_t count);
/* A unified difference with three lines around each change; `path` is named as `patch -p0` and `-p1` both find it. */
void edit_diff(struct text *out, const char *path, const struct text *old, const struct insertion *insertions, size_t count);

#endif
