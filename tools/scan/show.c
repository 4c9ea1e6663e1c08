// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/show.h"

#include "common/write.h"
#include "scan/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_WIDTH 6
#define KIND_WIDTH 6
#define BETWEEN 2
#define NAME_LEAST 15
#define REGION_LEAST 12

void show_pragma(struct text *out, const struct found_function *function) {
  text_format(out, "#pragma gpuprof region(\"%s\")", function->region);
  if (function->phase)
    text_format(out, " phase(%s)", function->phase);
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* ---- The table ---- */
struct widths {
  size_t name, region, phase; /* phase: 0 where there is none */
};

/* What the column of regions says of a function. */
static char *region_cell(const struct found_function *function, const struct style *style) {
  if (function->is_proposed)
    return format_string("+ %s", function->region);
  switch (function->state) {
  case FOUND_PRAGMA:
    return copy_string(function->region ? function->region : function->name);
  case FOUND_CALL:
    return copy_string("by a call");
  case FOUND_IGNORED:
    return copy_string("ignored");
  case FOUND_NONE:
    break;
  }
  return copy_string(found_needs_region(function) ? style_dash(style) : "at its launches");
}

/* Below the name of its function. */
static char *launch_name(const struct found_launch *launch) {
  return launch->kernel ? format_string("  %s", launch->kernel) : format_string("  by %s", launch->how);
}

/* Columns are as wide as their longest text, within the line. */
static struct widths measure(const struct found *found, const struct style *style) {
  struct widths widths = {.name = NAME_LEAST, .region = REGION_LEAST};
#define WIDEN(width, most) ((width) = (most) > (width) ? (most) : (width))
  for (size_t i = 0; i < found->file_count; ++i)
    for (size_t f = 0; f < found->files[i]->function_count; ++f) {
      const struct found_function *function = &found->files[i]->functions[f];
      char *region = region_cell(function, style);
      if (function->phase) {
        WIDEN(widths.phase, strlen("phase"));
        WIDEN(widths.phase, text_width(function->phase));
      }
      WIDEN(widths.name, text_width(function->qualified));
      WIDEN(widths.region, text_width(region));
      free(region);
      for (size_t l = 0; l < function->launch_count; ++l) {
        char *name = launch_name(&function->launches[l]);
        WIDEN(widths.name, text_width(name));
        free(name);
      }
    }
#undef WIDEN
  size_t fixed = LINE_WIDTH + KIND_WIDTH + 3 * BETWEEN + (widths.phase ? BETWEEN + widths.phase : 0);
  size_t room = style->width > fixed + NAME_LEAST + REGION_LEAST ? style->width - fixed : NAME_LEAST + REGION_LEAST;
  if (widths.name + widths.region > room) {
    size_t half = room / 2, least = widths.region < half ? widths.region : half;
    widths.name = widths.name < room - least ? widths.name : room - least;
    widths.region = room - widths.name;
  }
  return widths;
}

static void add_cell(struct text *out, const struct style *style, enum write_paint paint, const char *string, size_t width) {
  struct text clean = {0}, cell = {0};
  text_plain(&clean, string);
  text_elide(&cell, text_get(&clean), width, style->utf8 ? "…" : "..");
  text_repeat(out, " ", BETWEEN);
  write_padded(out, style, paint, text_get(&cell), width, false);
  text_free(&clean);
  text_free(&cell);
}

static void end_row(struct text *out) {
  while (out->length && out->data[out->length - 1] == ' ')
    out->data[--out->length] = 0;
  text_add(out, "\n");
}

static void add_line_and_kind(struct text *out, const struct style *style, unsigned line, const char *kind) {
  text_format(out, "%*u", LINE_WIDTH, line);
  add_cell(out, style, WRITE_DIM, kind, KIND_WIDTH);
}

static void add_function(struct text *out, const struct style *style, const struct widths *widths,
                         const struct found_function *function) {
  char *region = region_cell(function, style);
  bool lacks = found_lacks(function);
  add_line_and_kind(out, style, function->line, function->is_kernel ? "kernel" : "host");
  add_cell(out, style, WRITE_PLAIN, function->qualified, widths->name);
  add_cell(out, style, function->is_proposed ? WRITE_GREEN : lacks ? WRITE_YELLOW : WRITE_PLAIN, region, widths->region);
  if (function->phase)
    add_cell(out, style, WRITE_PLAIN, function->phase, widths->phase);
  end_row(out);
  if (function->why_not && (lacks || function->is_foreign)) {
    text_repeat(out, " ", LINE_WIDTH + KIND_WIDTH + 2 * BETWEEN);
    text_format(out, "left alone: %s\n", function->why_not);
  }
  free(region);
}

static void add_launch(struct text *out, const struct style *style, const struct widths *widths,
                       const struct found_launch *launch, bool proposed) {
  static const char *const cells[] = {[FOUND_PRAGMA] = "in a region", [FOUND_CALL] = "in a region", [FOUND_IGNORED] = "ignored"};
  char *name = launch_name(launch);
  add_line_and_kind(out, style, launch->line, "launch");
  add_cell(out, style, WRITE_PLAIN, name, widths->name);
  add_cell(out, style, launch->state || proposed ? WRITE_DIM : WRITE_YELLOW,
           launch->state ? cells[launch->state]
           : proposed    ? "+ in it"
                         : style_dash(style),
           widths->region);
  end_row(out);
  free(name);
}

static void add_file(struct text *out, const struct style *style, const struct widths *widths, const struct found_file *file) {
  struct text name = {0};
  if (!file->function_count)
    return;
  text_plain(&name, file->shown);
  write_painted(out, style, WRITE_BOLD, text_get(&name));
  text_add(out, "\n");
  text_free(&name);
  for (size_t i = 0; i < file->function_count; ++i) {
    const struct found_function *function = &file->functions[i];
    add_function(out, style, widths, function);
    for (size_t l = 0; l < function->launch_count; ++l)
      add_launch(out, style, widths, &function->launches[l], function->is_proposed);
  }
}

/* Breaks at the width of the line. */
__attribute__((format(printf, 3, 4))) static void add_sentence(struct text *out, const struct style *style, const char *format, ...) {
  char *sentence = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&sentence, format, arguments) >= 0)
    write_wrapped(out, style, sentence, 0);
  va_end(arguments);
  free(sentence);
}

