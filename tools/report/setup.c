// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/setup.h"

#include "common/numbers.h"
#include "reader/titles.h"
#include "reader/value.h"
#include "report/formats.h"

#include <math.h>
#include <stdlib.h>

/* ---- Builds and conventions ---- */

/* Adds what a member of an object says, behind a comma. */
static void add_member(struct text *text, const struct json_tree *tree, const struct json *object,
                       const char *key, const char *before) {
  const struct json *value = json_find(tree, object, key);
  if (!value || value->kind == JSON_NULL || value->kind == JSON_ARRAY || value->kind == JSON_OBJECT)
    return;
  text_add(text, text->length ? ", " : "");
  text_add(text, before);
  if (value->kind == JSON_STRING)
    text_plain(text, value->string);
  else
    value_show(text, value_of(value));
}

void report_builds(struct text *text, const struct document *document) {
  static const struct {
    const char *key, *before;
  } facts[] = {{"optimization", ""},      {"architecture", ""},          {"headers", "headers of "},
               {"cuda_version", "CUDA "}, {"fast_math", "fast math "},   {"contraction", "contraction "},
               {"compiler", ""},          {"plugin_version", "gpuprof "}};
  const struct json_tree *tree = &document->tree;
  JSON_EACH(build, json_find(tree, json_find(tree, &tree->root, "context"), "builds")) {
    struct text one = {0};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i)
      add_member(&one, tree, build, facts[i].key, facts[i].before);
    text_format(text, "%s%s", text->length ? "; " : "", text_get(&one));
    text_free(&one);
  }
}

void report_conventions(struct text *text, const struct document *document) {
  static const struct {
    const char *key, *before;
  } facts[] = {{"fma_flops", "FLOPs of an fma: "},
               {"accumulate_flops", "of an addition by an atomic: "},
               {"special_functions", "special functions: "},
               {"integer_tensor", "integer tensor operations: "},
               {"bytes", "bytes: "},
               {"peaks", "ceilings: "}};
  const struct json_tree *tree = &document->tree;
  for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i)
    add_member(text, tree, json_find(tree, &tree->root, "conventions"), facts[i].key, facts[i].before);
}

/* ---- Bounds ---- */

static const struct grid_column bound_columns[] = {
    {"bound", "by", "the resource with the largest least time", 0, true, false, false},
    {"of", "roof", "least time over measured GPU time", 0, false, false, false},
};
/* As the document names them. */
static const char *const resources[] = {"dram", "l2", "l1", "shared", "core", "tensor", "special", "integer"};
#define RESOURCES (sizeof resources / sizeof *resources)

static void add_bound(struct grid *grid, const struct document *document, const struct entry *entry) {
  const struct json_tree *tree = &document->tree;
  const struct json *times = entry->json ? json_find(tree, entry->json, "roofline.model_times_ns") : NULL;
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  struct text cell = {0};
  text_plain(&cell, entry_string(entry, STRING_BOUND));
  grid_cell(grid, &cell, NAN);
  if (percent.known)
    number_percent(&cell, percent.value);
  grid_cell(grid, &cell, percent.known ? percent.value : NAN);
  for (size_t r = 0; r < RESOURCES; ++r) {
    const struct number time = number_of(json_find(tree, times, resources[r]));
    if (time.known)
      number_time(&cell, time.value);
    grid_cell(grid, &cell, time.known ? time.value : NAN);
  }
}

void report_bounds(struct grid *grid, const struct document *document) {
  grid_begin(grid, "kernel", bound_columns, sizeof bound_columns / sizeof *bound_columns);
  for (size_t r = 0; r < RESOURCES; ++r)
    grid_add_column(
        grid, (struct grid_column){resources[r], "", "least time of this resource", 5, false, true, true});
  const size_t count = report_shown(document->kernel_count);
  char **titles = entry_titles(document->kernels, count);
  for (size_t i = 0; i < count; ++i) {
    grid_row(grid, titles[i], 0, true);
    add_bound(grid, document, &document->kernels[i]);
  }
  entry_titles_free(titles, count);
}
