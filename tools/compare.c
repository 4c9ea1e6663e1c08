/* gpuprof diff and gpuprof check: two documents, entry by entry, count by count. */
#include "file.h"
#include "report.h"
#include "say.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is compared ---- */
static const struct {
  enum entry_count id;
  const char *name;
} compared_counts[] = {
    {COUNT_LAUNCHES, "launches"},
    {COUNT_FLOPS, "FLOPs"},
    {COUNT_SPECIAL, "special functions"},
    {COUNT_GLOBAL_LOAD, "global load bytes"},
    {COUNT_GLOBAL_STORE, "global store bytes"},
    {COUNT_GLOBAL_ATOMIC, "global atomic bytes"},
    {COUNT_SHARED_LOAD, "shared load bytes"},
    {COUNT_SHARED_STORE, "shared store bytes"},
    {COUNT_SHARED_ATOMIC, "shared atomic bytes"},
    {COUNT_UNIQUE, "unique bytes"},
};
#define COMPARED_COUNTS (sizeof compared_counts / sizeof *compared_counts)
#define METRIC_COUNT (COMPARED_COUNTS + FLOP_KIND_COUNT)

static struct count metric_value(const struct entry *entry, size_t metric) {
  return metric < COMPARED_COUNTS ? entry->counts[compared_counts[metric].id]
                                  : entry->flops[metric - COMPARED_COUNTS];
}

static void metric_name(struct text *text, size_t metric) {
  if (metric < COMPARED_COUNTS)
    text_add(text, compared_counts[metric].name);
  else
    text_format(text, "%s %s", flop_kinds[metric - COMPARED_COUNTS].shown,
                flop_kinds[metric - COMPARED_COUNTS].in_total ? "FLOPs" : "operations");
}

/* ---- Pairs ---- */
/* A difference: of one count, or (metric == METRIC_COUNT) an entry that only one document has. */
struct difference {
  const struct entry *before, *after;
  size_t metric;
};

struct comparison {
  struct difference *items;
  size_t count, capacity;
  size_t compared; /* counts that both have */
};

static void add_difference(struct comparison *comparison, struct difference difference) {
  if (comparison->count == comparison->capacity) {
    comparison->capacity = comparison->capacity ? 2 * comparison->capacity : 64;
    comparison->items = reallocate(comparison->items, comparison->capacity * sizeof *comparison->items);
  }
  comparison->items[comparison->count++] = difference;
}

/* The n-th entry of a path: a region that is entered in one place from two sites has the same path twice. */
static const struct entry *nth_of_path(const struct entry *entries, size_t count, const char *path,
                                       size_t nth) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(entries[i].path, path) && nth-- == 0)
      return &entries[i];
  return NULL;
}

static size_t rank_of(const struct entry *entries, size_t index) {
  size_t rank = 0;
  for (size_t i = 0; i < index; ++i)
    rank += !strcmp(entries[i].path, entries[index].path);
  return rank;
}

static void compare_pair(struct comparison *comparison, const struct entry *before,
                         const struct entry *after) {
  for (size_t metric = 0; metric < METRIC_COUNT; ++metric) {
    struct count a = metric_value(before, metric), b = metric_value(after, metric);
    comparison->compared += a.known && b.known;
    if (a.known && b.known && a.value != b.value)
      add_difference(comparison, (struct difference){before, after, metric});
  }
}

static void compare_entries(struct comparison *comparison, const struct entry *before, size_t before_count,
                            const struct entry *after, size_t after_count) {
  for (size_t i = 0; i < before_count; ++i) {
    const struct entry *other = nth_of_path(after, after_count, before[i].path, rank_of(before, i));
    if (other)
      compare_pair(comparison, &before[i], other);
    else
      add_difference(comparison, (struct difference){&before[i], NULL, METRIC_COUNT});
  }
  for (size_t i = 0; i < after_count; ++i)
    if (!nth_of_path(before, before_count, after[i].path, rank_of(after, i)))
      add_difference(comparison, (struct difference){NULL, &after[i], METRIC_COUNT});
}

static void compare(struct comparison *comparison, const struct document *before,
                    const struct document *after, const struct arguments *arguments) {
  bool only_kernels = arguments->values[OPTION_KERNELS] && !arguments->values[OPTION_REGIONS];
  bool only_regions = arguments->values[OPTION_REGIONS] && !arguments->values[OPTION_KERNELS];
  if (!only_kernels)
    compare_entries(comparison, before->regions, before->region_count, after->regions, after->region_count);
  if (!only_regions)
    compare_entries(comparison, before->kernels, before->kernel_count, after->kernels, after->kernel_count);
}

