// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What bounds a kernel or region: the least time of each resource that it uses, and a sentence of advice. */
#include "report/formats.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "common/say.h"
#include "report/energy_text.h"
#include "report/json_fields.h"
#include "report/model_times.h"
#include "report/occupancy_text.h"
#include "report/row_advice.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 8

/* ---- Rows of a name ---- */

struct why {
  const char *pattern;
  regex_t regex;
};

struct why *report_why_of(const char *pattern) {
  struct why *why = allocate(sizeof *why);
  char reason[128];
  why->pattern = pattern;
  const int code = regcomp(&why->regex, pattern, REG_EXTENDED | REG_NOSUB);
  if (!code)
    return why;
  regerror(code, &why->regex, reason, sizeof reason);
  misuse("report", "--why takes a name or a regular expression, and '%s' is none: %s.", pattern, reason);
  free(why);
  return NULL;
}

void report_why_free(struct why *why) {
  if (why)
    regfree(&why->regex);
  free(why);
}

typedef bool (*entry_test)(const struct why *why, const char *string);

static bool is_name(const struct why *why, const char *string) { return !strcmp(string, why->pattern); }
static bool is_match(const struct why *why, const char *string) {
  return !regexec(&why->regex, string, 0, NULL, 0);
}

static bool passes(const struct why *why, const struct entry *entry, entry_test test) {
  char *title = entry_title(entry);
  const bool passed = test(why, title) || test(why, entry->name) || test(why, entry->path);
  free(title);
  return passed;
}

/* Rows are asked for in this order; the first of these that some row passes decides. */
static const struct choice {
  bool kernels;
  entry_test test;
} choices[] = {{true, is_name}, {false, is_name}, {true, is_match}, {false, is_match}};
#define CHOICES (sizeof choices / sizeof *choices)

struct rows {
  const struct entry *entries;
  size_t count;
};

static struct rows rows_of(const struct document *document, bool kernels) {
  return kernels ? (struct rows){document->kernels, document->kernel_count}
                 : (struct rows){document->regions, document->region_count};
}

static bool any_passes(const struct why *why, const struct document *document, const struct choice *choice) {
  const struct rows rows = rows_of(document, choice->kernels);
  for (size_t i = 0; i < rows.count; ++i)
    if (passes(why, &rows.entries[i], choice->test))
      return true;
  return false;
}

/* Null where no row of the document has the name. */
static const struct choice *choose(const struct why *why, const struct document *document,
                                   const struct selection *selection) {
  for (size_t i = 0; i < CHOICES; ++i)
    if ((choices[i].kernels ? selection->kernels : selection->regions) &&
        any_passes(why, document, &choices[i]))
      return &choices[i];
  return NULL;
}

static void add_names(struct text *names, const struct rows *rows) {
  for (size_t i = 0; i < rows->count && i < NAMES_SHOWN; ++i) {
    char *title = entry_title(&rows->entries[i]);
    text_add(names, names->length ? ", " : "");
    text_plain(names, title);
    free(title);
  }
  if (rows->count > NAMES_SHOWN)
    text_format(names, " and %zu more", rows->count - NAMES_SHOWN);
}

bool report_why_matches(const struct why *why, const struct document *documents, size_t count,
                        const struct selection *selection) {
  struct text names = {0};
  for (size_t i = 0; i < count; ++i)
    if (choose(why, &documents[i], selection))
      return true;
  for (int kernels = 1; count && kernels >= 0; --kernels) {
    const struct rows rows = rows_of(&documents[0], kernels);
    if ((kernels ? selection->kernels : selection->regions) && !names.length)
      add_names(&names, &rows);
  }
  if (names.length)
    fail("nothing in '%s' is named '%s'; there are %s.", documents[0].file, why->pattern, text_get(&names));
  else
    fail("'%s' has no kernels or regions; run the program again, and see 'gpuprof report' for why.",
         documents[0].file);
  text_free(&names);
  return false;
}

/* ---- Text ---- */

