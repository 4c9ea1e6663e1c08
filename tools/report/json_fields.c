// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json_fields.h"

#include "common/write.h"

#include <math.h>

void json_field_name(struct text *out, const char *name, bool first) {
  text_add(out, first ? "\"" : ", \"");
  text_add(out, name);
  text_add(out, "\": ");
}

void json_field_string(struct text *out, const char *name, const char *value, bool first) {
  json_field_name(out, name, first);
  if (*value)
    write_json(out, value);
  else
    text_add(out, "null");
}

void json_field_integer(struct text *out, const char *name, struct count value) {
  json_field_name(out, name, false);
  if (value.known)
    text_unsigned(out, value.value);
  else
    text_add(out, "null");
}

void json_field_real(struct text *out, const char *name, struct number value) {
  json_field_name(out, name, false);
  if (value.known && isfinite(value.value)) /* JSON has no infinity */
    text_format(out, "%.17g", value.value);
  else
    text_add(out, "null");
}
