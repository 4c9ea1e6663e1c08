#include "json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gp_json_begin(struct gp_json *json, FILE *stream) { *json = (struct gp_json){.stream = stream}; }

int gp_json_end(struct gp_json *json) {
  fputc('\n', json->stream);
  return json->failed || json->depth || ferror(json->stream) ? -1 : 0;
}

static void new_line(struct gp_json *json) { fprintf(json->stream, "\n%*s", (int)json->depth, ""); }

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

static void quoted(FILE *stream, const char *text) {
  static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  fputc('"', stream);
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    size_t length = sequence(c);
    const char *name = strchr(named, *c);
    if (name)
      fprintf(stream, "\\%c", letters[name - named]);
    else if (*c < 0x20 || *c == 0x7f)
      fprintf(stream, "\\u%04x", *c);
    else if (length)
      fwrite(c, 1, length, stream);
    else
      fputs("\\ufffd", stream);
    c += length ? length : 1;
  }
  fputc('"', stream);
}

/* What stands before a value: comma, line, key. */
static void lead(struct gp_json *json, const char *key) {
  if (json->depth) {
    unsigned char *filled = &json->filled[json->depth - 1];
    if (*filled)
      fputc(',', json->stream);
    *filled = 1;
    new_line(json);
  }
  if (!key)
    return;
  quoted(json->stream, key);
  fputs(": ", json->stream);
}

static void open(struct gp_json *json, const char *key, char bracket) {
  lead(json, key);
  fputc(bracket, json->stream);
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
  fputc(bracket, json->stream);
}

void gp_json_object(struct gp_json *json, const char *key) { open(json, key, '{'); }
void gp_json_array(struct gp_json *json, const char *key) { open(json, key, '['); }
void gp_json_close_object(struct gp_json *json) { close(json, '}'); }
void gp_json_close_array(struct gp_json *json) { close(json, ']'); }

void gp_json_boolean(struct gp_json *json, const char *key, int value) {
  lead(json, key);
  fputs(value ? "true" : "false", json->stream);
}

void gp_json_null(struct gp_json *json, const char *key) {
  lead(json, key);
  fputs("null", json->stream);
}

void gp_json_text(struct gp_json *json, const char *key, const char *text) {
  if (!text) {
    gp_json_null(json, key);
    return;
  }
  lead(json, key);
  quoted(json->stream, text);
}

void gp_json_unsigned(struct gp_json *json, const char *key, uint64_t value) {
  lead(json, key);
  fprintf(json->stream, "%" PRIu64, value);
}

void gp_json_signed(struct gp_json *json, const char *key, int64_t value) {
  lead(json, key);
  fprintf(json->stream, "%" PRId64, value);
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
  fputs(text, json->stream);
  if (!strpbrk(text, ".e"))
    fputs(".0", json->stream);
}
