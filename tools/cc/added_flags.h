/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compiler's command line: every flag that gpuprof and CUDA need, and those of the user. */
#ifndef GP_TOOL_ADDED_FLAGS_H
#define GP_TOOL_ADDED_FLAGS_H

#include "cc/line.h"
#include "cc/request.h"
#include "cc/toolchain.h"

/* Returns an exit code, after a message. */
int compiler_line(struct line *line, const struct installation *installation, const struct request *request);
/* The link of the device code of objects alone, into an object with what it becomes. Adds nothing where there is no
 * GPU's code to link. Returns an exit code, after a message. */
int device_link_line(struct line *line, const struct installation *installation, const struct request *request,
                     const char *output);

#endif
