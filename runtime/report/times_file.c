// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/times_file.h"

#include "base/input.h"
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "gpuprof-times\t1\n"

/* ---- Names ---- */

static void write_path(FILE *out, const struct gp_context *context) {
  if (!context->parent)
    return;
  write_path(out, context->parent);
  fputc('/', out);
  for (const char *c = context->site ? context->site->description.name : "(first launches)"; *c; c++)
    fputc((unsigned char)*c < ' ' ? '?' : *c, out);
  if (context->early)
    fputs(" (early)", out);
}

/* To be freed; null when memory is exhausted. */
static char *path_of(const struct gp_context *context) {
  char *path = NULL;
  size_t bytes;
  FILE *out = open_memstream(&path, &bytes);
  if (!out)
    return NULL;
  write_path(out, context);
  return fclose(out) ? NULL : path;
}

/* ---- Writing ---- */

static void write_times(FILE *out, const struct gp_distribution *d) {
  fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu32, d->count, d->total, d->minimum, d->maximum, d->kept);
}

static void write_samples(FILE *out, const struct gp_distribution *d) {
  fputc('\n', out);
  for (uint32_t i = 0; i < d->kept; i++)
    fprintf(out, "%" PRIu64 " ", d->samples[i]);
  fputc('\n', out);
}

static int write_record(FILE *out, struct gp_reading *reading, struct gp_record_reading *r, const struct gp_context *context) {
  const struct gp_record *record = &r->record;
  if (gp_reading_samples(reading, r))
    return -1;
  fprintf(out, "launches\t%" PRIu64 "\t%" PRIx64 "\t%d\t%d\t", record->launches, record->digest, record->device, (int)record->source);
  write_times(out, &record->time);
  fprintf(out, "\t%s\t", record->kernel->name);
  write_path(out, context);
  write_samples(out, &record->time);
  return 0;
}

static int write_executions(FILE *out, struct gp_reading *reading, const struct gp_context_reading *c) {
  if (!c->values || !c->values->time.count)
    return 0;
  if (gp_reading_value_samples(reading, c))
    return -1;
  fputs("executions\t", out);
  write_times(out, &c->values->time);
  fputc('\t', out);
  write_path(out, c->context);
  write_samples(out, &c->values->time);
  return 0;
}

static int write_context(FILE *out, struct gp_reading *reading, const struct gp_context_reading *c) {
  for (size_t i = 0; i < c->record_count; i++)
    if (write_record(out, reading, &reading->records[c->first_record + i], c->context))
      return -1;
  return write_executions(out, reading, c);
}

int gp_times_file_write(struct gp_reading *reading, const char *path) {
  FILE *out = fopen(path, "we");
  if (!out) {
    gp_log(GP_WARN, "GPUPROF_TIMES_ONLY", "'%s' cannot be written: %s; let 'gpuprof run --exact' set it", path, strerror(errno));
    return -1;
  }
  int result = fputs(HEADER, out) < 0;
  for (size_t i = 0; i < reading->context_count && !result; i++)
    result = write_context(out, reading, &reading->contexts[i]);
  if (!result)
    fputs("end\n", out);
  if (!(fclose(out) || result))
    return 0;
  gp_log(GP_WARN, "GPUPROF_TIMES_ONLY", "'%s' could not be written to its end", path);
  return -1;
}

/* ---- Reading ---- */

struct entry {
  uint64_t launches, digest;
  int device, source;
  struct gp_distribution time; /* its samples are of the scratch memory */
  char *kernel, *path;         /* kernel null: executions of the region `path`; parts of `line` */
  char *line;
};

struct times {
  struct entry *entries;
  size_t count, room;
  int whole;
};

static void times_free(struct times *times) {
  for (size_t i = 0; i < times->count; i++)
    free(times->entries[i].line);
  free(times->entries);
}

static int parse_times(char **text, struct gp_distribution *d) {
  int end = 0;
  if (sscanf(*text, "%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu32 "\t%n", &d->count, &d->total, &d->minimum,
             &d->maximum, &d->kept, &end) != 5 ||
      !end || d->kept > GP_SAMPLES)
    return -1;
  *text += end;
  return 0;
}

static int parse_launches(char *text, struct entry *entry) {
  int end = 0;
  if (sscanf(text, "%" SCNu64 "\t%" SCNx64 "\t%d\t%d\t%n", &entry->launches, &entry->digest, &entry->device, &entry->source, &end) !=
          4 ||
      !end || entry->source < GP_TIME_NONE || entry->source > GP_TIME_CPU)
    return -1;
  text += end;
  if (parse_times(&text, &entry->time))
    return -1;
  entry->kernel = strsep(&text, "\t");
  entry->path = text;
  return text ? 0 : -1;
}

static int parse_line(char *line, struct entry *entry) {
  char *text = line;
  const char *kind = strsep(&text, "\t");
  if (!text)
    return -1;
  text[strcspn(text, "\n")] = 0;
  if (!strcmp(kind, "launches"))
    return parse_launches(text, entry);
  if (strcmp(kind, "executions") || parse_times(&text, &entry->time))
    return -1;
  entry->path = text;
  return 0;
}

static int parse_samples(struct gp_reading *reading, char *text, struct gp_distribution *d) {
  d->capacity = d->kept;
  d->samples = gp_scratch_get(reading->memory, (d->kept + 1) * sizeof *d->samples);
  for (uint32_t i = 0; d->samples && i < d->kept; i++) {
    char *end;
    d->samples[i] = strtoull(text, &end, 10);
    if (end == text)
      return -1;
    text = end;
  }
  return d->samples ? 0 : -1;
}

