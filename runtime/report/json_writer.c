// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json_writer.h"

#include "report/format_rounded.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void gp_json_begin(struct gp_json *json, FILE *stream) {
  json->stream = stream;
  json->used = json->depth = json->recorded = 0;
  json->failed = json->compact = json->keep = 0;
  json->changed = NULL;
}

static void flush(struct gp_json *json) {
  fwrite(json->buffer, 1, json->used, json->stream);
  json->used = 0;
}

static void put(struct gp_json *json, const char *text, size_t length) {
  if (length > sizeof json->buffer - json->used)
    flush(json);
  if (length > sizeof json->buffer) {
    fwrite(text, 1, length, json->stream);
    return;
  }
  memcpy(json->buffer + json->used, text, length);
  json->used += length;
}

static void put_character(struct gp_json *json, char character) {
  if (json->used == sizeof json->buffer)
    flush(json);
  json->buffer[json->used++] = character;
}

static void put_text(struct gp_json *json, const char *text) { put(json, text, strlen(text)); }

int gp_json_end(struct gp_json *json) {
  put_character(json, '\n');
  flush(json);
  return json->failed || json->depth || ferror(json->stream) ? -1 : 0;
}

void gp_json_compact(struct gp_json *json, int compact) { json->compact = compact; }

static void new_line(struct gp_json *json) {
  if (json->compact)
    return;
  put_character(json, '\n');
  for (unsigned i = 0; i < json->depth; i++)
    put_character(json, ' ');
}

