/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is in the objects of a link. */
#ifndef GP_TOOL_LINK_OBJECTS_H
#define GP_TOOL_LINK_OBJECTS_H

#include "cc/line.h"

#include <stdbool.h>

/* Adds the objects and archives of a link line that have device code waiting for its link (-fgpu-rdc). Archives are also
 * those that -L and -l name. */
void objects_with_device_code(const struct line *line, struct line *found);
bool objects_have_device_code(const struct line *line);
/* True where -dlink has linked it, into one of them. */
bool objects_have_linked_code(const struct line *line);

#endif
