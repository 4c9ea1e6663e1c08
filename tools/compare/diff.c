// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof diff and gpuprof check. */
#include "compare/diff.h"
#include "common/commands.h"

#include "common/file.h"
#include "common/say.h"
#include "common/write.h"
#include "compare/compare.h"
#include "compare/compare_context.h"
#include "compare/runs.h"
#include "compare/scaling.h"
#include "spiking/energy.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 40

/* Both documents, their differences, and the output. */
struct work {
  const struct document *before, *after;
  struct comparison comparison;
  struct text contexts, *out;
  size_t forbidding; /* facts forbidding a check */
};

static struct selection choose(const struct arguments *arguments) {
  bool regions = arguments->values[OPTION_REGIONS], kernels = arguments->values[OPTION_KERNELS];
  return regions || kernels ? (struct selection){.regions = regions, .kernels = kernels} : (struct selection){.regions = true, .kernels = true};
}

static void compare(struct work *work, const struct arguments *arguments) {
  struct selection selection = choose(arguments);
  compare_documents(&work->comparison, work->before, work->after, &selection);
  work->forbidding = compare_contexts(&work->contexts, work->before, work->after, work->comparison.count > 0);
}

static void finish(struct work *work) {
  comparison_free(&work->comparison);
  text_free(&work->contexts);
}

static void add_contexts(struct work *work) {
  if (work->contexts.length)
    text_format(work->out, "The two runs differ in more than what they count:\n%s\n", text_get(&work->contexts));
}

static void add_table(struct work *work, const struct arguments *arguments) {
  comparison_sort(&work->comparison);
  comparison_table(work->out, &work->comparison, arguments->values[OPTION_ALL] ? SIZE_MAX : MOST_LINES);
  text_add(work->out, work->comparison.count ? "\n" : "");
}

static size_t one_sided(const struct comparison *comparison) {
  size_t count = 0;
  for (size_t i = 0; i < comparison->count; ++i)
    count += comparison->items[i].gone || comparison->items[i].added;
  return count;
}

static void add_unknown(struct work *work) {
  const struct comparison *comparison = &work->comparison;
  if (comparison->one_sided)
    text_format(work->out, " %zu more %s known in one of the files only: %s.\n", comparison->one_sided,
                comparison->one_sided == 1 ? "is" : "are", text_get(&comparison->one_sided_names));
}

/* How many counts and rows differ. */
static void add_sum(struct text *out, const struct comparison *comparison) {
  const size_t alone = one_sided(comparison);
  text_format(out, "%zu of %zu counts differ", comparison->count - alone, comparison->compared);
  if (alone)
    text_format(out, "; %zu row%s or entr%s in one of the files only", alone, alone == 1 ? "" : "s",
                alone == 1 ? "y is" : "ies are");
}

int diff_documents(struct text *out, const struct document *before, const struct document *after,
                   const struct arguments *arguments) {
  struct work work = {.before = before, .after = after, .out = out};
  compare(&work, arguments);
  add_contexts(&work);
  add_table(&work, arguments);
  text_add(out, " ");
  add_sum(out, &work.comparison);
  text_add(out, ".\n");
  add_unknown(&work);
  int code = work.comparison.count ? EXIT_DIFFERS : EXIT_GOOD;
  finish(&work);
  return code;
}

/* Whether the baseline is of the same program, built and run alike. Otherwise prints a remedy. */
static bool is_comparable(const struct work *work, const struct arguments *arguments) {
  const char *file = work->after->file, *baseline = work->before->file;
  if (!work->comparison.rows)
    fail("'%s' and '%s' share no region or kernel, so that nothing was checked; name the baseline of this "
         "program.",
         file, baseline);
  else if (work->forbidding && !arguments->values[OPTION_ANY_CONTEXT])
    fail_with(text_get(&work->contexts),
              "'%s' and '%s' are of different builds or settings, or of a part of a run, so that nothing was checked; make "
              "a baseline of this build and a whole run, or compare all the same with --any-context:",
              file, baseline);
  else
    return true;
  return false;
}

int check_documents(struct text *out, const struct document *baseline, const struct document *document,
                    double tolerance, const struct arguments *arguments, size_t *beyond) {
  struct work work = {.before = baseline, .after = document, .out = out};
  int code = EXIT_UNUSABLE;
  compare(&work, arguments);
  if (is_comparable(&work, arguments)) {
    comparison_keep_regressions(&work.comparison, tolerance);
    code = work.comparison.count ? EXIT_DIFFERS : EXIT_GOOD;
    add_contexts(&work);
    add_table(&work, arguments);
    if (code == EXIT_GOOD)
      text_format(out, "%zu counts checked: none is beyond the baseline.\n", work.comparison.compared);
    *beyond = work.comparison.count;
  }
  finish(&work);
  return code;
}

/* ---- The commands ---- */

static bool read_both(struct document documents[2], const char *before, const char *after) {
  memset(documents, 0, 2 * sizeof *documents);
  return document_read(before, &documents[0]) && document_read(after, &documents[1]);
}

static void free_both(struct document documents[2]) {
  document_free(&documents[0]);
  document_free(&documents[1]);
}

#define RUNS_LINES 100
#define RUNS_WIDTH 110

