// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/value.h"

#include "reader/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWO_TO_64 18446744073709551616.0

static struct value whole(bool negative, uint64_t magnitude) {
  double real = negative ? -(double)magnitude : (double)magnitude;
  return (struct value){VALUE_WHOLE, negative && magnitude, magnitude, real};
}

static struct value real_value(double real) {
  if (real == floor(real) && fabs(real) < TWO_TO_64)
    return whole(real < 0, (uint64_t)fabs(real));
  return (struct value){.kind = VALUE_REAL, .real = real};
}

struct value value_of(const struct json *json) {
  if (!json)
    return (struct value){.kind = VALUE_ABSENT};
  switch ((enum json_kind)json->kind) {
  case JSON_NULL:
    return (struct value){.kind = VALUE_UNKNOWN};
  case JSON_WHOLE:
    return whole(false, json->magnitude);
  case JSON_NEGATIVE:
    return whole(true, json->magnitude);
  case JSON_REAL:
    return real_value(json->real);
  default:
    return (struct value){.kind = VALUE_WRONG};
  }
}

bool value_is_number(struct value value) { return value.kind == VALUE_WHOLE || value.kind == VALUE_REAL; }

bool value_equal(struct value a, struct value b) {
  if (a.kind == VALUE_WHOLE && b.kind == VALUE_WHOLE)
    return a.negative == b.negative && a.magnitude == b.magnitude;
  if (value_is_number(a) && value_is_number(b))
    return a.real == b.real;
  return a.kind == b.kind;
}

double value_gap(struct value a, struct value b) {
  bool exact = a.kind == VALUE_WHOLE && b.kind == VALUE_WHOLE && a.negative == b.negative;
  if (!exact)
    return b.real - a.real;
  bool falls = b.magnitude < a.magnitude;
  uint64_t gap = falls ? a.magnitude - b.magnitude : b.magnitude - a.magnitude;
  return falls != a.negative ? -(double)gap : (double)gap;
}

/* The fewest digits read back as the same number. */
static void show_real(struct text *text, double real) {
  char digits[40];
  for (int precision = 6; precision <= 17; ++precision) {
    snprintf(digits, sizeof digits, "%.*g", precision, real);
    if (strtod(digits, NULL) == real)
      break;
  }
  text_add(text, digits);
}

void value_show(struct text *text, struct value value) {
  if (value.kind == VALUE_WHOLE)
    text_format(text, "%s%" PRIu64, value.negative ? "-" : "", value.magnitude);
  else if (value.kind == VALUE_REAL)
    show_real(text, value.real);
  else if (value.kind == VALUE_UNKNOWN)
    text_add(text, "unknown");
}
