/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compiler's command line: every flag that gpuprof and CUDA need, and those of the user. */
#ifndef GP_TOOL_ADDED_FLAGS_H
#define GP_TOOL_ADDED_FLAGS_H

#include "cc/line.h"
#include "cc/request.h"
#include "cc/toolchain.h"

/* Returns an exit code, after a message. */
int compiler_line(struct line *line, const struct installation *installation, const struct request *request);

#endif
