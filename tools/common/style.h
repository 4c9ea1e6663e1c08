/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How text may look where it is going. */
#ifndef GP_TOOL_STYLE_H
#define GP_TOOL_STYLE_H

#include <stdbool.h>
#include <stddef.h>

struct style {
  bool utf8, color;
  size_t width; /* columns a table may take */
};

/* For an output file, "-" for standard output. `file_width`: of a table where neither COLUMNS nor a terminal
 * says more. `color`: auto, always or never. */
struct style style_choose(const char *output, const char *color, bool always_utf8, size_t file_width);
/* What stands for an unknown value. */
const char *style_dash(const struct style *style);
/* What stands for the middle of a long name. */
const char *style_ellipsis(const struct style *style);

#endif
