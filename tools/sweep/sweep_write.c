// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/sweep.h"

#include "common/text.h"
#include "common/write.h"

#include <string.h>

static void add_string(struct text *out, const char *key, const char *value) {
  text_format(out, "\"%s\": ", key);
  if (*value)
    write_json(out, value);
  else
    text_add(out, "null");
}

static void add_count(struct text *out, struct count count) {
  if (count.known)
    text_unsigned(out, count.value);
  else
    text_add(out, "null");
}

static void add_number(struct text *out, struct number number) {
  if (number.known)
    text_format(out, "%.17g", number.value);
  else
    text_add(out, "null");
}

static void add_parameters(struct text *out, const struct parameters *parameters) {
  text_add(out, "  \"parameters\": [");
  for (size_t i = 0; i < parameters->count; ++i) {
    text_add(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ");
    write_json(out, parameters->items[i].name);
    text_add(out, ", \"values\": [");
    for (size_t v = 0; v < parameters->items[i].count; ++v) {
      text_add(out, v ? ", " : "");
      write_json(out, parameters->items[i].values[v]);
    }
    text_add(out, "]}");
  }
  text_add(out, "],\n");
}

static void add_row(struct text *out, const struct sweep_row *row, size_t runs) {
  text_add(out, "{");
  for (size_t i = 0; i < SWEEP_STRINGS; ++i) {
    add_string(out, sweep_string_keys[i], row->strings[i]);
    text_add(out, ", ");
  }
  for (size_t i = 0; i < SWEEP_COUNTS; ++i) {
    text_format(out, "\"%s\": ", sweep_count_keys[i]);
    add_count(out, row->counts[i]);
    text_add(out, ", ");
  }
  for (size_t i = 0; i < SWEEP_NUMBERS; ++i) {
    text_format(out, "\"%s\": ", sweep_number_keys[i]);
    add_number(out, row->numbers[i]);
    text_add(out, ", ");
  }
  text_format(out, "\"counts_equal\": %s, \"time_ns\": [", row->counts_equal ? "true" : "false");
  for (size_t i = 0; i < runs; ++i) {
    text_add(out, i ? ", " : "");
    add_count(out, row->time_ns[i]);
  }
  text_add(out, "], \"percent\": [");
  for (size_t i = 0; i < runs; ++i) {
    text_add(out, i ? ", " : "");
    add_number(out, row->percent[i]);
  }
  text_add(out, "]}");
}

static void add_runs(struct text *out, const struct sweep_point *point) {
  text_add(out, "\"runs\": [");
  for (size_t i = 0; i < point->run_count; ++i) {
    const struct sweep_run *run = &point->runs[i];
    text_add(out, i ? ",\n       {" : "\n       {");
    add_string(out, "file", run->file ? run->file : "");
    text_format(out, ", \"exit_code\": %d, \"seconds\": %.6f}", run->exit_code, run->seconds);
  }
  text_add(out, "],\n     ");
}

static void add_point(struct text *out, const struct sweep *sweep, size_t index) {
  const struct sweep_point *point = &sweep->points[index];
  text_add(out, "\n    {\"parameters\": {");
  for (size_t i = 0; i < sweep->parameters.count; ++i) {
    text_add(out, i ? ", " : "");
    write_json(out, sweep->parameters.items[i].name);
    text_add(out, ": ");
    write_json(out, parameters_value(&sweep->parameters, index, i));
  }
  text_add(out, "},\n     ");
  add_runs(out, point);
  text_add(out, "\"rows\": [");
  for (size_t i = 0; i < point->row_count; ++i) {
    text_add(out, i ? ",\n       " : "\n       ");
    add_row(out, &point->rows[i], point->run_count);
  }
  text_add(out, "]}");
}

void sweep_write(struct text *out, const struct sweep *sweep) {
  text_add(out, "{\n  \"schema\": \"gpuprof.sweep\",\n  \"version\": 1,\n  ");
  add_string(out, "command", sweep->command);
  text_add(out, ",\n  ");
  add_string(out, "start_time", sweep->start_time);
  text_add(out, ",\n  \"device\": {");
  add_string(out, "kind", sweep->device_kind);
  text_add(out, ", ");
  add_string(out, "name", sweep->device_name);
  text_add(out, ", ");
  add_string(out, "chip", sweep->chip);
  text_format(out, "},\n  \"repeat\": %zu,\n", sweep->repeat);
  add_parameters(out, &sweep->parameters);
  text_add(out, "  \"points\": [");
  for (size_t i = 0; i < sweep->point_count; ++i) {
    text_add(out, i ? "," : "");
    add_point(out, sweep, i);
  }
  text_add(out, "]\n}\n");
}
