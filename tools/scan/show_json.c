// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/show.h"

#include "common/write.h"

static void add_string(struct text *out, const char *name, const char *value) {
  text_format(out, "\"%s\": ", name);
  if (value)
    write_json(out, value);
  else
    text_add(out, "null");
}

static void add_launches(struct text *out, const struct found_function *function) {
  for (size_t i = 0; i < function->launch_count; ++i) {
    const struct found_launch *launch = &function->launches[i];
    text_format(out, "%s\n          {\"line\": %u, \"column\": %u, ", i ? "," : "", launch->line, launch->column);
    add_string(out, "how", launch->how);
    text_add(out, ", ");
    add_string(out, "kernel", launch->kernel);
    text_add(out, ", ");
    add_string(out, "region", found_state_word(launch->state));
    text_add(out, "}");
  }
}

static void add_region(struct text *out, const struct found_function *function, bool has) {
  if (!has) {
    text_add(out, "null");
    return;
  }
  text_add(out, "{");
  add_string(out, "name", function->region);
  text_add(out, ", ");
  add_string(out, "phase", function->phase);
  text_add(out, "}");
}

static void add_function(struct text *out, const struct found_function *function) {
  text_add(out, "{");
  add_string(out, "kind", function->is_kernel ? "kernel" : "host");
  text_add(out, ", ");
  add_string(out, "name", function->qualified);
  text_format(out, ", \"line\": %u, ", function->line);
  add_string(out, "region", found_state_word(function->state));
  text_add(out, ",\n         \"pragma\": ");
  add_region(out, function, function->state == FOUND_PRAGMA);
  text_add(out, ", \"proposed\": ");
  add_region(out, function, function->is_proposed);
  text_add(out, ", ");
  add_string(out, "left_alone", function->is_foreign || found_lacks(function) ? function->why_not : NULL);
  text_add(out, ",\n         \"launches\": [");
  add_launches(out, function);
  text_add(out, "]}");
}

static void add_files(struct text *out, const struct found *found) {
  bool first = true;
  for (size_t i = 0; i < found->file_count; ++i) {
    const struct found_file *file = found->files[i];
    if (!file->function_count)
      continue;
    text_add(out, first ? "\n    {" : ",\n    {");
    add_string(out, "file", file->shown);
    text_add(out, ", \"functions\": [");
    for (size_t f = 0; f < file->function_count; ++f) {
      text_add(out, f ? ",\n        " : "\n        ");
      add_function(out, &file->functions[f]);
    }
    text_add(out, "]}");
    first = false;
  }
}

static void add_problems(struct text *out, const struct found *found) {
  for (size_t i = 0; i < found->problem_count; ++i) {
    const struct found_problem *problem = &found->problems[i];
    text_add(out, i ? ",\n    {" : "\n    {");
    add_string(out, "file", problem->file);
    text_add(out, ", ");
    add_string(out, "at", problem->at);
    text_format(out, ", \"line\": %u, ", problem->line);
    add_string(out, "message", problem->what);
    text_add(out, "}");
  }
}

void show_json(struct text *out, const struct found *found) {
  const struct found_totals totals = found_count(found);
  const struct {
    const char *name;
    size_t value;
  } sums[] = {{"kernels", totals.kernels},
              {"kernels_with_region", totals.kernels_with},
              {"launches", totals.launches},
              {"launches_in_region", totals.launches_with},
              {"host_functions", totals.functions},
              {"proposed", totals.proposed}};
  text_add(out, "{\"schema\": \"gpuprof.scan\", \"version\": 1,\n  \"parsed\": [");
  for (size_t i = 0; i < found->unit_count; ++i) {
    text_add(out, i ? ", " : "");
    write_json(out, found->units[i]);
  }
  text_add(out, "],\n  \"errors\": [");
  add_problems(out, found);
  text_add(out, "],\n  \"totals\": {");
  for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i)
    text_format(out, "%s\"%s\": %zu", i ? ", " : "", sums[i].name, sums[i].value);
  text_add(out, "},\n  \"files\": [");
  add_files(out, found);
  text_add(out, "]}\n");
}