static bool is_in_kernel(const struct entry *entry) {
  return !strcmp(entry_string(entry, STRING_KIND), "device");
}

/* Least times may be shorter than what a clock shows. */
static void add_time(struct text *text, double nanoseconds) {
  if (nanoseconds > 0 && nanoseconds < 9.995) {
    number_plain(text, nanoseconds);
    text_add(text, " ns");
  } else
    number_time(text, nanoseconds);
}

static void put(struct grid *grid, struct text *text, struct number order) {
  grid_cell(grid, text, order.known ? order.value : NAN);
}

static void add_work(struct text *text, const struct model_use *use) {
  if (!use->amount.known)
    return;
  number_si(text, use->amount.value, model_resources[use->resource].is_memory ? "B" : "");
  if (*use->what && !use->is_part)
    text_format(text, " %s", use->what);
  if (*use->instruction && !use->is_part)
    text_format(text, " %s", use->instruction);
}

/* "tensor cores"; of a part "fp32", "bf16 mma.sync" */
static char *title_of(const struct model_use *use) {
  return use->is_part ? format_string("%s%s%s", use->what, *use->instruction ? " " : "", use->instruction)
                      : format_string("%s", model_resources[use->resource].name);
}

static const char *rate_unit(const struct model_use *use) {
  return model_resources[use->resource].is_memory   ? "B/s"
         : use->resource == RESOURCE_SPECIAL || use->resource == RESOURCE_INTEGER ? "/s"
         : strncmp(use->what, "int", strlen("int")) ? "FLOP/s"
                                                    : "OP/s";
}

static bool is_known(const struct model_use *use) { return use->amount.known || use->least_ns.known; }

static void add_use(struct grid *grid, const struct model_use *use, bool last) {
  struct text text = {0};
  char *title = title_of(use);
  grid_row(grid, title, use->is_part, last);
  free(title);
  add_work(&text, use);
  put(grid, &text, use->amount);
  if (use->per_second.known)
    number_si(&text, use->per_second.value, rate_unit(use));
  put(grid, &text, use->per_second);
  text_plain(&text, use->source);
  put(grid, &text, (struct number){0});
  if (use->least_ns.known)
    add_time(&text, use->least_ns.value);
  put(grid, &text, use->least_ns);
  if (use->percent.known)
    number_percent(&text, use->percent.value);
  put(grid, &text, use->percent);
}

static void add_table(struct text *out, const struct model_times *times, const struct style *style) {
  static const struct grid_column columns[] = {
      {.head = "work", .subhead = "", .help = "what the row did", .left = true},
      {.head = "ceiling", .subhead = "", .help = "what the chip does a second"},
      {.head = "source", .subhead = "", .help = "where the ceiling is from", .left = true, .rank = 1},
      {.head = "least time", .subhead = "", .help = "work over ceiling"},
      {.head = "of time", .subhead = "", .help = "least time over measured time", .if_known = true}};
  struct grid grid;
  grid_begin(&grid, "resource", columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < times->count; ++i)
    if (is_known(&times->uses[i]))
      add_use(&grid, &times->uses[i], i + 1 == times->count || !times->uses[i + 1].is_part);
  grid_text(out, &grid, style);
  grid_free(&grid);
}

static void paragraph(struct text *out, const struct style *style, struct text *line) {
  if (line->length) {
    text_add(out, " ");
    write_wrapped(out, style, text_get(line), 1);
  }
  text_free(line);
}

static void add_title(struct text *out, const struct document *document, const struct entry *entry,
                      const struct model_times *times, const struct style *style) {
  struct text line = {0};
  char *title = entry_title(entry);
  const struct count launches = entry_count(entry, COUNT_LAUNCHES);
  const char *kind = entry->is_kernel ? "kernel" : is_in_kernel(entry) ? "region in a kernel" : "region";
  text_plain(&line, title);
  text_format(&line, ": %s", kind);
  if (launches.known)
    text_format(&line, ", %llu launch%s", (unsigned long long)launches.value,
                launches.value == 1 ? "" : "es");
  if (times->time_ns.known) {
    text_add(&line, ", ");
    number_time(&line, times->time_ns.value);
  }
  text_add(&line, document_is_cpu(document) ? " on the CPU device, roof of " : " on ");
  text_plain(&line, document_is_cpu(document) || !*document->device_name ? chip_title(document->chip)
                                                                         : document->device_name);
  paragraph(out, style, &line);
  free(title);
}

