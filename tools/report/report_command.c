// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof report: documents in, a table in one of the formats out. */
#include "common/commands.h"
#include "report/formats.h"

#include "common/file.h"
#include "common/say.h"

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
#define FILE_WIDTH 120

/* A format is written for one document after the other, or for all of them at once. */
static const struct format {
  const char *name;
  bool always_utf8;
  void (*one)(struct text *out, const struct document *document, const struct selection *selection,
              const struct style *style);
  void (*all)(struct text *out, const struct document *documents, size_t count,
              const struct selection *selection);
} formats[] = {{"text", false, report_text, NULL},
               {"markdown", true, report_markdown, NULL},
               {"html", true, report_html, NULL},
               {"csv", true, NULL, report_csv},
               {"json", true, NULL, report_json}};

static const struct format *find_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(formats[i].name, name))
      return &formats[i];
  return NULL;
}

static size_t within(size_t least, size_t width, size_t most) {
  return width < least ? least : width > most ? most : width;
}

/* COLUMNS, as shells export it on request, comes before the terminal's own width. */
static size_t line_width(bool terminal) {
  const char *columns = getenv("COLUMNS");
  char *end = NULL;
  const unsigned long asked = columns && isdigit((unsigned char)*columns) ? strtoul(columns, &end, 10) : 0;
  if (asked && !*end)
    return within(LEAST_WIDTH, asked, MOST_ASKED);
  struct winsize size;
  if (!terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
    return FILE_WIDTH;
  return within(LEAST_WIDTH, size.ws_col, MOST_WIDTH);
}

static struct style choose_style(const struct format *format, const char *output, const char *color) {
  bool terminal = !strcmp(output, "-") && isatty(STDOUT_FILENO);
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  bool plain = (no_color && *no_color) || (term && !strcmp(term, "dumb"));
  setlocale(LC_CTYPE, "");
  struct style style = {.utf8 = format->always_utf8 || !strcmp(nl_langinfo(CODESET), "UTF-8"),
                        .color = terminal && !plain,
                        .width = line_width(terminal)};
  if (!strcmp(color, "always") || !strcmp(color, "never"))
    style.color = !strcmp(color, "always");
  return style;
}

static int write_report(const struct arguments *arguments, const struct format *format,
                        const struct selection *selection) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  const char *color = arguments->values[OPTION_COLOR] ? arguments->values[OPTION_COLOR] : "auto";
  struct style style = choose_style(format, output, color);
  struct document *documents = allocate(arguments->rest_count * sizeof *documents);
  struct file_output file;
  struct text out = {.sink = &file.sink};
  size_t read = 0;
  int code = EXIT_UNUSABLE;
  while (read < arguments->rest_count && document_read(arguments->rest[read], &documents[read]))
    ++read;
  if (read == arguments->rest_count) {
    file_open(&file, output);
    for (size_t i = 0; format->one && i < read; ++i) {
      text_add(&out, i ? "\n" : "");
      if (arguments->values[OPTION_LINES])
        report_lines(&out, &documents[i], &style);
      else
        format->one(&out, &documents[i], selection, &style);
    }
    if (format->all)
      format->all(&out, documents, read, selection);
    code = file_close(&file, &out);
  }
  text_free(&out);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  return code;
}

int run_report(const struct command *self, const struct arguments *arguments) {
  const char *name = arguments->values[OPTION_FORMAT] ? arguments->values[OPTION_FORMAT] : "text";
  const char *color = arguments->values[OPTION_COLOR];
  const struct format *format = find_format(name);
  if (!arguments->rest_count)
    return misuse(self->name, "'report' needs a JSON file: gpuprof report gpuprof.json.");
  if (!format)
    return misuse(self->name, "there is no format '%s'; choose text, markdown, csv, json or html.", name);
  if (color && strcmp(color, "auto") && strcmp(color, "always") && strcmp(color, "never"))
    return misuse(self->name, "--color is auto, always or never, not '%s'.", color);
  if (arguments->values[OPTION_LINES] && strcmp(name, "text"))
    return misuse(self->name, "--lines is text only; for programs the JSON has 'lines' in each kernel and region.");
  if (!strcmp(name, "html") && arguments->rest_count > 1)
    return misuse(self->name, "an HTML report is of one file; make one page for each.");
  struct selection selection = {true, true, arguments->values[OPTION_NOTES] != NULL};
  if (arguments->values[OPTION_KERNELS] || arguments->values[OPTION_REGIONS]) {
    selection.regions = arguments->values[OPTION_REGIONS] != NULL;
    selection.kernels = arguments->values[OPTION_KERNELS] != NULL;
  }
  return write_report(arguments, format, &selection);
}
