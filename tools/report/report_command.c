// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof report: documents in, a table in one of the formats out. */
#include "common/commands.h"
#include "report/format_timeline.h"
#include "report/formats.h"
#include "report/sweep_table.h"

#include "common/file.h"
#include "common/say.h"
#include "spiking/energy.h"

#include <stdlib.h>
#include <string.h>

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

/* Reads the baseline, if one is named. */
static bool read_baseline(const struct arguments *arguments, struct document *baseline, struct selection *selection) {
  const char *file = arguments->values[OPTION_BASELINE];
  if (!file)
    return true;
  selection->baseline = baseline;
  return document_read(file, baseline);
}

static void write_one(struct text *out, const struct format *format, const struct document *document, const struct selection *selection,
                      const struct style *style) {
  if (selection->why)
    report_why_text(out, selection->why, document, selection, style);
  else if (selection->lines)
    report_lines(out, document, style);
  else if (selection->timeline && format->one == report_text)
    report_whole_timeline_text(out, document, style);
  else if (selection->timeline)
    report_whole_timeline_markdown(out, document, style);
  else
    format->one(out, document, selection, style);
}

static void write_documents(struct text *out, const struct format *format, const struct document *documents, size_t count,
                            const struct selection *selection, const struct style *style) {
  for (size_t i = 0; format->one && i < count; ++i) {
    text_add(out, i ? "\n" : "");
    if (selection->why && count > 1) {
      text_add(out, " ");
      text_plain(out, documents[i].file);
      text_add(out, "\n");
    }
    write_one(out, format, &documents[i], selection, style);
  }
  if (format->all && selection->why)
    report_why_json(out, selection->why, documents, count, selection);
  else if (format->all)
    format->all(out, documents, count, selection);
}

static int write_report(const struct arguments *arguments, const struct format *format,
                        struct selection *selection) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  const char *color = arguments->values[OPTION_COLOR] ? arguments->values[OPTION_COLOR] : "auto";
  struct style style = style_choose(output, color, format->always_utf8, FILE_WIDTH);
  struct document *documents = allocate(arguments->rest_count * sizeof *documents);
  struct file_output file;
  struct text out = {.sink = &file.sink};
  size_t read = 0;
  int code = EXIT_UNUSABLE;
  struct document baseline = {.file = NULL};
  const bool has_baseline = read_baseline(arguments, &baseline, selection);
  while (has_baseline && read < arguments->rest_count && document_read(arguments->rest[read], &documents[read]))
    ++read;
  const bool all_read = has_baseline && read == arguments->rest_count;
  if (all_read && (!selection->why || report_why_matches(selection->why, documents, read, selection))) {
    file_open(&file, output);
    write_documents(&out, format, documents, read, selection, &style);
    code = file_close(&file, &out);
  }
  text_free(&out);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  document_free(&baseline);
  return code;
}

static int write_sweep(const struct arguments *arguments, const struct format *format, const struct selection *selection) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  const char *color = arguments->values[OPTION_COLOR] ? arguments->values[OPTION_COLOR] : "auto";
  struct style style = style_choose(output, color, format->always_utf8, FILE_WIDTH);
  struct sweep sweep;
  struct text out = {0};
  if (!sweep_read(&sweep, arguments->rest[0]))
    return EXIT_UNUSABLE;
  if (!strcmp(format->name, "text"))
    report_sweep_text(&out, &sweep, selection, &style);
  else if (!strcmp(format->name, "markdown"))
    report_sweep_markdown(&out, &sweep, selection, &style);
  else
    report_sweep_csv(&out, &sweep, selection);
  const int code = file_write(output, text_get(&out), out.length);
  text_free(&out);
  sweep_free(&sweep);
  return code;
}

/* What a report of a sweep cannot show. */
static int run_sweep_report(const struct command *self, const struct arguments *arguments, const struct format *format) {
  const bool regions = arguments->values[OPTION_REGIONS], kernels = arguments->values[OPTION_KERNELS];
  const struct selection selection = {.regions = regions || !kernels, .kernels = kernels || !regions};
  if (arguments->rest_count > 1)
    return misuse(self->name, "a sweep is reported alone; leave out the other files.");
  if (!strcmp(format->name, "json"))
    return misuse(self->name, "'%s' is JSON with every value; read it, or take --format=csv.", arguments->rest[0]);
  if (!strcmp(format->name, "html"))
    return misuse(self->name, "there is no page of a sweep; draw it with: gpuprof plot --over NAME '%s'.", arguments->rest[0]);
  for (size_t i = 0; i < arguments->given_count; ++i) {
    static const enum option known[] = {OPTION_OUTPUT, OPTION_FORMAT, OPTION_KERNELS, OPTION_REGIONS, OPTION_COLOR};
    size_t k = 0;
    while (k < sizeof known / sizeof *known && known[k] != arguments->given[i].option)
      ++k;
    if (k == sizeof known / sizeof *known)
      return misuse(self->name, "of a sweep there are only tables: options are --format, --kernels, --regions, --color and -o.");
  }
  return write_sweep(arguments, format, &selection);
}

