// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/trace_slices.h"

#include <string.h>

bool slice_is(struct slice slice, const char *text) {
  const size_t length = strlen(text);
  return (size_t)(slice.end - slice.at) == length && !memcmp(slice.at, text, length);
}

static void skip_blanks(struct slice *rest) {
  while (rest->at < rest->end && strchr(" \t\r\n,:", *rest->at) && *rest->at)
    rest->at++;
}

/* Behind the closing quote, or null. */
static const char *string_end(const char *at, const char *end) {
  for (++at; at < end && *at != '"'; ++at)
    at += *at == '\\';
  return at < end ? at + 1 : NULL;
}

/* Behind the bracket that closes the first one, or null. */
static const char *container_end(const char *at, const char *end) {
  size_t depth = 0;
  while (at && at < end) {
    if (*at == '"') {
      at = string_end(at, end);
      continue;
    }
    depth += *at == '{' || *at == '[';
    depth -= *at == '}' || *at == ']';
    ++at;
    if (!depth)
      return at;
  }
  return NULL;
}

static const char *value_end(struct slice rest) {
  if (*rest.at == '"')
    return string_end(rest.at, rest.end);
  if (*rest.at == '{' || *rest.at == '[')
    return container_end(rest.at, rest.end);
  const char *at = rest.at;
  while (at < rest.end && !strchr(",}] \t\r\n", *at))
    ++at;
  return at > rest.at ? at : NULL;
}

static bool take(struct slice *rest, struct slice *value) {
  skip_blanks(rest);
  if (rest->at >= rest->end || *rest->at == '}' || *rest->at == ']')
    return false;
  const char *end = value_end(*rest);
  if (!end)
    return false;
  *value = (struct slice){rest->at, end};
  rest->at = end;
  return true;
}

bool trace_next(struct slice *rest, struct trace_member *member) {
  if (!take(rest, &member->value))
    return false;
  struct slice behind = *rest;
  while (behind.at < behind.end && strchr(" \t\r\n", *behind.at) && *behind.at)
    behind.at++;
  member->name = (struct slice){NULL, NULL};
  if (behind.at >= behind.end || *behind.at != ':')
    return true;
  member->name = (struct slice){member->value.at + 1, member->value.end - 1};
  return take(rest, &member->value);
}

struct slice trace_inside(struct slice value) {
  const bool is_container = value.at < value.end && (*value.at == '{' || *value.at == '[');
  return is_container ? (struct slice){value.at + 1, value.end} : (struct slice){value.end, value.end};
}

struct slice trace_find(struct slice object, const char *name) {
  struct slice rest = trace_inside(object);
  struct trace_member member;
  while (trace_next(&rest, &member))
    if (slice_is(member.name, name))
      return member.value;
  return (struct slice){object.end, object.end};
}
