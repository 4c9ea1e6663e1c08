// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/style.h"

#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH 60
#define MOST_WIDTH 160 /* longer lines are hard to read; COLUMNS may ask for them */
#define MOST_ASKED 1000

static size_t within(size_t least, size_t width, size_t most) {
  return width < least ? least : width > most ? most : width;
}

/* COLUMNS, as shells export it on request, comes before the terminal's own width. */
static size_t line_width(bool terminal, size_t file_width) {
  const char *columns = getenv("COLUMNS");
  char *end = NULL;
  const unsigned long asked = columns && isdigit((unsigned char)*columns) ? strtoul(columns, &end, 10) : 0;
  if (asked && !*end)
    return within(LEAST_WIDTH, asked, MOST_ASKED);
  struct winsize size;
  if (!terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
    return file_width;
  return within(LEAST_WIDTH, size.ws_col, MOST_WIDTH);
}

struct style style_choose(const char *output, const char *color, bool always_utf8, size_t file_width) {
  bool terminal = !strcmp(output, "-") && isatty(STDOUT_FILENO);
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  bool plain = (no_color && *no_color) || (term && !strcmp(term, "dumb"));
  setlocale(LC_CTYPE, "");
  struct style style = {.utf8 = always_utf8 || !strcmp(nl_langinfo(CODESET), "UTF-8"),
                        .color = terminal && !plain,
                        .width = line_width(terminal, file_width)};
  if (!strcmp(color, "always") || !strcmp(color, "never"))
    style.color = !strcmp(color, "always");
  return style;
}

const char *style_dash(const struct style *style) { return style->utf8 ? "–" : "-"; }

const char *style_ellipsis(const struct style *style) { return style->utf8 ? "…" : ".."; }
