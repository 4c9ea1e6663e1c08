/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The commands that a request takes, in their order. */
#ifndef GP_TOOL_STEPS_H
#define GP_TOOL_STEPS_H

#include "cc/line.h"
#include "cc/nvcc.h"
#include "cc/request.h"
#include "cc/toolchain.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised: none. */
struct steps {
  struct line *lines;
  size_t count;
};

/* True where objects between the steps need a temporary folder. */
bool steps_need_folder(const struct request *request, const struct nvcc_plan *plan);
/* `folder` may be null: where steps are only printed. Returns an exit code, after a message. */
int steps_make(struct steps *steps, const struct installation *installation, struct request *request,
               const struct nvcc_plan *plan, const char *folder);
void steps_free(struct steps *steps);

#endif
