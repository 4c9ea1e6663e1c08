#include "value.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWO_TO_64 18446744073709551616.0

static bool read_digits(const char *digits, uint64_t *result) {
  uint64_t sum = 0;
  for (; isdigit((unsigned char)*digits); ++digits) {
    unsigned digit = (unsigned)(*digits - '0');
    if (sum > (UINT64_MAX - digit) / 10)
      return false;
    sum = sum * 10 + digit;
  }
  *result = sum;
  return !*digits;
}

static struct value whole(bool negative, uint64_t magnitude) {
  double real = negative ? -(double)magnitude : (double)magnitude;
  return (struct value){VALUE_WHOLE, negative && magnitude, magnitude, real};
}

struct value value_of(const cJSON *json) {
  uint64_t magnitude;
  if (!json)
    return (struct value){.kind = VALUE_ABSENT};
  if (cJSON_IsNull(json))
    return (struct value){.kind = VALUE_UNKNOWN};
  if (cJSON_IsString(json) && json->valuestring[0] == LONG_INTEGER_CHARACTER) {
    const char *text = json->valuestring + 1;
    bool negative = *text == '-';
    if (read_digits(text + negative, &magnitude))
      return whole(negative, magnitude);
    return (struct value){.kind = VALUE_REAL, .real = strtod(text, NULL)};
  }
  if (!cJSON_IsNumber(json) || !isfinite(json->valuedouble))
    return (struct value){.kind = VALUE_WRONG};
  double real = json->valuedouble;
  if (real == floor(real) && fabs(real) < TWO_TO_64)
    return whole(real < 0, (uint64_t)fabs(real));
  return (struct value){.kind = VALUE_REAL, .real = real};
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

/* The fewest digits that are read as the same number again. */
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
