// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof plot: documents in, a picture out. */
#include "chart/chart.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *picture_format(const char *output) {
  const char *dot = strrchr(output, '.');
  if (!strcmp(output, "-") || !dot)
    return "svg";
  return dot + 1;
}

static int draw(const struct chart *chart, const char *output, const char *format) {
  struct text picture = {0};
  int code;
  if (!strcasecmp(format, "svg"))
    svg_draw(&picture, chart, false);
  else if (!cairo_draw(&picture, chart, strcasecmp(format, "png") ? "pdf" : "png")) {
    text_free(&picture);
    return fail("cairo could not draw '%s'; write an SVG instead: -o roofline.svg.", output);
  }
  code = file_write(output, text_get(&picture), picture.length);
  text_free(&picture);
  return code;
}

#define DEFAULT_PICTURE "roofline.svg"

/* A terminal gets no SVG, but a file of this name. */
static const char *choose_output(const struct arguments *arguments) {
  if (arguments->values[OPTION_OUTPUT])
    return arguments->values[OPTION_OUTPUT];
  return isatty(STDOUT_FILENO) ? DEFAULT_PICTURE : "-";
}

int run_plot(const struct command *self, const struct arguments *arguments) {
  const char *output = choose_output(arguments);
  const bool is_default = output != arguments->values[OPTION_OUTPUT] && strcmp(output, "-") != 0;
  const char *format = picture_format(output);
  bool vector = !strcasecmp(format, "svg"), other = !strcasecmp(format, "png") || !strcasecmp(format, "pdf");
  if (!arguments->rest_count)
    return misuse(self->name, "'plot' needs a JSON file: gpuprof plot gpuprof.json -o roofline.svg.");
  if (is_default && file_exists(output))
    return misuse(self->name, "'" DEFAULT_PICTURE "' exists; name the picture with -o FILE, or -o - for its text.");
  if (!vector && !other)
    return misuse(self->name, "cannot draw '%s': the file name must end in .svg, .png or .pdf.", output);
  const char *missing = vector ? NULL : cairo_missing();
  if (missing)
    return fail("no %s can be drawn: this gpuprof %s, or use -o roofline.svg.", format, missing);
  struct selection selection = {.regions = true, .kernels = true};
  if (arguments->values[OPTION_KERNELS] || arguments->values[OPTION_REGIONS])
    selection = (struct selection){.regions = arguments->values[OPTION_REGIONS] != NULL,
                                   .kernels = arguments->values[OPTION_KERNELS] != NULL};
  struct document *documents = allocate(arguments->rest_count * sizeof *documents);
  size_t read = 0;
  int code = EXIT_GOOD;
  while (read < arguments->rest_count && document_read(arguments->rest[read], &documents[read]))
    ++read;
  struct chart chart = {0};
  char *why = NULL;
  if (read < arguments->rest_count)
    code = EXIT_UNUSABLE;
  else if ((why = chart_build(&chart, documents, read, &selection, arguments->values[OPTION_TITLE])))
    code = fail("%s", why);
  else
    code = draw(&chart, output, format);
  if (is_default && code == EXIT_GOOD)
    printf("The picture is in " DEFAULT_PICTURE "; -o names another file, .png and .pdf too.\n");
  free(why);
  chart_free(&chart);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  return code;
}
