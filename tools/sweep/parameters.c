// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/parameters.h"

#include "common/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static char *add_value(struct parameter *parameter, const char *value, size_t length) {
  if (!length)
    return format_string("'%s' has an empty value; write --sweep %s=128,256.", parameter->name, parameter->name);
  if (parameter->count == PARAMETER_VALUES_MOST)
    return format_string("'%s' has more than %d values; give fewer.", parameter->name, PARAMETER_VALUES_MOST);
  parameter->values = reallocate(parameter->values, (parameter->count + 1) * sizeof *parameter->values);
  parameter->values[parameter->count++] = format_string("%.*s", (int)length, value);
  return NULL;
}

static char *add_list(struct parameter *parameter, const char *list) {
  char *why = NULL;
  while (!why) {
    const size_t length = strcspn(list, ",");
    why = add_value(parameter, list, length);
    if (!list[length])
      break;
    list += length + 1;
  }
  return why;
}

/* A whole number from 0 on; `*end` is behind it. */
static bool take_whole(const char **at, unsigned long long *value) {
  char *end = NULL;
  errno = 0;
  *value = isdigit((unsigned char)**at) ? strtoull(*at, &end, 10) : 0;
  if (!end || errno)
    return false;
  *at = end;
  return true;
}

struct range {
  unsigned long long first, last, change;
  char kind; /* '*' or '+' */
};

static bool read_range(const char *given, struct range *range) {
  const char *at = given;
  if (!take_whole(&at, &range->first) || strncmp(at, "..", 2))
    return false;
  at += 2;
  if (!take_whole(&at, &range->last) || !*at || !strchr("*+", *at))
    return false;
  range->kind = *at++;
  return take_whole(&at, &range->change) && !*at;
}

static bool is_endless(const struct range *range) {
  return range->kind == '*' ? range->change < 2 || !range->first : !range->change;
}

static char *add_range(struct parameter *parameter, const char *given, const struct range *range) {
  if (is_endless(range) || range->first > range->last)
    return format_string("'%s' never reaches its end; write FIRST..LAST*2 or FIRST..LAST+1.", given);
  char *why = NULL;
  for (unsigned long long value = range->first, next; !why; value = next) {
    char *text = format_string("%llu", value);
    why = add_value(parameter, text, strlen(text));
    free(text);
    if (range->kind == '*' ? value > range->last / range->change : range->change > range->last - value)
      break;
    next = range->kind == '*' ? value * range->change : value + range->change;
  }
  return why;
}

static size_t name_length(const char *given) {
  size_t length = 0;
  while (isalnum((unsigned char)given[length]) || (length && given[length] && strchr("_-.", given[length])))
    ++length;
  return given[length] == '=' ? length : 0;
}

static bool has_name(const struct parameters *parameters, const char *name, size_t length) {
  for (size_t i = 0; i < parameters->count; ++i)
    if (strlen(parameters->items[i].name) == length && !strncmp(parameters->items[i].name, name, length))
      return true;
  return false;
}

char *parameters_add(struct parameters *parameters, const char *given) {
  const size_t length = name_length(given);
  struct range range;
  if (!length)
    return format_string("'%s' is no parameter; write --sweep NAME=VALUE,VALUE with a name of letters, digits, '_', '-' and '.'.",
                         given);
  if (has_name(parameters, given, length))
    return format_string("'%.*s' is given twice; write all its values in one --sweep.", (int)length, given);
  parameters->items = reallocate(parameters->items, (parameters->count + 1) * sizeof *parameters->items);
  struct parameter *parameter = &parameters->items[parameters->count++];
  *parameter = (struct parameter){.name = format_string("%.*s", (int)length, given)};
  const char *values = given + length + 1;
  return read_range(values, &range) ? add_range(parameter, values, &range) : add_list(parameter, values);
}

void parameters_free(struct parameters *parameters) {
  for (size_t i = 0; i < parameters->count; ++i) {
    for (size_t v = 0; v < parameters->items[i].count; ++v)
      free(parameters->items[i].values[v]);
    free(parameters->items[i].values);
    free(parameters->items[i].name);
  }
  free(parameters->items);
  *parameters = (struct parameters){0};
}

/* ---- Points ---- */

size_t parameters_points(const struct parameters *parameters) {
  size_t points = 1;
  for (size_t i = 0; i < parameters->count && points <= SWEEP_POINTS_MOST; ++i)
    points *= parameters->items[i].count;
  return points <= SWEEP_POINTS_MOST ? points : SWEEP_POINTS_MOST + 1;
}

const char *parameters_value(const struct parameters *parameters, size_t point, size_t parameter) {
  for (size_t i = parameters->count - 1; i > parameter; --i)
    point /= parameters->items[i].count;
  const struct parameter *found = &parameters->items[parameter];
  return found->values[point % found->count];
}

/* The length of {NAME} at `at`, or 0. */
static size_t place_length(const struct parameter *parameter, const char *at) {
  const size_t length = strlen(parameter->name);
  return at[0] == '{' && !strncmp(at + 1, parameter->name, length) && at[1 + length] == '}' ? length + 2 : 0;
}

bool parameter_is_in(const struct parameter *parameter, const char *argument) {
  for (; *argument; ++argument)
    if (place_length(parameter, argument))
      return true;
  return false;
}

char *parameters_fill(const struct parameters *parameters, size_t point, const char *argument) {
  struct text filled = {0};
  while (*argument) {
    size_t length = 0;
    for (size_t i = 0; i < parameters->count && !length; ++i) {
      length = place_length(&parameters->items[i], argument);
      if (length)
        text_add(&filled, parameters_value(parameters, point, i));
    }
    if (!length)
      text_bytes(&filled, argument, length = 1);
    argument += length;
  }
  return filled.data ? filled.data : copy_string("");
}

char *parameters_label(const struct parameters *parameters, size_t point, const char *separator) {
  struct text label = {0};
  for (size_t i = 0; i < parameters->count; ++i)
    text_format(&label, "%s%s=%s", i ? separator : "", parameters->items[i].name, parameters_value(parameters, point, i));
  return label.data ? label.data : copy_string("");
}