/* Length of the well-formed UTF-8 sequence at `text`, 0 if it is none. */
static size_t sequence(const unsigned char *text) {
  static const struct {
    unsigned char low, high, second_low, second_high;
    unsigned length;
  } forms[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
               {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
               {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (text[0] < forms[i].low || text[0] > forms[i].high)
      continue;
    if (forms[i].length > 1 && (text[1] < forms[i].second_low || text[1] > forms[i].second_high))
      return 0;
    for (unsigned k = 2; k < forms[i].length; k++)
      if ((text[k] & 0xc0) != 0x80)
        return 0;
    return forms[i].length;
  }
  return 0;
}

/* Length of the plain characters at the start of `text`. */
static size_t plain(const char *text) {
  size_t length = 0;
  while (text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' && text[length] != '\\')
    length++;
  return length;
}

/* Writes one character needing an escape; returns its length. */
static size_t put_special(struct gp_json *json, const unsigned char *c) {
  static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  const char *name = strchr(named, *c);
  size_t length = sequence(c);
  if (name) {
    put_character(json, '\\');
    put_character(json, letters[name - named]);
  } else if (*c < 0x20 || *c == 0x7f) {
    char escape[8];
    put(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", *c));
  } else if (length) {
    put(json, (const char *)c, length);
  } else {
    put_text(json, "\\ufffd");
  }
  return length ? length : 1;
}

static void quoted(struct gp_json *json, const char *text) {
  put_character(json, '"');
  while (*text) {
    size_t length = plain(text);
    if (length)
      put(json, text, length);
    else
      length = put_special(json, (const unsigned char *)text);
    text += length;
  }
  put_character(json, '"');
}

/* ---- Defaults ---- */

/* The text of a string, and of no other value, begins with a quote. */
struct value {
  size_t quotes; /* 0 or 1 */
  const char *text;
  size_t length;
};

static struct gp_json_level *innermost(struct gp_json *json) { return json->depth ? &json->levels[json->depth - 1] : NULL; }

static int fits(struct value value) {
  return value.quotes + value.length < sizeof ((struct gp_json_default *)0)->value;
}

static void set(struct gp_json_default *member, struct value value) {
  member->value[0] = '"';
  memcpy(member->value + value.quotes, value.text, value.length);
  member->length = (unsigned char)(value.quotes + value.length);
}

/* 0 without room. */
static unsigned short record(struct gp_json *json, const char *key, struct value value) {
  struct gp_json_level *level = innermost(json);
  struct gp_json_defaults *defaults = level->defaults;
  if (!level->same || defaults->count == GP_JSON_DEFAULTS || !fits(value))
    return 0;
  const unsigned short index = (unsigned short)defaults->count++;
  struct gp_json_default *member = &defaults->members[index];
  *member = (struct gp_json_default){.key = key};
  set(member, value);
  *(level->next ? &defaults->members[level->next].next : &defaults->members[level->same].first) = index;
  return level->next = index;
}

/* The default of a member, or 0. Members mostly come in the order of the defaults. */
static unsigned short find_default(struct gp_json *json, const char *key) {
  struct gp_json_level *level = innermost(json);
  if (!level || !level->same || !key)
    return 0;
  const struct gp_json_default *members = level->defaults->members;
  const unsigned short first = members[level->same].first;
  unsigned short at = level->next ? level->next : first;
  for (unsigned tried = 0; tried < 2; at = first, tried++)
    for (; at; at = members[at].next)
      if (members[at].key == key || (members[at].key[0] == key[0] && !strcmp(members[at].key, key))) {
        level->next = members[at].next;
        return at;
      }
  return 0;
}

static int equals(const struct gp_json_default *member, struct value value) {
  return member->length == value.quotes + value.length && (member->value[0] == '"') == value.quotes &&
         !memcmp(member->value + value.quotes, value.text, value.length);
}

/* Changes a default, if there is one and room for the value. */
static int change(struct gp_json *json, unsigned short found, struct value value) {
  if (!found || !fits(value))
    return 0;
  set(&json->changed->members[found], value);
  return 1;
}

/* True if a value is left out. */
static int is_default(struct gp_json *json, const char *key, struct value value) {
  if (json->recorded)
    return record(json, key, value), 0;
  const unsigned short found = json->keep ? 0 : find_default(json, key);
  const int equal = found && equals(&innermost(json)->defaults->members[found], value);
  return json->changed ? equal || !change(json, found, value) : equal;
}

/* ---- Containers ---- */

static void put_key(struct gp_json *json, const char *key) {
  if (!key)
    return;
  quoted(json, key);
  put_text(json, ": ");
}

/* Writes the containers around a value, delayed until now. */
static void open_pending(struct gp_json *json) {
  const unsigned depth = json->depth;
  unsigned first = depth;
  while (first && json->levels[first - 1].pending)
    first--;
  for (; first < depth; first++) {
    struct gp_json_level *level = &json->levels[first];
    if (first) {
      if (level[-1].filled)
        put_character(json, ',');
      level[-1].filled = 1;
    }
    put_key(json, level->key);
    put_character(json, level->bracket);
    level->pending = 0;
  }
}

/* Writes the text before a value: comma, line, key. */
static void lead(struct gp_json *json, const char *key) {
  if (json->depth) {
    open_pending(json);
    unsigned char *filled = &json->levels[json->depth - 1].filled;
    if (*filled)
      put_character(json, ',');
    *filled = 1;
    new_line(json);
  }
  put_key(json, key);
}

/* A container with a default of its kind waits for its first element. */
static void open(struct gp_json *json, const char *key, char bracket) {
  const struct value value = {0, &bracket, 1};
  struct gp_json_defaults *const defaults = json->depth ? innermost(json)->defaults : NULL;
  unsigned short same = 0, waits = json->changed != NULL;
  if (json->recorded)
    same = record(json, key, value);
  else if ((same = find_default(json, key)))
    waits |= !json->keep && equals(&defaults->members[same], value);
  if (json->depth == GP_JSON_DEPTH) {
    json->failed = 1;
    return;
  }
  if (!waits) {
    lead(json, key);
    put_character(json, bracket);
  }
  json->levels[json->depth++] =
      (struct gp_json_level){.key = key,
                             .defaults = defaults,
                             .same = bracket == '{' ? same : 0,
                             .bracket = bracket,
                             .pending = (unsigned char)waits};
}

static void close(struct gp_json *json, char bracket) {
  if (!json->depth) {
    json->failed = 1;
    return;
  }
  const struct gp_json_level *level = &json->levels[--json->depth];
  if (json->recorded > json->depth)
    json->recorded = 0;
  if (level->changes)
    json->changed = NULL;
  if (level->pending)
    return;
  if (level->filled)
    new_line(json);
  put_character(json, bracket);
}

void gp_json_object_of_defaults(struct gp_json *json, const char *key, struct gp_json_defaults *defaults) {
  open(json, key, '{');
  if (!defaults || json->failed)
    return;
  defaults->members[0] = (struct gp_json_default){0};
  defaults->members[1] = (struct gp_json_default){.value = "{", .length = 1};
  defaults->count = 2;
  json->recorded = json->depth;
  innermost(json)->defaults = defaults;
  innermost(json)->same = 1;
}

void gp_json_sparse_object(struct gp_json *json, const char *key, struct gp_json_defaults *defaults) {
  open(json, key, '{');
  if (!defaults || json->failed)
    return;
  innermost(json)->defaults = defaults;
  innermost(json)->same = 1;
}

void gp_json_change_defaults(struct gp_json *json, struct gp_json_defaults *defaults, struct gp_json_defaults *changed) {
  struct gp_json_level *level = innermost(json);
  if (!level || json->failed)
    return;
  memcpy(changed, defaults, offsetof(struct gp_json_defaults, members) + defaults->count * sizeof *defaults->members);
  json->changed = changed;
  level->changes = 1;
  level->defaults = defaults;
  level->same = 1;
}

void gp_json_keep(struct gp_json *json, int keep) { json->keep = keep; }

void gp_json_object(struct gp_json *json, const char *key) { open(json, key, '{'); }
void gp_json_array(struct gp_json *json, const char *key) { open(json, key, '['); }
void gp_json_close_object(struct gp_json *json) { close(json, '}'); }
void gp_json_close_array(struct gp_json *json) { close(json, ']'); }

/* Writes a value with a ready text. */
static void put_value(struct gp_json *json, const char *key, const char *text, size_t length) {
  if (is_default(json, key, (struct value){0, text, length}))
    return;
  lead(json, key);
  put(json, text, length);
}

void gp_json_boolean(struct gp_json *json, const char *key, int value) {
  const char *word = value ? "true" : "false";
  put_value(json, key, word, strlen(word));
}

void gp_json_null(struct gp_json *json, const char *key) { put_value(json, key, "null", 4); }

void gp_json_text(struct gp_json *json, const char *key, const char *text) {
  if (!text) {
    gp_json_null(json, key);
    return;
  }
  if (is_default(json, key, (struct value){1, text, strlen(text)}))
    return;
  lead(json, key);
  quoted(json, text);
}

/* Writes the digits before `end`; returns the first one. */
static char *digits_before(char *end, uint64_t value) {
  do
    *--end = (char)('0' + value % 10);
  while (value /= 10);
  return end;
}

static void put_integer(struct gp_json *json, const char *key, const char *sign, uint64_t magnitude) {
  char digits[21], *end = digits + sizeof digits, *first = digits_before(end, magnitude);
  if (*sign)
    *--first = *sign;
  put_value(json, key, first, (size_t)(end - first));
}

void gp_json_unsigned(struct gp_json *json, const char *key, uint64_t value) { put_integer(json, key, "", value); }

void gp_json_signed(struct gp_json *json, const char *key, int64_t value) {
  put_integer(json, key, value < 0 ? "-" : "", value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* A program may have set a locale with a decimal comma, or with a decimal sign of several bytes. */
static void use_point(char *text) {
  static const char own[] = "0123456789+-e";
  char *sign = text + strspn(text, own);
  if (!*sign)
    return;
  *sign = '.';
  char *rest = sign + 1 + strcspn(sign + 1, own);
  memmove(sign + 1, rest, strlen(rest) + 1);
}

static void put_real(struct gp_json *json, const char *key, char *text) {
  use_point(text);
  if (!strpbrk(text, ".e"))
    strcat(text, ".0");
  put_value(json, key, text, strlen(text));
}

/* Below it 15 digits are all digits of a whole number. */
#define INTEGERS 1e15

static void put_whole(struct gp_json *json, const char *key, uint64_t value) {
  char digits[24], *end = digits + sizeof digits - 2, *first = digits_before(end, value);
  memcpy(end, ".0", 2);
  put_value(json, key, first, (size_t)(end + 2 - first));
}

void gp_json_real(struct gp_json *json, const char *key, double value) {
  if (!isfinite(value)) {
    gp_json_null(json, key);
    return;
  }
  if (!signbit(value) && value < INTEGERS && value == (double)(uint64_t)value) {
    put_whole(json, key, (uint64_t)value);
    return;
  }
  char text[40];
  int digits = 15;
  do
    snprintf(text, sizeof text, "%.*g", digits, value);
  while (strtod(text, NULL) != value && ++digits <= 17);
  put_real(json, key, text);
}

void gp_json_rounded(struct gp_json *json, const char *key, double value) {
  char text[40];
  if (!isfinite(value)) {
    gp_json_null(json, key);
    return;
  }
  if (!gp_format_rounded(text, value))
    snprintf(text, sizeof text, "%.9g", value);
  put_real(json, key, text);
}
