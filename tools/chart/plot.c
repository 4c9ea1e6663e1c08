// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof plot: documents in, a picture out. */
#include "chart/chart.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

int run_plot(const struct command *self, const struct arguments *arguments) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  const char *format = picture_format(output);
  bool vector = !strcasecmp(format, "svg"), other = !strcasecmp(format, "png") || !strcasecmp(format, "pdf");
  if (!arguments->rest_count)
    return misuse(self->name, "'plot' needs a JSON file: gpuprof plot gpuprof.json -o roofline.svg.");
  if (!vector && !other)
    return misuse(self->name, "cannot draw '%s': the file name must end in .svg, .png or .pdf.", output);
  if (!vector && !cairo_available())
    return fail(
        "this gpuprof was built without cairo and draws no %s; use -o roofline.svg, or build it again with "
        "libcairo2-dev installed.",
        format);
  struct selection selection = {true, true};
  if (arguments->values[OPTION_KERNELS] || arguments->values[OPTION_REGIONS])
    selection = (struct selection){arguments->values[OPTION_REGIONS] != NULL,
                                   arguments->values[OPTION_KERNELS] != NULL};
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
  free(why);
  chart_free(&chart);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  return code;
}
