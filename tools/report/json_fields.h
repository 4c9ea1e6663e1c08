/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Members of the JSON objects that the command writes: exact, and null where a value is unknown. */
#ifndef GP_TOOL_JSON_FIELDS_H
#define GP_TOOL_JSON_FIELDS_H

#include "common/text.h"
#include "reader/entry.h"

#include <stdbool.h>

/* `"name": `, behind a comma unless it is the first. */
void json_field_name(struct text *out, const char *name, bool first);
/* An empty text is null. */
void json_field_string(struct text *out, const char *name, const char *value, bool first);
void json_field_integer(struct text *out, const char *name, struct count value);
void json_field_real(struct text *out, const char *name, struct number value);

#endif