/* ---- What is said ---- */
static void add_change(struct text *out, uint64_t before, uint64_t after) {
  if (!before)
    text_add(out, "new");
  else
    text_format(out, "%+.3g %%", 100 * ((double)after - (double)before) / (double)before);
}

static void add_line(struct text *out, const struct difference *difference) {
  const struct entry *entry = difference->before ? difference->before : difference->after;
  struct text name = {0}, shown = {0}, metric = {0}, change = {0};
  char *title = entry_title(entry);
  text_plain(&name, entry->is_kernel ? title : entry->path);
  (entry->is_kernel ? text_elide_kernel : text_elide)(&shown, text_get(&name), 44, "..");
  text_format(out, " %-44s ", text_get(&shown));
  if (difference->metric == METRIC_COUNT) {
    text_format(out, "only in the %s file\n", difference->before ? "first" : "second");
  } else {
    uint64_t a = metric_value(difference->before, difference->metric).value;
    uint64_t b = metric_value(difference->after, difference->metric).value;
    metric_name(&metric, difference->metric);
    add_change(&change, a, b);
    text_format(out, "%-20s %20" PRIu64 " %20" PRIu64 " %9s\n", text_get(&metric), a, b, text_get(&change));
  }
  free(title);
  text_free(&name);
  text_free(&shown);
  text_free(&metric);
  text_free(&change);
}

static void add_lines(struct text *out, const struct comparison *comparison) {
  if (comparison->count)
    text_format(out, " %-44s %-20s %20s %20s %9s\n", "region or kernel", "count", "before", "after",
                "change");
  for (size_t i = 0; i < comparison->count; ++i)
    add_line(out, &comparison->items[i]);
}

static bool read_both(const char *first, const char *second, struct document documents[2]) {
  memset(documents, 0, 2 * sizeof *documents);
  return document_read(first, &documents[0]) && document_read(second, &documents[1]);
}

static int finish(struct comparison *comparison, struct document documents[2], struct text *out, int code) {
  free(comparison->items);
  text_free(out);
  document_free(&documents[0]);
  document_free(&documents[1]);
  return code;
}

int run_diff(const struct command *self, const struct arguments *arguments) {
  if (arguments->rest_count != 2)
    return misuse(self->name, "'diff' needs two JSON files: gpuprof diff before.json after.json.");
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  struct document documents[2];
  struct comparison comparison = {0};
  struct text out = {0};
  if (!read_both(arguments->rest[0], arguments->rest[1], documents))
    return finish(&comparison, documents, &out, EXIT_FAILED);
  compare(&comparison, &documents[0], &documents[1], arguments);
  add_lines(&out, &comparison);
  text_format(&out, "%s %zu of %zu counts differ.\n", comparison.count ? "\n" : "", comparison.count,
              comparison.compared);
  int code = file_write(output, text_get(&out), out.length);
  return finish(&comparison, documents, &out, code);
}

/* Keeps what fails the check: counts that grew by more than `tolerance` percent, and entries that are gone.
 */
static void keep_regressions(struct comparison *comparison, double tolerance) {
  size_t kept = 0;
  for (size_t i = 0; i < comparison->count; ++i) {
    struct difference difference = comparison->items[i];
    bool bad = !difference.after;
    if (difference.metric < METRIC_COUNT) {
      uint64_t a = metric_value(difference.before, difference.metric).value;
      uint64_t b = metric_value(difference.after, difference.metric).value;
      bad = b > a && (double)(b - a) > (double)a * tolerance / 100;
    }
    if (bad)
      comparison->items[kept++] = difference;
  }
  comparison->count = kept;
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
  struct comparison comparison = {0};
  struct text out = {0};
  if (!read_both(baseline, arguments->rest[0], documents))
    return finish(&comparison, documents, &out, EXIT_FAILED);
  compare(&comparison, &documents[0], &documents[1], arguments);
  keep_regressions(&comparison, tolerance);
  int code = EXIT_GOOD;
  if (!comparison.compared) {
    code = fail("'%s' and '%s' share no region or kernel, so that nothing was checked; name the baseline of "
                "this program.",
                arguments->rest[0], baseline);
  } else if (comparison.count) {
    add_lines(&out, &comparison);
    file_write("-", text_get(&out), out.length);
    code = fail("'%s' is beyond '%s' in %zu place%s; if that is meant, make it the new baseline.",
                arguments->rest[0], baseline, comparison.count, comparison.count == 1 ? "" : "s");
  } else {
    text_format(&out, "%zu counts checked: none is beyond the baseline.\n", comparison.compared);
    code = file_write("-", text_get(&out), out.length);
  }
  return finish(&comparison, documents, &out, code);
}
