#include "report/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gp_json_begin(struct gp_json *json, FILE *stream) {
  json->stream = stream;
  json->used = json->depth = 0;
  json->failed = json->compact = 0;
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

/* Characters that stand for themselves, at the begin of `text`. */
static size_t plain(const char *text) {
  size_t length = 0;
  while (text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' && text[length] != '\\')
    length++;
  return length;
}

/* One character that is none of these; returns its length. */
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

/* What stands before a value: comma, line, key. */
static void lead(struct gp_json *json, const char *key) {
  if (json->depth) {
    unsigned char *filled = &json->filled[json->depth - 1];
    if (*filled)
      put_character(json, ',');
    *filled = 1;
    new_line(json);
  }
  if (!key)
    return;
  quoted(json, key);
  put_text(json, ": ");
}

static void open(struct gp_json *json, const char *key, char bracket) {
  lead(json, key);
  put_character(json, bracket);
  if (json->depth == GP_JSON_DEPTH) {
    json->failed = 1;
    return;
  }
  json->filled[json->depth++] = 0;
}

static void close(struct gp_json *json, char bracket) {
  if (!json->depth) {
    json->failed = 1;
    return;
  }
  json->depth--;
  if (json->filled[json->depth])
    new_line(json);
  put_character(json, bracket);
}

void gp_json_object(struct gp_json *json, const char *key) { open(json, key, '{'); }
void gp_json_array(struct gp_json *json, const char *key) { open(json, key, '['); }
void gp_json_close_object(struct gp_json *json) { close(json, '}'); }
void gp_json_close_array(struct gp_json *json) { close(json, ']'); }

void gp_json_boolean(struct gp_json *json, const char *key, int value) {
  lead(json, key);
  put_text(json, value ? "true" : "false");
}

void gp_json_null(struct gp_json *json, const char *key) {
  lead(json, key);
  put_text(json, "null");
}

void gp_json_text(struct gp_json *json, const char *key, const char *text) {
  if (!text) {
    gp_json_null(json, key);
    return;
  }
  lead(json, key);
  quoted(json, text);
}

static void put_number(struct gp_json *json, uint64_t value) {
  char digits[20], *first = digits + sizeof digits;
  do
    *--first = (char)('0' + value % 10);
  while (value /= 10);
  put(json, first, (size_t)(digits + sizeof digits - first));
}

void gp_json_unsigned(struct gp_json *json, const char *key, uint64_t value) {
  lead(json, key);
  put_number(json, value);
}

void gp_json_signed(struct gp_json *json, const char *key, int64_t value) {
  lead(json, key);
  if (value < 0)
    put_character(json, '-');
  put_number(json, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* A program may have set a locale with a decimal comma, or with a sign of several bytes. */
static void use_point(char *text) {
  static const char own[] = "0123456789+-e";
  char *sign = text + strspn(text, own);
  if (!*sign)
    return;
  *sign = '.';
  char *rest = sign + 1 + strcspn(sign + 1, own);
  memmove(sign + 1, rest, strlen(rest) + 1);
}

void gp_json_real(struct gp_json *json, const char *key, double value) {
  if (!isfinite(value)) {
    gp_json_null(json, key);
    return;
  }
  char text[40];
  int digits = 15;
  do
    snprintf(text, sizeof text, "%.*g", digits, value);
  while (strtod(text, NULL) != value && ++digits <= 17);
  use_point(text);
  lead(json, key);
  put_text(json, text);
  if (!strpbrk(text, ".e"))
    put_text(json, ".0");
}
