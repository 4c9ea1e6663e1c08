/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A number of a document, exact where it is whole: from -2^64 to 2^64. */
#ifndef GP_TOOL_VALUE_H
#define GP_TOOL_VALUE_H

#include "common/text.h"

#include <stdbool.h>
#include <stdint.h>

struct json;

enum value_kind {
  VALUE_ABSENT,  /* no such key: an older document, or nothing of this name */
  VALUE_UNKNOWN, /* null */
  VALUE_WHOLE,
  VALUE_REAL,
  VALUE_WRONG, /* no number */
};

struct value {
  enum value_kind kind;
  bool negative; /* of a whole number */
  uint64_t magnitude;
  double real; /* of both kinds of numbers, rounded */
};

/* A null pointer: absent. */
struct value value_of(const struct json *json);
bool value_is_number(struct value value);
/* b - a, rounded once. */
double value_gap(struct value a, struct value b);
bool value_equal(struct value a, struct value b);
/* The document's value; "unknown" for null, "" for an absent value. */
void value_show(struct text *text, struct value value);

#endif
