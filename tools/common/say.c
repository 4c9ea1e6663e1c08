// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/say.h"

#include "common/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Names in a message come from other people's files: none of them reaches the terminal as it is. */
static void say(const char *what, const char *format, va_list arguments) {
  char *message = NULL;
  struct text plain = {0};
  if (vasprintf(&message, format, arguments) < 0)
    return;
  text_plain(&plain, message);
  fflush(stdout);
  fprintf(stderr, "gpuprof: %s%s\n", what, text_get(&plain));
  text_free(&plain);
  free(message);
}

int fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error: ", format, arguments);
  va_end(arguments);
  return EXIT_UNUSABLE;
}

int fail_with(const char *lines, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error: ", format, arguments);
  va_end(arguments);
  fputs(lines, stderr);
  return EXIT_UNUSABLE;
}

int misuse(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error: ", format, arguments);
  va_end(arguments);
  fprintf(stderr, "Read 'gpuprof help%s%s'.\n", command ? " " : "", command ? command : "");
  return EXIT_UNUSABLE;
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("note: ", format, arguments);
  va_end(arguments);
}

void tell(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("", format, arguments);
  va_end(arguments);
}
