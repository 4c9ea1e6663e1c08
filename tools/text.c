#include "text.h"

#include "say.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static void *checked(void *memory) {
  if (memory)
    return memory;
  fputs("gpuprof: error: out of memory; close other programs or read a smaller file.\n", stderr);
  exit(EXIT_UNUSABLE);
}

void *allocate(size_t bytes) { return checked(calloc(1, bytes ? bytes : 1)); }

void *reallocate(void *old, size_t bytes) { return checked(realloc(old, bytes ? bytes : 1)); }

char *copy_string(const char *string) { return checked(strdup(string)); }

char *format_string(const char *format, ...) {
  char *result = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&result, format, arguments);
  va_end(arguments);
  return checked(length < 0 ? NULL : result);
}

static void reserve(struct text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity)
    return;
  text->capacity = needed * 2 < 256 ? 256 : needed * 2;
  text->data = reallocate(text->data, text->capacity);
}

void text_bytes(struct text *text, const char *bytes, size_t count) {
  reserve(text, count);
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = 0;
}

void text_add(struct text *text, const char *string) { text_bytes(text, string, strlen(string)); }

void text_format(struct text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void text_repeat(struct text *text, const char *string, size_t times) {
  while (times--)
    text_add(text, string);
}

size_t utf8_length(const char *string) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  unsigned char first = (unsigned char)string[0];
  for (size_t form = 0; form < sizeof forms / sizeof *forms; ++form) {
    if ((first & forms[form].mask) != forms[form].lead)
      continue;
    uint32_t code = first & (unsigned char)~forms[form].mask;
    for (size_t i = 1; i <= form; ++i) {
      if (((unsigned char)string[i] & 0xC0) != 0x80)
        return 0;
      code = code << 6 | ((unsigned char)string[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < forms[form].least || code > 0x10FFFF || surrogate ? 0 : form + 1;
  }
  return 0;
}

static bool is_control(const char *string, size_t length) {
  unsigned char first = (unsigned char)string[0], second = length > 1 ? (unsigned char)string[1] : 0;
  return first < 0x20 || first == 0x7F || (length == 2 && first == 0xC2 && second < 0xA0);
}

static const char *xml_entity(char character) {
  switch (character) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

static void add_clean(struct text *text, const char *string, bool xml) {
  while (*string) {
    size_t length = utf8_length(string);
    const char *entity = xml && length == 1 ? xml_entity(*string) : NULL;
    if (entity)
      text_add(text, entity);
    else if (!length || is_control(string, length))
      text_add(text, REPLACEMENT);
    else
      text_bytes(text, string, length);
    string += length ? length : 1;
  }
}

void text_plain(struct text *text, const char *string) { add_clean(text, string, false); }

void text_xml(struct text *text, const char *string) { add_clean(text, string, true); }

const char *text_get(const struct text *text) { return text->data ? text->data : ""; }

void text_free(struct text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

size_t text_width(const char *string) {
  size_t width = 0;
  for (; *string; ++string)
    width += ((unsigned char)*string & 0xC0) != 0x80;
  return width;
}

static const char *skip_columns(const char *string, size_t columns) {
  while (*string && columns--) {
    size_t length = utf8_length(string);
    string += length ? length : 1;
  }
  return string;
}

void text_elide(struct text *text, const char *string, size_t width, const char *ellipsis) {
  size_t whole = text_width(string), gap = text_width(ellipsis);
  if (whole <= width || width <= gap) {
    text_add(text, string);
    return;
  }
  size_t kept = width - gap, head = kept - kept / 2, tail = kept / 2;
  text_bytes(text, string, (size_t)(skip_columns(string, head) - string));
  text_add(text, ellipsis);
  text_add(text, skip_columns(string, whole - tail));
}

static const char *behind_scopes(const char *name) {
  const char *begin = name;
  int depth = 0; /* of template arguments, and of "(anonymous namespace)" */
  for (const char *at = name; *at; ++at) {
    depth += (*at == '<' || *at == '(') - ((*at == '>' || *at == ')') && depth);
    if (!depth && at[0] == ':' && at[1] == ':')
      begin = at + 2;
  }
  return begin;
}

void text_elide_kernel(struct text *text, const char *name, size_t width, const char *ellipsis) {
  const size_t least = 2 * text_width(ellipsis); /* of arguments that are worth their place */
  if (text_width(name) > width)
    name = behind_scopes(name);
  const size_t length = strlen(name), proper = strcspn(name, "<"), brackets = 2;
  if (text_width(name) <= width || proper == length || name[length - 1] != '>' ||
      proper + brackets + least > width) {
    text_elide(text, name, width, ellipsis);
    return;
  }
  char *arguments = format_string("%.*s", (int)(length - proper - brackets), name + proper + 1);
  text_bytes(text, name, proper + 1);
  text_elide(text, arguments, width - proper - brackets, ellipsis);
  text_add(text, ">");
  free(arguments);
}