static void add_sums(struct text *out, const struct found_totals *totals) {
  text_format(out, "%zu kernel%s, %zu with a region; %zu launch%s in %zu host function%s, %zu in a region", totals->kernels,
              plural(totals->kernels), totals->kernels_with, totals->launches, totals->launches == 1 ? "" : "es",
              totals->functions, plural(totals->functions), totals->launches_with);
}

static bool proposes_warmup(const struct found *found) {
  for (size_t i = 0; i < found->file_count; ++i)
    for (size_t f = 0; f < found->files[i]->function_count; ++f) {
      const struct found_function *function = &found->files[i]->functions[f];
      if (function->is_proposed && function->phase && !strcmp(function->phase, "warmup"))
        return true;
    }
  return false;
}

void show_table(struct text *out, const struct found *found, const struct style *style, const char *command) {
  struct found_totals totals = found_count(found);
  struct widths widths = measure(found, style);
  struct text sums = {0};
  if (totals.kernels + totals.launches + totals.foreign) {
    text_format(out, "%*s  %-*s", LINE_WIDTH, "line", KIND_WIDTH, "kind");
    add_cell(out, style, WRITE_PLAIN, "function", widths.name);
    add_cell(out, style, WRITE_PLAIN, "region", widths.region);
    text_add(out, widths.phase ? "  phase" : "");
    end_row(out);
  }
  for (size_t i = 0; i < found->file_count; ++i)
    add_file(out, style, &widths, found->files[i]);
  text_add(out, totals.kernels + totals.launches + totals.foreign ? "\n" : "");
  add_sums(&sums, &totals);
  add_sentence(out, style, "%s.", text_get(&sums));
  text_free(&sums);
  if (proposes_warmup(found))
    add_sentence(out, style, "Work in phase warmup is left out of totals.");
  if (totals.proposed)
    text_format(out, "+ marks %zu region%s to add: %s\n", totals.proposed, plural(totals.proposed), command);
}

/* ---- Lists ---- */
static void add_lacking(struct text *out, const struct found_file *file, const struct found_function *function) {
  if (found_lacks(function) && function->is_kernel)
    text_format(out, "%s:%u: the kernel '%s' has no region%s%s\n", file->shown, function->line, function->qualified,
                function->why_not ? "; --write leaves it alone: " : "", function->why_not ? function->why_not : "");
  for (size_t i = 0; i < function->launch_count && !function->is_kernel; ++i)
    if (!function->launches[i].state)
      text_format(out, "%s:%u: the launch of '%s' is in no region\n", file->shown, function->launches[i].line,
                  function->launches[i].kernel ? function->launches[i].kernel : "?");
}

void show_lacking(struct text *out, const struct found *found, const char *command) {
  struct found_totals totals = found_count(found);
  for (size_t i = 0; i < found->file_count; ++i)
    for (size_t f = 0; f < found->files[i]->function_count; ++f)
      add_lacking(out, found->files[i], &found->files[i]->functions[f]);
  add_sums(out, &totals);
  if (totals.proposed)
    text_format(out, ". To add %zu region%s: %s\n", totals.proposed, plural(totals.proposed), command);
  else
    text_add(out, ".\n");
}

/* `before`: lines inserted above it. */
static void add_written(struct text *out, const struct found_file *file, const struct found_function *function,
                        unsigned before) {
  if (function->is_proposed) {
    text_format(out, "%s:%u: ", file->shown, function->start_line + before);
    show_pragma(out, function);
    text_add(out, "\n");
  } else if (found_lacks(function)) {
    text_format(out, "%s:%u: left alone, '%s' has no region: %s\n", file->shown, function->line + before,
                function->qualified, function->why_not);
  }
}

void show_written(struct text *out, const struct found *found) {
  struct found_totals totals = found_count(found);
  for (size_t i = 0; i < found->file_count; ++i) {
    const struct found_file *file = found->files[i];
    unsigned inserted = 0;
    for (size_t f = 0; f < file->function_count; ++f) {
      add_written(out, file, &file->functions[f], inserted);
      inserted += file->functions[f].is_proposed;
    }
  }
  if (totals.proposed)
    text_format(out,
                "%zu region%s added to %zu file%s. Build with 'gpuprof cc' in place of the compiler, and run the program.\n",
                totals.proposed, plural(totals.proposed), totals.files_changed, plural(totals.files_changed));
  else
    text_add(out, "Nothing to add.\n");
}
