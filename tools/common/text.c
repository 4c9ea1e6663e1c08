// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/text.h"

#include "common/say.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static void *checked(void *memory) {
  if (memory)
    return memory;
  fputs("gpuprof: error: out of memory; close other programs or read a smaller file.\n", stderr);
  exit(EXIT_UNUSABLE);
}

void *allocate(size_t bytes) { return checked(calloc(1, bytes ? bytes : 1)); }

#define LARGE_PAGE ((uintptr_t)1 << 21)

void advise_large_pages(void *memory, size_t bytes) {
  const uintptr_t begin = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1),
                  end = ((uintptr_t)memory + bytes) & ~(LARGE_PAGE - 1);
  if (begin < end)
    madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* where there are none, small ones do */
}

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

char *text_reserve(struct text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (needed > text->capacity) {
    size_t twice = 2 * text->capacity;
    text->capacity = needed < 256 ? 256 : needed < twice ? twice : needed;
    text->data = reallocate(text->data, text->capacity);
    advise_large_pages(text->data, text->capacity);
  }
  return text->data + text->length;
}

void text_bytes(struct text *text, const char *bytes, size_t count) {
  text_reserve(text, count);
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = 0;
}

void text_add(struct text *text, const char *string) { text_bytes(text, string, strlen(string)); }

void text_format(struct text *text, const char *format, ...) {
  va_list arguments, again;
  const size_t expected = 64; /* mostly enough, so that nothing is written twice */
  char *end = text_reserve(text, expected);
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(end, expected + 1, format, arguments);
  va_end(arguments);
  if (length > (int)expected)
    vsnprintf(text_reserve(text, (size_t)length), (size_t)length + 1, format, again);
  text->length += length > 0 ? (size_t)length : 0;
  text->data[text->length] = 0;
  va_end(again);
}

void text_unsigned(struct text *text, uint64_t number) {
  char digits[20], *first = digits + sizeof digits;
  do
    *--first = (char)('0' + number % 10);
  while (number /= 10);
  text_bytes(text, first, (size_t)(digits + sizeof digits - first));
}

void text_repeat(struct text *text, const char *string, size_t times) {
  size_t length = strlen(string);
  while (times--)
    text_bytes(text, string, length);
}

/* The code of the sequence at `string`, and its length: 0 where it is broken. */
static uint32_t utf8_code(const char *string, size_t *length) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  unsigned char first = (unsigned char)string[0];
  *length = 0;
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
    *length = code < forms[form].least || code > 0x10FFFF || surrogate ? 0 : form + 1;
    return code;
  }
  return 0;
}

size_t utf8_length(const char *string) {
  size_t length;
  utf8_code(string, &length);
  return length;
}

bool utf8_is_cut(const char *string, size_t count) {
  unsigned char first = count ? (unsigned char)string[0] : 0;
  size_t whole = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  for (size_t i = 1; i < count; ++i)
    if (((unsigned char)string[i] & 0xC0) != 0x80)
      return false;
  return count < whole && first < 0xF5;
}

/* What has a meaning of its own to a terminal, a browser or an editor, or is not seen. */
static bool is_control(uint32_t code) {
  static const struct {
    uint32_t first, last;
  } controls[] = {
      {0x00, 0x1F},       {0x7F, 0x9F},                           /* C0, delete, C1 */
      {0xAD, 0xAD},                                               /* soft hyphen */
      {0x61C, 0x61C},     {0x180E, 0x180E},                       /* direction, a vowel separator without width */
      {0x200B, 0x200F},   {0x2028, 0x202E},                       /* no width, direction, ends of lines */
      {0x2060, 0x206F},                                           /* no width, direction */
      {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF}, /* no width, annotations, no characters */
      {0xE0000, 0xE0FFF},                                         /* tags, which are not seen */
  };
  for (size_t i = 0; i < sizeof controls / sizeof *controls; ++i)
    if (code >= controls[i].first && code <= controls[i].last)
      return true;
  return false;
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

static bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x7F; }

static void add_clean(struct text *text, const char *string, bool xml) {
  while (*string) {
    size_t length = 0;
    while (is_plain((unsigned char)string[length]) && !(xml && xml_entity(string[length])))
      ++length;
    text_bytes(text, string, length);
    string += length;
    if (!*string)
      break;
    const char *entity = xml ? xml_entity(*string) : NULL;
    uint32_t code = utf8_code(string, &length);
    if (entity)
      text_add(text, entity);
    else if (!length || is_control(code))
      text_add(text, REPLACEMENT);
    else
      text_bytes(text, string, length);
    string += length ? length : 1;
  }
}

void text_plain(struct text *text, const char *string) { add_clean(text, string, false); }

void text_xml(struct text *text, const char *string) { add_clean(text, string, true); }

const char *text_get(const struct text *text) { return text->data ? text->data : ""; }

#define PART ((size_t)1 << 18)

void text_pass_on(struct text *text) {
  if (!text->sink || text->length < PART)
    return;
  text->sink->take(text->sink, text->data, text->length);
  text->length = 0;
}

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

const char *text_behind_scopes(const char *name) {
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
    name = text_behind_scopes(name);
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