static void add_verdict(struct text *line, const struct model_times *times, const struct entry *entry) {
  const struct model_use *longest = &times->uses[0];
  text_format(line, "Longest: %s%s%s, at least ", model_resources[longest->resource].name, *longest->instruction ? " by " : "",
              longest->instruction);
  add_time(line, times->largest_ns.value);
  if (times->time_ns.known) {
    text_add(line, ", ");
    number_percent(line, 100 * times->largest_ns.value / times->time_ns.value);
    text_add(line, " of the measured ");
    number_time(line, times->time_ns.value);
    if (!strcmp(entry_string(entry, STRING_BOUND), "latency"))
      text_add(line, ", so the bound is latency");
    text_add(line, ".");
    return;
  }
  const struct number attainable = entry_number(entry, NUMBER_ATTAINABLE);
  if (attainable.value > 0) {
    text_add(line, "; at best it does ");
    number_si(line, attainable.value, "FLOP/s");
  }
  text_format(line, ". %s",
              is_in_kernel(entry) ? "A region in a kernel has no time of its own." : "No GPU time is known.");
}

static void add_intensity(struct text *line, const struct model_times *times) {
  if (!times->intensity.known || !times->balance.known)
    return;
  text_add(line, "It does ");
  number_plain(line, times->intensity.value);
  text_add(line, " FLOP a byte of DRAM. Below ");
  number_plain(line, times->balance.value);
  text_add(line, " DRAM takes longer than computing.");
}

/* What a GPU could tell, and how. */
static void add_unknown(struct text *line, const struct document *document, const struct entry *entry,
                        const struct model_times *times) {
  static const char *const ways[RESOURCE_COUNT] = {
      [RESOURCE_DRAM] = "compile with -fplugin-arg-gpuprof-unique=auto, or set GPUPROF_HARDWARE=check",
      [RESOURCE_L2] = "set GPUPROF_HARDWARE=check"};
  if (is_in_kernel(entry))
    text_add(line, "DRAM and L2 traffic is known of whole kernels only.");
  for (size_t i = 0; i < times->count && !is_in_kernel(entry) && !document_is_cpu(document); ++i) {
    const struct model_use *use = &times->uses[i];
    if (!is_known(use) && ways[use->resource])
      text_format(line, "%s%s (%s)", line->length ? "; " : "Not known: ", model_resources[use->resource].name,
                  ways[use->resource]);
  }
  text_add(line, line->length && !is_in_kernel(entry) ? "." : "");
}

static void add_advice(struct text *line, const struct document *document, const struct entry *entry) {
  char *title = entry_title(entry);
  text_add(line, "Advice: ");
  text_plain(line, title);
  text_add(line, " ");
  if (!row_advice(line, document, entry))
    line->length = 0;
  free(title);
}

static void explain(struct text *out, const struct document *document, const struct entry *entry,
                    const struct style *style) {
  const struct model_times times = model_times_of(document, entry);
  struct text line = {0};
  add_title(out, document, entry, &times, style);
  if (times.count) {
    text_add(out, "\n");
    add_table(out, &times, style);
  }
  text_add(out, "\n");
  if (times.largest_ns.known)
    add_verdict(&line, &times, entry);
  else
    text_add(&line, "It does no work that has a ceiling.");
  paragraph(out, style, &line);
  add_intensity(&line, &times);
  paragraph(out, style, &line);
  energy_explain(&line, entry);
  paragraph(out, style, &line);
  occupancy_explain(&line, entry);
  paragraph(out, style, &line);
  add_unknown(&line, document, entry, &times);
  paragraph(out, style, &line);
  add_advice(&line, document, entry);
  paragraph(out, style, &line);
}

