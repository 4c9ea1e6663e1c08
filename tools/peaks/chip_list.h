/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chips that gpuprof knows, and what their datasheets say. */
#ifndef GP_TOOL_CHIP_LIST_H
#define GP_TOOL_CHIP_LIST_H

#include "common/style.h"
#include "common/text.h"

void chip_list(struct text *out, const struct style *style);
/* One chip with its sources. False: there is none of that id. */
bool chip_show(struct text *out, const char *id);

#endif
