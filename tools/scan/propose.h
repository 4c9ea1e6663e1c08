/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which regions `scan` proposes. */
#ifndef GP_TOOL_SCAN_PROPOSE_H
#define GP_TOOL_SCAN_PROPOSE_H

#include "scan/found.h"

/* Gives each function that lacks a region, and before which a line can stand, a name and perhaps a phase. */
void propose(struct found *found);

#endif