void report_why_text(struct text *out, const struct why *why, const struct document *document,
                     const struct selection *selection, const struct style *style) {
  const struct choice *choice = choose(why, document, selection);
  const struct rows rows = rows_of(document, choice && choice->kernels);
  bool first = true;
  for (size_t i = 0; choice && i < rows.count; ++i) {
    if (!passes(why, &rows.entries[i], choice->test))
      continue;
    text_add(out, first ? "" : "\n");
    explain(out, document, &rows.entries[i], style);
    text_pass_on(out);
    first = false;
  }
}

/* ---- JSON ---- */

static void json_use(struct text *out, const struct model_use *use, bool first) {
  text_add(out, first ? "\n    {" : ",\n    {");
  json_field_string(out, "resource", model_resources[use->resource].key, true);
  json_field_string(out, "of", use->what, false);
  json_field_string(out, "instruction", use->instruction, false);
  json_field_name(out, "part", false);
  text_add(out, use->is_part ? "true" : "false");
  json_field_real(out, "amount", use->amount);
  json_field_string(out, "unit", model_resources[use->resource].is_memory ? "bytes" : "operations", false);
  json_field_real(out, "per_second", use->per_second);
  json_field_string(out, "ceiling_source", use->source, false);
  json_field_real(out, "least_time_ns", use->least_ns);
  json_field_real(out, "percent", use->percent);
  text_add(out, "}");
}

static void json_row(struct text *out, const struct document *document, const struct entry *entry) {
  const struct model_times times = model_times_of(document, entry);
  struct text advice = {0};
  char *title = entry_title(entry);
  text_add(out, "  {");
  json_field_string(out, "file", document->file, true);
  json_field_string(out, "type", entry->is_kernel ? "kernel" : "region", false);
  json_field_string(out, "name", title, false);
  json_field_string(out, "path", entry->path, false);
  json_field_integer(out, "launches", entry_count(entry, COUNT_LAUNCHES));
  json_field_real(out, "time_ns", times.time_ns);
  json_field_real(out, "least_time_ns", times.largest_ns);
  json_field_string(out, "bound", entry_string(entry, STRING_BOUND), false);
  json_field_real(out, "percent", entry_number(entry, NUMBER_PERCENT));
  json_field_real(out, "attained_per_second", entry_number(entry, NUMBER_ATTAINED));
  json_field_real(out, "attainable_per_second", entry_number(entry, NUMBER_ATTAINABLE));
  json_field_real(out, "intensity_dram", times.intensity);
  json_field_real(out, "balance", times.balance);
  json_field_real(out, "occupancy", entry_number(entry, NUMBER_OCCUPANCY));
  json_field_string(out, "occupancy_limiter", entry_string(entry, STRING_LIMITER), false);
  json_field_name(out, "resources", false);
  text_add(out, "[");
  for (size_t i = 0; i < times.count; ++i)
    json_use(out, &times.uses[i], !i);
  text_add(out, "]");
  json_field_string(out, "advice", row_advice(&advice, document, entry) ? text_get(&advice) : "", false);
  text_add(out, "}");
  text_free(&advice);
  free(title);
}

void report_why_json(struct text *out, const struct why *why, const struct document *documents, size_t count,
                     const struct selection *selection) {
  bool first = true;
  text_add(out, "[\n");
  for (size_t d = 0; d < count; ++d) {
    const struct choice *choice = choose(why, &documents[d], selection);
    const struct rows rows = rows_of(&documents[d], choice && choice->kernels);
    for (size_t i = 0; choice && i < rows.count; ++i) {
      if (!passes(why, &rows.entries[i], choice->test))
        continue;
      text_add(out, first ? "" : ",\n");
      json_row(out, &documents[d], &rows.entries[i]);
      first = false;
    }
  }
  text_add(out, "\n]\n");
}