/* Differences of the later runs from the first, beside their counts. */
static void add_run_contexts(struct text *out, const struct document *documents, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    struct text contexts = {0};
    compare_contexts(&contexts, &documents[0], &documents[i], false);
    if (contexts.length) {
      text_plain(out, documents[i].file);
      text_format(out, " differs from the first run in more than what it counts:\n%s\n", text_get(&contexts));
    }
    text_free(&contexts);
  }
}

/* A line where counts of a later run differ from the first: the table shows some counts only. */
static bool add_run_sum(struct text *out, const struct document *first, const struct document *later,
                        const struct selection *selection, const struct style *style) {
  struct comparison comparison = {0};
  struct text line = {0};
  compare_documents(&comparison, first, later, selection);
  const bool differs = comparison.count > 0;
  if (differs) {
    text_plain(&line, later->file);
    text_add(&line, ": ");
    add_sum(&line, &comparison);
    text_add(&line, ".");
    text_add(out, " ");
    write_wrapped(out, style, text_get(&line), 1);
  }
  text_free(&line);
  comparison_free(&comparison);
  return differs;
}

static bool add_run_sums(struct text *out, const struct document *documents, size_t count,
                         const struct selection *selection, const struct style *style) {
  bool differs = false;
  for (size_t i = 1; i < count; ++i)
    differs |= add_run_sum(out, &documents[0], &documents[i], selection, style);
  if (differs) {
    text_add(out, " ");
    write_wrapped(out, style, "'gpuprof diff' of the first file and another lists them.", 1);
  }
  return differs;
}

/* All documents in one table. */
static int diff_runs(struct text *out, const struct document *documents, size_t count, const struct arguments *arguments,
                     const struct energy_choices *energy) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  const struct style style = style_choose(output, "never", false, RUNS_WIDTH);
  struct selection selection = choose(arguments);
  selection.energy = energy;
  add_run_contexts(out, documents, count);
  scaling_table(out, documents, count, &style);
  bool differs = runs_table(out, documents, count, &selection, &style, arguments->values[OPTION_ALL] ? SIZE_MAX : RUNS_LINES);
  differs |= add_run_sums(out, documents, count, &selection, &style);
  return differs ? EXIT_DIFFERS : EXIT_GOOD;
}

static int diff_read(struct text *out, const struct document *documents, const struct arguments *arguments,
                     const struct energy_choices *energy) {
  if (arguments->rest_count == 2 && !energy && !arguments->values[OPTION_RATIOS])
    return diff_documents(out, &documents[0], &documents[1], arguments);
  return diff_runs(out, documents, arguments->rest_count, arguments, energy);
}

int run_diff(const struct command *self, const struct arguments *arguments) {
  if (arguments->rest_count < 2)
    return misuse(self->name, "'diff' needs two JSON files or more: gpuprof diff before.json after.json.");
  if (arguments->rest_count > RUNS_MOST)
    return misuse(self->name, "'diff' takes %d files at most.", RUNS_MOST);
  struct energy_choices energy;
  char *why = arguments->values[OPTION_ENERGY] ? energy_parse(&energy, arguments->values[OPTION_ENERGY]) : NULL;
  if (why) {
    const int code = misuse(self->name, "%s", why);
    free(why);
    return code;
  }
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  struct document *documents = allocate(arguments->rest_count * sizeof *documents);
  struct text out = {0};
  size_t read = 0;
  int code = EXIT_UNUSABLE;
  while (read < arguments->rest_count && document_read(arguments->rest[read], &documents[read]))
    ++read;
  if (read == arguments->rest_count) {
    code = diff_read(&out, documents, arguments, arguments->values[OPTION_ENERGY] ? &energy : NULL);
    int written = file_write(output, text_get(&out), out.length);
    code = written ? written : code;
  }
  text_free(&out);
  while (read)
    document_free(&documents[--read]);
  free(documents);
  return code;
}

static bool read_tolerance(const char *string, double *tolerance) {
  char *end;
  errno = 0;
  *tolerance = string ? strtod(string, &end) : 0;
  return !string || (end != string && !*end && !errno && isfinite(*tolerance) && *tolerance >= 0);
}

int run_check(const struct command *self, const struct arguments *arguments) {
  const char *baseline = arguments->values[OPTION_BASELINE];
  double tolerance;
  if (arguments->rest_count != 1 || !baseline)
    return misuse(self->name,
                  "'check' needs a JSON file and a baseline: gpuprof check new.json --baseline old.json.");
  if (!read_tolerance(arguments->values[OPTION_TOLERANCE], &tolerance))
    return misuse(self->name, "--tolerance is a percentage from 0, not '%s'.",
                  arguments->values[OPTION_TOLERANCE]);
  struct document documents[2];
  struct text out = {0};
  int code = EXIT_UNUSABLE;
  if (read_both(documents, baseline, arguments->rest[0])) {
    size_t beyond = 0;
    code = check_documents(&out, &documents[0], &documents[1], tolerance, arguments, &beyond);
    int written = code == EXIT_UNUSABLE ? EXIT_GOOD : file_write("-", text_get(&out), out.length);
    code = written ? written : code;
    if (code == EXIT_DIFFERS)
      fail("'%s' is beyond '%s' in %zu place%s; if that is meant, make it the new baseline.", documents[1].file,
           documents[0].file, beyond, beyond == 1 ? "" : "s");
  }
  text_free(&out);
  free_both(documents);
  return code;
}