static int add_entry(struct gp_reading *reading, struct times *times, FILE *file, char *line) {
  char *samples = NULL;
  size_t size = 0;
  struct entry entry = {.line = line};
  if (times->count == times->room) {
    const size_t room = 2 * times->room + 16;
    struct entry *grown = realloc(times->entries, room * sizeof *grown);
    if (!grown)
      return -1;
    times->entries = grown;
    times->room = room;
  }
  const int failed = parse_line(line, &entry) || getline(&samples, &size, file) < 0 || parse_samples(reading, samples, &entry.time);
  free(samples);
  if (!failed)
    times->entries[times->count++] = entry;
  return failed ? -1 : 0;
}

/* An incomplete file is not whole. */
static struct times read_times(struct gp_reading *reading, FILE *file) {
  struct times times = {.entries = NULL};
  char *line = NULL;
  size_t size = 0;
  int good = getline(&line, &size, file) > 0 && !strcmp(line, HEADER);
  while (good && !times.whole) {
    free(line);
    line = NULL;
    size = 0;
    good = getline(&line, &size, file) > 0;
    times.whole = good && !strcmp(line, "end\n");
    if (good && !times.whole && (good = !add_entry(reading, &times, file, line)))
      line = NULL; /* the entry's */
  }
  free(line);
  return times;
}

/* ---- Comparing ---- */

static struct entry *find(const struct times *times, size_t *next, const char *kernel, int device, const char *path) {
  for (size_t i = 0; i < times->count; i++) { /* both runs mostly have the same order */
    struct entry *entry = &times->entries[(*next + i) % times->count];
    if (!entry->kernel != !kernel || strcmp(entry->path, path) || (kernel && (strcmp(entry->kernel, kernel) || entry->device != device)))
      continue;
    *next = (size_t)(entry - times->entries) + 1;
    return entry;
  }
  return NULL;
}

static const char *shown(const char *path) { return *path ? path + 1 : "no region"; }

/* The record's entry in *entry; a sentence in `why` if the runs differ. */
static void compare(const struct times *times, size_t *next, const struct gp_record *record, const char *path, struct entry **entry,
                    struct gp_times_match *match) {
  const char *kernel = record->kernel->name;
  struct entry *other = *entry = find(times, next, kernel, record->device, path);
  if (!other)
    snprintf(match->why, sizeof match->why, "kernel '%.80s' was launched in '%.80s' by this run alone", kernel, shown(path));
  else if (other->launches != record->launches)
    snprintf(match->why, sizeof match->why,
             "kernel '%.80s' was launched %" PRIu64 " times in '%.80s', and %" PRIu64 " times by the run without counters", kernel,
             record->launches, shown(path), other->launches);
  else if (other->digest != record->digest)
    snprintf(match->why, sizeof match->why,
             "launches of kernel '%.80s' in '%.80s' had other configurations, or another order, than in the run without counters",
             kernel, shown(path));
}

static void replace(struct gp_record_reading *r, const struct entry *entry) {
  r->record.time = entry->time;
  r->record.source = (enum gp_time_source)entry->source;
  r->has_other_times = 1;
}

static void replace_executions(const struct times *times, size_t *next, struct gp_context_reading *c, const char *path) {
  const struct entry *entry = find(times, next, NULL, 0, path);
  if (c->values)
    c->values->time = entry ? entry->time : (struct gp_distribution){.count = 0};
  c->has_other_times = 1;
}

/* `entries`: of each record. */
static void compare_all(struct gp_reading *reading, const struct times *times, struct entry **entries, struct gp_times_match *match) {
  size_t next = 0, known = 0, found = 0;
  for (size_t i = 0; i < reading->context_count && !match->why[0]; i++) {
    const struct gp_context_reading *c = &reading->contexts[i];
    char *path = path_of(c->context);
    for (size_t k = c->first_record; path && k < c->first_record + c->record_count && !match->why[0]; k++, found++)
      compare(times, &next, &reading->records[k].record, path, &entries[k], match);
    free(path);
  }
  for (size_t i = 0; i < times->count; i++)
    known += times->entries[i].kernel != NULL;
  if (!match->why[0] && known != found)
    snprintf(match->why, sizeof match->why, "the run without counters launched kernels that this run did not launch");
}

static void replace_all(struct gp_reading *reading, const struct times *times, struct entry *const *entries) {
  size_t next = 0;
  for (size_t i = 0; i < reading->record_count; i++)
    replace(&reading->records[i], entries[i]);
  for (size_t i = 0; i < reading->context_count; i++) {
    char *path = path_of(reading->contexts[i].context);
    if (path)
      replace_executions(times, &next, &reading->contexts[i], path);
    free(path);
  }
}

static void match_times(struct gp_reading *reading, const struct times *times, struct gp_times_match *match) {
  struct entry **entries = calloc(reading->record_count + 1, sizeof *entries);
  if (!times->whole || !entries)
    snprintf(match->why, sizeof match->why, "the run without counters left no whole file of times");
  else
    compare_all(reading, times, entries, match);
  match->matched = !match->why[0];
  if (match->matched)
    replace_all(reading, times, entries);
  free(entries);
}

struct gp_times_match gp_times_file_apply(struct gp_reading *reading, const char *path) {
  struct gp_times_match match = {.matched = 0};
  FILE *file = gp_input_open(path);
  if (!file) {
    snprintf(match.why, sizeof match.why, "'%.200s' cannot be read: %s", path, strerror(errno));
    return match;
  }
  struct times times = read_times(reading, file);
  fclose(file);
  match_times(reading, &times, &match);
  times_free(&times);
  return match;
}