/* Every table, its operations and its source. */
static int list_energy(const struct arguments *arguments) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  struct style style = style_choose(output, "never", false, FILE_WIDTH);
  struct text out = {0};
  report_energy_tables(&out, &style);
  int code = file_write(output, text_get(&out), out.length);
  text_free(&out);
  return code;
}

int run_report(const struct command *self, const struct arguments *arguments) {
  const char *name = arguments->values[OPTION_FORMAT] ? arguments->values[OPTION_FORMAT] : "text";
  const char *color = arguments->values[OPTION_COLOR];
  const struct format *format = find_format(name);
  const char *energy = arguments->values[OPTION_ENERGY];
  struct energy_choices choices;
  if (energy && !strcmp(energy, "list"))
    return list_energy(arguments);
  if (!arguments->rest_count)
    return misuse(self->name, "'report' needs a JSON file: gpuprof report gpuprof.json.");
  if (!format)
    return misuse(self->name, "there is no format '%s'; choose text, markdown, csv, json or html.", name);
  if (color && strcmp(color, "auto") && strcmp(color, "always") && strcmp(color, "never"))
    return misuse(self->name, "--color is auto, always or never, not '%s'.", color);
  if (sweep_is(arguments->rest[0]))
    return run_sweep_report(self, arguments, format);
  if (arguments->values[OPTION_LINES] && strcmp(name, "text"))
    return misuse(self->name, "--lines is text only; for programs the JSON has 'lines' in each kernel and region.");
  if (arguments->values[OPTION_WHY] && strcmp(name, "text") && strcmp(name, "json"))
    return misuse(self->name, "--why is text or json; choose one of them with --format.");
  if (arguments->values[OPTION_WHY] && (arguments->values[OPTION_LINES] || arguments->values[OPTION_STEPS] || arguments->values[OPTION_HOST] || energy))
    return misuse(self->name, "--why shows the rows of a name alone: leave out --lines, --steps, --host and --energy.");
  if (arguments->values[OPTION_TIMELINE] && (arguments->values[OPTION_WHY] || arguments->values[OPTION_LINES]))
    return misuse(self->name, "give one of --timeline, --why and --lines.");
  if (arguments->values[OPTION_TIMELINE] && strcmp(name, "text") && strcmp(name, "markdown"))
    return misuse(self->name, "--timeline is text or markdown; pages have the tables, and the JSON has 'timeline' and 'copies'.");
  if (!strcmp(name, "html") && arguments->rest_count > 1)
    return misuse(self->name, "an HTML report is of one file; make one page for each.");
  char *why = energy ? energy_parse(&choices, energy) : NULL;
  if (why) {
    int code = misuse(self->name, "%s", why);
    free(why);
    return code;
  }
  if (arguments->values[OPTION_BASELINE] && strcmp(name, "markdown"))
    return misuse(self->name, "--baseline goes with --format=markdown; 'gpuprof diff' compares two files in the terminal.");
  struct selection selection = {.regions = true,
                                .kernels = true,
                                .standing_notes = arguments->values[OPTION_NOTES] != NULL,
                                .steps = arguments->values[OPTION_STEPS] != NULL,
                                .host = arguments->values[OPTION_HOST] != NULL,
                                .memory = arguments->values[OPTION_MEMORY] != NULL,
                                .lines = arguments->values[OPTION_LINES] != NULL,
                                .timeline = arguments->values[OPTION_TIMELINE] != NULL,
                                .energy = energy ? &choices : NULL};
  if (arguments->values[OPTION_KERNELS] || arguments->values[OPTION_REGIONS]) {
    selection.regions = arguments->values[OPTION_REGIONS] != NULL;
    selection.kernels = arguments->values[OPTION_KERNELS] != NULL;
  }
  const char *pattern = arguments->values[OPTION_WHY];
  struct why *rows = pattern ? report_why_of(pattern) : NULL;
  if (pattern && !rows)
    return EXIT_UNUSABLE;
  selection.why = rows;
  const int code = write_report(arguments, format, &selection);
  report_why_free(rows);
  return code;
}
