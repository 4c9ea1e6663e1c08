// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/sweep.h"

#include "common/file.h"
#include "common/say.h"
#include "common/text.h"
#include "reader/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGINNING 256 /* the schema's name stands in the first bytes */
#define REPEATS_MOST 10000

bool sweep_is(const char *path) {
  char beginning[BEGINNING + 1] = "";
  FILE *file = strcmp(path, "-") ? fopen(path, "re") : NULL;
  if (!file)
    return false;
  beginning[fread(beginning, 1, BEGINNING, file)] = 0;
  fclose(file);
  return strstr(beginning, "\"gpuprof.sweep\"") != NULL;
}

/* A document being read. */
struct reading {
  const struct json_tree *tree;
  struct sweep *sweep;
};

static const struct json *member(const struct reading *reading, const struct json *object, const char *key) {
  return json_find(reading->tree, object, key);
}

static char *text_of(const struct reading *reading, const struct json *object, const char *key) {
  return copy_string(string_of(member(reading, object, key)));
}

static const char *read_parameters(const struct reading *reading) {
  struct parameters *parameters = &reading->sweep->parameters;
  const struct json *list = member(reading, &reading->tree->root, "parameters");
  parameters->items = allocate((json_count(list) + 1) * sizeof *parameters->items);
  JSON_EACH(item, list) {
    const struct json *values = member(reading, item, "values");
    struct parameter *parameter = &parameters->items[parameters->count++];
    *parameter = (struct parameter){.name = text_of(reading, item, "name"),
                                    .values = allocate((json_count(values) + 1) * sizeof *parameter->values)};
    JSON_EACH(value, values)
    parameter->values[parameter->count++] = copy_string(string_of(value));
    if (!*parameter->name || !parameter->count)
      return "a parameter without a name or values";
  }
  return NULL;
}

static void read_row(const struct reading *reading, const struct json *json, struct sweep_row *row, size_t runs) {
  const struct json *times = member(reading, json, "time_ns"), *percents = member(reading, json, "percent");
  const struct json *equal = member(reading, json, "counts_equal");
  *row = (struct sweep_row){.counts_equal = equal && equal->kind == JSON_BOOLEAN && equal->boolean,
                            .time_ns = allocate((runs + 1) * sizeof *row->time_ns),
                            .percent = allocate((runs + 1) * sizeof *row->percent)};
  for (size_t i = 0; i < SWEEP_COUNTS; ++i)
    row->counts[i] = count_of(member(reading, json, sweep_count_keys[i]));
  for (size_t i = 0; i < SWEEP_NUMBERS; ++i)
    row->numbers[i] = number_of(member(reading, json, sweep_number_keys[i]));
  for (size_t i = 0; i < SWEEP_STRINGS; ++i)
    row->strings[i] = text_of(reading, json, sweep_string_keys[i]);
  for (size_t i = 0; i < runs; ++i) {
    row->time_ns[i] = i < json_count(times) ? count_of(json_item(times, i)) : (struct count){.known = false};
    row->percent[i] = i < json_count(percents) ? number_of(json_item(percents, i)) : (struct number){.known = false};
  }
  row->is_kernel = !strcmp(row->strings[SWEEP_KIND], "kernel");
}

static const char *read_point(const struct reading *reading, const struct json *json, struct sweep_point *point) {
  const struct json *runs = member(reading, json, "runs"), *rows = member(reading, json, "rows");
  if (json_count(runs) > reading->sweep->repeat)
    return "a point with more runs than 'repeat'";
  point->runs = allocate((json_count(runs) + 1) * sizeof *point->runs);
  JSON_EACH(run, runs) {
    const char *file = string_of(member(reading, run, "file"));
    const struct count code = count_of(member(reading, run, "exit_code"));
    const struct number seconds = number_of(member(reading, run, "seconds"));
    point->runs[point->run_count++] =
        (struct sweep_run){*file ? copy_string(file) : NULL, (int)(code.value & 0xff), seconds.known ? seconds.value : 0};
  }
  point->rows = allocate((json_count(rows) + 1) * sizeof *point->rows);
  JSON_EACH(row, rows)
  read_row(reading, row, &point->rows[point->row_count++], point->run_count);
  return NULL;
}

static const char *read_points(const struct reading *reading) {
  struct sweep *sweep = reading->sweep;
  const struct json *list = member(reading, &reading->tree->root, "points");
  const size_t points = parameters_points(&sweep->parameters);
  const char *why = NULL;
  if (json_count(list) != points || points > SWEEP_POINTS_MOST)
    return "points that are not all combinations of its parameters' values";
  sweep->points = allocate((points + 1) * sizeof *sweep->points);
  JSON_EACH(item, list) {
    if (why)
      break;
    sweep->points[sweep->point_count] = (struct sweep_point){.runs = NULL};
    why = read_point(reading, item, &sweep->points[sweep->point_count++]);
  }
  return why;
}

static const char *read_sweep(const struct reading *reading) {
  struct sweep *sweep = reading->sweep;
  const struct json *root = &reading->tree->root;
  const struct count version = count_of(member(reading, root, "version")), repeat = count_of(member(reading, root, "repeat"));
  if (strcmp(string_of(member(reading, root, "schema")), "gpuprof.sweep"))
    return "no schema 'gpuprof.sweep'";
  if (!version.known || version.value != 1)
    return "a version that this gpuprof does not read; use the gpuprof that wrote it";
  if (!repeat.known || !repeat.value || repeat.value > REPEATS_MOST)
    return "no number of repeats";
  sweep->repeat = repeat.value;
  sweep->command = text_of(reading, root, "command");
  sweep->start_time = text_of(reading, root, "start_time");
  sweep->device_kind = text_of(reading, root, "device.kind");
  sweep->device_name = text_of(reading, root, "device.name");
  sweep->chip = text_of(reading, root, "device.chip");
  const char *why = read_parameters(reading);
  return why ? why : read_points(reading);
}

bool sweep_read(struct sweep *sweep, const char *path) {
  struct text content = {0};
  struct json_tree tree;
  struct json_remark wrong = {.cut = false};
  *sweep = (struct sweep){.repeat = 0};
  if (!file_read(path, JSON_TEXT_LIMIT, &content))
    return false;
  if (!json_read(&tree, text_get(&content), content.length, &wrong)) {
    fail("'%s' is no JSON: %s at byte %zu; run the sweep again.", path, wrong.what, wrong.offset);
    text_free(&content);
    return false;
  }
  const char *why = read_sweep(&(struct reading){&tree, sweep});
  if (why) {
    fail("'%s' is no sweep that can be read: it has %s.", path, why);
    sweep_free(sweep);
  }
  json_free(&tree);
  text_free(&content);
  return !why;
}
