/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* "Where the time went": host and device time of phases and categories, and with --host of each region. */
#ifndef GP_TOOL_FORMAT_HOST_H
#define GP_TOOL_FORMAT_HOST_H

#include "report/formats.h"
#include "report/grid_section.h"

/* Nothing where no region states a phase or a category, unless --host was given. */
void report_host(struct text *out, const struct document *document, const struct selection *selection, section_function section,
                 const struct style *style);

#endif
