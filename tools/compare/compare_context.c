// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/compare_context.h"

#include "reader/run_end.h"
#include "reader/value.h"

#include <stdlib.h>
#include <string.h>

/* Facts deciding the counted work beside the program and its input. A fact of builds is compared
 * as the set of the builds' values; facts known to one document only are not compared. */
static const struct fact {
  const char *key, *shown;
  bool of_build, forbids;
} facts[] = {
    {"optimization", "optimization of device code", true, true},
    {"architecture", "architecture of device code", true, true},
    {"headers", "CUDA headers", true, true},
    {"fast_math", "fast math", true, true},
    {"contraction", "contraction of products and sums", true, true},
    {"warmup", "warm-up executions left out", false, true},
    {"cuda_version", "CUDA version of the headers", true, false},
    {"compiler", "compiler", true, false},
    {"plugin_version", "plugin", true, false},
    {"plugin_options", "options of the plugin", false, false},
};
#define FACT_COUNT (sizeof facts / sizeof *facts)

/* Empty where the fact is not known. */
static char *shown_value(const struct json *json) {
  struct text text = {0};
  if (json && json->kind == JSON_BOOLEAN)
    text_add(&text, json->boolean ? "on" : "off");
  else if (json && json->kind == JSON_STRING)
    text_plain(&text, json->string);
  else if (json && json->kind != JSON_NULL)
    value_show(&text, value_of(json));
  return text.data ? text.data : copy_string("");
}

static int by_text(const void *first, const void *second) {
  return strcmp(*(char *const *)first, *(char *const *)second);
}

/* The different values of all builds, sorted, joined by commas. */
static char *values_of_builds(const struct json_tree *tree, const struct json *builds, const char *key) {
  struct text joined = {0};
  size_t count = 0;
  char **values = allocate(json_count(builds) * sizeof *values);
  JSON_EACH(build, builds)
    values[count++] = shown_value(json_find(tree, build, key));
  qsort(values, count, sizeof *values, by_text);
  for (size_t i = 0; i < count; ++i) {
    if (*values[i] && (!i || strcmp(values[i], values[i - 1])))
      text_format(&joined, "%s%s", joined.length ? ", " : "", values[i]);
  }
  for (size_t i = 0; i < count; ++i)
    free(values[i]);
  free(values);
  return joined.data ? joined.data : copy_string("");
}

static char *value_in(const struct document *document, const struct fact *fact) {
  const struct json_tree *tree = &document->tree;
  const struct json *context = json_find(tree, &tree->root, "context");
  return fact->of_build ? values_of_builds(tree, json_find(tree, context, "builds"), fact->key)
                        : shown_value(json_find(tree, context, fact->key));
}

static bool differs(struct text *out, const struct fact *fact, const char *before, const char *after) {
  if (!strcmp(before, after) || (fact->of_build && (!*before || !*after)))
    return false;
  text_format(out, " %s: %s before, %s after\n", fact->shown, *before ? before : "none",
              *after ? after : "none");
  return true;
}

/* Counts of a part of a run say nothing about other parts. Returns 1 for such a document. */
static size_t add_end(struct text *out, const char *which, const struct document *document) {
  struct text end = {0};
  run_end(&end, document);
  if (end.length)
    text_format(out, " end of the run %s: %s\n", which, end.data);
  text_free(&end);
  return run_is_incomplete(document);
}

size_t compare_contexts(struct text *out, const struct document *before, const struct document *after) {
  size_t forbidding = 0;
  for (size_t i = 0; i < FACT_COUNT; ++i) {
    char *a = value_in(before, &facts[i]), *b = value_in(after, &facts[i]);
    forbidding += differs(out, &facts[i], a, b) && facts[i].forbids;
    free(a);
    free(b);
  }
  forbidding += add_end(out, "before", before);
  forbidding += add_end(out, "after", after);
  return forbidding;
}
