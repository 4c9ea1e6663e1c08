#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *what, const char *format, va_list arguments) {
  fflush(stdout);
  fprintf(stderr, "gpuprof: %s: ", what);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

int fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error", format, arguments);
  va_end(arguments);
  return EXIT_UNUSABLE;
}

int misuse(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("error", format, arguments);
  va_end(arguments);
  fprintf(stderr, "Read 'gpuprof help%s%s'.\n", command ? " " : "", command ? command : "");
  return EXIT_UNUSABLE;
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("note", format, arguments);
  va_end(arguments);
}
