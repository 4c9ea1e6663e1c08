// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *at;
  size_t used, capacity;
  int failed;
};

struct arguments {
  const char *at;
  size_t offset;
  uint32_t taken;
};

/* Makes room for n more characters and a zero. */
static int room(struct text *text, size_t n) {
  if (text->failed)
    return 0;
  if (text->used + n + 1 > text->capacity) {
    size_t capacity = 2 * text->capacity + n + 128;
    char *larger = realloc(text->at, capacity);
    if (!larger) {
      text->failed = 1;
      return 0;
    }
    text->at = larger;
    text->capacity = capacity;
  }
  return 1;
}

static void append(struct text *text, const char *from, size_t n) {
  if (!room(text, n))
    return;
  memcpy(text->at + text->used, from, n);
  text->used += n;
}

static void take(struct arguments *arguments, void *value, size_t bytes) {
  arguments->offset = (arguments->offset + bytes - 1) / bytes * bytes;
  memcpy(value, arguments->at + arguments->offset, bytes);
  arguments->offset += bytes;
  arguments->taken++;
}

static int take_int(struct arguments *arguments) {
  int value;
  take(arguments, &value, sizeof value);
  return value;
}

/* Prints one value by a conversion rebuilt with its flags; twice if the first buffer was too short. */
#define PRINT(text, specification, value)                                                                    \
  do {                                                                                                       \
    int n_ = room(text, 64) ? snprintf((text)->at + (text)->used, 64, specification, value) : -1;            \
    if (n_ >= 64 && room(text, (size_t)n_))                                                                  \
      snprintf((text)->at + (text)->used, (size_t)n_ + 1, specification, value);                             \
    if (n_ > 0 && !(text)->failed)                                                                           \
      (text)->used += (size_t)n_;                                                                            \
  } while (0)

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

static void print_integer(struct text *text, const char *flags, int is_long, char conversion,
                          struct arguments *arguments) {
  char specification[96];
  snprintf(specification, sizeof specification, "%s%s%c", flags, is_long ? "ll" : "", conversion);
  if (is_long) {
    long long value;
    take(arguments, &value, sizeof value);
    PRINT(text, specification, value);
  } else {
    PRINT(text, specification, take_int(arguments));
  }
}

static void print_double(struct text *text, const char *flags, char conversion, struct arguments *arguments) {
  char specification[96];
  double value;
  snprintf(specification, sizeof specification, "%s%c", flags, conversion);
  take(arguments, &value, sizeof value);
  PRINT(text, specification, value);
}

static void print_pointer(struct text *text, const char *flags, char conversion,
                          struct arguments *arguments) {
  char specification[96];
  void *value;
  snprintf(specification, sizeof specification, "%s%c", flags, conversion);
  take(arguments, &value, sizeof value);
  if (conversion == 's')
    PRINT(text, specification, value ? (char *)value : "(null)");
  else
    PRINT(text, specification, value);
}

/* Copies flags, width and precision ('*' replaced by its argument); returns the start of the length
 * modifier. */
static const char *read_flags(const char *f, char *flags, size_t capacity, struct arguments *arguments) {
  size_t n = 0;
  flags[n++] = '%';
  for (; *f && strchr("-+ #0123456789.*", *f); f++) {
    if (*f == '*')
      n += (size_t)snprintf(flags + n, capacity - n, "%d", take_int(arguments));
    else
      flags[n++] = *f;
    if (n + 16 >= capacity)
      break;
  }
  flags[n] = 0;
  return f;
}

/* Prints the conversion beginning behind the '%' at f; returns the text behind it. */
static const char *convert(struct text *text, const char *f, struct arguments *arguments) {
  const char *begin = f;
  char flags[80];
  f = read_flags(f, flags, sizeof flags, arguments);
  int is_long = 0;
  for (; *f && strchr("hlLqjzt", *f); f++)
    is_long |= *f != 'h';
  switch (*f) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    print_integer(text, flags, is_long, *f, arguments);
    return f + 1;
  case 'c':
    print_integer(text, flags, 0, *f, arguments);
    return f + 1;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    print_double(text, flags, *f, arguments);
    return f + 1;
  case 'p':
  case 's':
    print_pointer(text, flags, *f, arguments);
    return f + 1;
  case '%':
    append(text, "%", 1);
    return f + 1;
  default: /* no conversion: printed verbatim */
    append(text, begin - 1, (size_t)(f - begin) + 1);
    return f;
  }
}

char *gp_format_device(const char *format, const void *packed, size_t *bytes, uint32_t *taken) {
  struct text text = {0};
  struct arguments arguments = {.at = packed};
  room(&text, 0);
  while (*format) {
    size_t plain = strcspn(format, "%");
    append(&text, format, plain);
    format += plain;
    if (*format)
      format = convert(&text, format + 1, &arguments);
  }
  *bytes = text.used;
  *taken = arguments.taken;
  if (text.failed) {
    free(text.at);
    return NULL;
  }
  text.at[text.used] = 0;
  return text.at;
}
