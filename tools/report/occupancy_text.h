/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sentences about the occupancy of a row. */
#ifndef GP_TOOL_OCCUPANCY_TEXT_H
#define GP_TOOL_OCCUPANCY_TEXT_H

#include "common/text.h"
#include "reader/entry.h"

/* "Occupancy 25 %, limited by registers (168 a thread): …"; nothing where it is not known. */
void occupancy_explain(struct text *out, const struct entry *entry);
/* The end of a sentence about a kernel that leaves all resources idle. Returns false where occupancy is not the reason. */
bool occupancy_advice(struct text *out, const struct entry *entry);

#endif
