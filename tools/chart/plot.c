// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof plot: documents in, a picture out. */
#include "chart/chart.h"
#include "chart/curves.h"
#include "chart/firing.h"
#include "chart/memory_curves.h"
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

static int draw(const struct picture *picture, const char *output, const char *format) {
  struct text drawn = {0};
  int code;
  if (!strcasecmp(format, "svg"))
    svg_draw(&drawn, picture, false);
  else if (!cairo_draw(&drawn, picture, strcasecmp(format, "png") ? "pdf" : "png")) {
    text_free(&drawn);
    return fail("cairo could not draw '%s'; write an SVG instead: -o roofline.svg.", output);
  }
  code = file_write(output, text_get(&drawn), drawn.length);
  text_free(&drawn);
  return code;
}

static int draw_roofline(const struct document *documents, size_t count, const struct selection *selection, const char *title,
                         const char *output, const char *format) {
  struct chart chart = {0};
  char *why = chart_build(&chart, documents, count, selection, title);
  const struct picture picture = chart_picture(&chart);
  const int code = why ? fail("%s", why) : draw(&picture, output, format);
  chart_free(&chart);
  free(why);
  return code;
}

static int draw_firing(const struct document *documents, size_t count, const struct selection *selection, const char *title,
                       const char *output, const char *format) {
  struct firing firing;
  char *why = firing_build(&firing, documents, count, selection, title);
  const struct picture picture = firing_picture(&firing);
  const int code = why ? fail("%s", why) : draw(&picture, output, format);
  firing_free(&firing);
  free(why);
  return code;
}

static int draw_memory(const struct document *documents, size_t count, const struct selection *selection, const char *title,
                       const char *output, const char *format) {
  struct memory_curves curves;
  (void)selection;
  char *why = memory_curves_build(&curves, documents, count, title);
  const struct picture picture = memory_curves_picture(&curves);
  const int code = why ? fail("%s", why) : draw(&picture, output, format);
  memory_curves_free(&curves);
  free(why);
  return code;
}

static int draw_curves(const struct sweep *sweep, const struct arguments *arguments, const struct selection *selection,
                       const char *output, const char *format) {
  const struct curve_choice choice = {.over = arguments->values[OPTION_OVER],
                                      .rows = arguments->values[OPTION_ROWS],
                                      .regions = selection->regions,
                                      .kernels = selection->kernels};
  struct curves curves;
  char *why = curves_build(&curves, sweep, &choice, arguments->values[OPTION_TITLE]);
  const struct picture picture = curves_picture(&curves);
  const int code = why ? fail("%s", why) : draw(&picture, output, format);
  curves_free(&curves);
  free(why);
  return code;
}

static int plot_sweep(const struct command *self, const struct arguments *arguments, const struct selection *selection,
                      const char *output, const char *format) {
  struct sweep sweep;
  if (arguments->rest_count != 1)
    return misuse(self->name, "--over draws one sweep: gpuprof plot --over seq sweep.json -o curves.svg.");
  if (arguments->values[OPTION_FIRING] || arguments->values[OPTION_MEMORY])
    return misuse(self->name, "give one of --over, --firing and --memory.");
  if (!sweep_read(&sweep, arguments->rest[0]))
    return EXIT_UNUSABLE;
  const int code = draw_curves(&sweep, arguments, selection, output, format);
  sweep_free(&sweep);
  return code;
}

typedef int (*drawing)(const struct document *documents, size_t count, const struct selection *selection, const char *title,
                       const char *output, const char *format);

static drawing drawing_of(const struct arguments *arguments) {
  return arguments->values[OPTION_FIRING] ? draw_firing : arguments->values[OPTION_MEMORY] ? draw_memory : draw_roofline;
}

static int plot_documents(const struct arguments *arguments, const struct selection *selection, const char *output,
                          const char *format) {
  struct document *documents = allocate(arguments->rest_count * sizeof *documents);
  size_t read = 0;
  int code = EXIT_UNUSABLE;
  while (read < arguments->rest_count && document_read(arguments->rest[read], &documents[read]))
    ++read;
  if (read == arguments->rest_count)
    code = drawing_of(arguments)(documents, read, selection, arguments->values[OPTION_TITLE], output, format);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  return code;
}

/* A terminal gets no SVG, but a file of this name. */
static const char *default_picture(const struct arguments *arguments) {
  if (arguments->values[OPTION_OVER])
    return "curves.svg";
  return arguments->values[OPTION_FIRING] ? "firing.svg" : arguments->values[OPTION_MEMORY] ? "memory.svg" : "roofline.svg";
}

static const char *choose_output(const struct arguments *arguments) {
  if (arguments->values[OPTION_OUTPUT])
    return arguments->values[OPTION_OUTPUT];
  return isatty(STDOUT_FILENO) ? default_picture(arguments) : "-";
}

int run_plot(const struct command *self, const struct arguments *arguments) {
  const char *output = choose_output(arguments);
  const bool is_default = output != arguments->values[OPTION_OUTPUT] && strcmp(output, "-") != 0;
  const char *format = picture_format(output);
  bool vector = !strcasecmp(format, "svg"), other = !strcasecmp(format, "png") || !strcasecmp(format, "pdf");
  if (!arguments->rest_count)
    return misuse(self->name, "'plot' needs a JSON file: gpuprof plot gpuprof.json -o roofline.svg.");
  if (is_default && file_exists(output))
    return misuse(self->name, "'%s' exists; name the picture with -o FILE, or -o - for its text.", output);
  if (!vector && !other)
    return misuse(self->name, "cannot draw '%s': the file name must end in .svg, .png or .pdf.", output);
  if (arguments->values[OPTION_FIRING] && arguments->values[OPTION_MEMORY])
    return misuse(self->name, "give one of --over, --firing and --memory.");
  const char *missing = vector ? NULL : cairo_missing();
  if (missing)
    return fail("no %s can be drawn: this gpuprof %s, or use -o roofline.svg.", format, missing);
  struct selection selection = {.regions = true, .kernels = true};
  if (arguments->values[OPTION_KERNELS] || arguments->values[OPTION_REGIONS])
    selection = (struct selection){.regions = arguments->values[OPTION_REGIONS] != NULL,
                                   .kernels = arguments->values[OPTION_KERNELS] != NULL};
  if (!arguments->values[OPTION_OVER] && arguments->values[OPTION_ROWS])
    return misuse(self->name, "--rows goes with --over.");
  if (!arguments->values[OPTION_OVER] && sweep_is(arguments->rest[0]))
    return misuse(self->name, "'%s' is a sweep; name the parameter of the curves: --over NAME.", arguments->rest[0]);
  const int code = arguments->values[OPTION_OVER] ? plot_sweep(self, arguments, &selection, output, format)
                                                  : plot_documents(arguments, &selection, output, format);
  if (is_default && code == EXIT_GOOD)
    printf("The picture is in %s; -o names another file, .png and .pdf too.\n", output);
  return code;
}
