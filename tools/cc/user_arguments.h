/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The user's arguments, with what stands in for a toolkit's headers and libraries. */
#ifndef GP_TOOL_USER_ARGUMENTS_H
#define GP_TOOL_USER_ARGUMENTS_H

#include "cc/line.h"

#include <stdbool.h>

struct stand_ins {
  bool headers;   /* gpuprof's own are used: a toolkit's stand behind them */
  bool libraries; /* there is no toolkit: libgpuprof has the functions of the runtime and the driver */
};

/* True where one of the libraries is named that libgpuprof stands in for. */
bool user_arguments_name_runtime(const struct line *passed);
void user_arguments_add(struct line *line, const struct line *passed, const struct stand_ins *stand_ins);

#endif
