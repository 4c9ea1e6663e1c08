/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses files with libclang, several at a time. */
#ifndef GP_TOOL_SCAN_PARSE_H
#define GP_TOOL_SCAN_PARSE_H

#include "scan/database.h"
#include "scan/found.h"
#include "scan/headers.h"
#include "scan/libclang.h"

/* Adds what the files have, in their order. */
void parse_units(const struct libclang *libclang, const struct scan_units *units, const struct headers *headers,
                 struct found *found);

#endif
