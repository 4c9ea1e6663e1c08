// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/compare_context.h"

#include "reader/run_end.h"
#include "reader/value.h"

#include <stdlib.h>
#include <string.h>

/* Facts deciding the counted work beside the program and its input. A fact of builds is compared as the set of the
 * builds' values, then source by source; facts of builds known to one document only are not compared. */
enum fact_use { FORBIDS, IS_NAMED, EXPLAINS /* named where a count differs: on most machines it decides nothing */ };

static const struct fact {
  const char *key, *shown;
  bool of_build;
  enum fact_use use;
} facts[] = {
    {"optimization", "optimization of device code", true, FORBIDS},
    {"architecture", "architecture of device code", true, FORBIDS},
    {"headers", "CUDA headers", true, FORBIDS},
    {"fast_math", "fast math", true, FORBIDS},
    {"contraction", "contraction of products and sums", true, FORBIDS},
    {"context.warmup", "warm-up executions left out", false, FORBIDS},
    {"context.filter", "filter of regions and kernels", false, FORBIDS},
    {"context.sample", "launches of which one is counted, so that counts are estimates (GPUPROF_SAMPLE)", false, FORBIDS},
    {"cuda_version", "CUDA version of the headers", true, IS_NAMED},
    {"compiler", "compiler", true, IS_NAMED},
    {"plugin_version", "plugin", true, IS_NAMED},
    {"context.plugin_options", "options of the plugin", false, IS_NAMED},
    {"context.command", "arguments of the program", false, EXPLAINS},
    {"device.sm_count", "multiprocessors of the device", false, EXPLAINS},
};
#define FACT_COUNT (sizeof facts / sizeof *facts)
enum { SHOWN_WIDTH = 40 };

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

static const struct json *builds_of(const struct document *document) {
  return json_find(&document->tree, &document->tree.root, "context.builds");
}

/* The program's own name varies with folders. */
static char *arguments_of(const struct json *command) {
  const char *space = command && command->kind == JSON_STRING ? strchr(command->string, ' ') : NULL;
  struct text text = {0};
  text_elide(&text, space ? space + 1 : "", SHOWN_WIDTH, "...");
  return text.data ? text.data : copy_string("");
}

static char *value_in(const struct document *document, const struct fact *fact) {
  const struct json_tree *tree = &document->tree;
  if (fact->of_build)
    return values_of_builds(tree, builds_of(document), fact->key);
  const struct json *value = json_find(tree, &tree->root, fact->key);
  return strcmp(fact->key, "context.command") ? shown_value(value) : arguments_of(value);
}

static bool differs(struct text *out, const struct fact *fact, const char *before, const char *after) {
  if (!strcmp(before, after) || (fact->of_build && (!*before || !*after)))
    return false;
  text_format(out, " %s: %s before, %s after\n", fact->shown, *before ? before : "none",
              *after ? after : "none");
  return true;
}

/* ---- Sources: several builds of one program may have changed places ---- */

static bool has_source(const struct json_tree *tree, const struct json *build, const char *source) {
  JSON_EACH(item, json_find(tree, build, "sources"))
    if (item->kind == JSON_STRING && !strcmp(item->string, source))
      return true;
  return false;
}

/* Null where no build names it. */
static const struct json *build_of(const struct document *document, const char *source) {
  JSON_EACH(build, builds_of(document))
    if (has_source(&document->tree, build, source))
      return build;
  return NULL;
}

/* The first source with another value; `others` counts the rest. */
struct moved {
  const char *source;
  char *before, *after;
  size_t others;
};

static void compare_source(struct moved *moved, const struct fact *fact, const struct document *after, const char *source,
                           const char *before) {
  const struct json *build = build_of(after, source);
  char *value = build ? shown_value(json_find(&after->tree, build, fact->key)) : NULL;
  const bool is_moved = value && *value && *before && strcmp(value, before);
  moved->others += is_moved && moved->source;
  if (!is_moved || moved->source) {
    free(value);
    return;
  }
  *moved = (struct moved){.source = source, .before = copy_string(before), .after = value};
}

static bool differs_by_source(struct text *out, const struct fact *fact, const struct document *before,
                              const struct document *after) {
  struct moved moved = {0};
  JSON_EACH(build, builds_of(before)) {
    char *value = shown_value(json_find(&before->tree, build, fact->key));
    JSON_EACH(source, json_find(&before->tree, build, "sources"))
      if (source->kind == JSON_STRING)
        compare_source(&moved, fact, after, source->string, value);
    free(value);
  }
  if (!moved.source)
    return false;
  struct text source = {0};
  text_elide(&source, moved.source, SHOWN_WIDTH, "...");
  text_format(out, " %s: %s before, %s after, of %s", fact->shown, moved.before, moved.after, text_get(&source));
  if (moved.others)
    text_format(out, " and %zu more", moved.others);
  text_add(out, "\n");
  text_free(&source);
  free(moved.before);
  free(moved.after);
  return true;
}

/* Documents of before have no such member: nothing is known of it. */
static bool is_unknown(const struct document *document, const char *path) {
  return !strcmp(path, "context.filter") && !json_find(&document->tree, &document->tree.root, path);
}

static bool fact_differs(struct text *out, const struct fact *fact, const struct document *before,
                         const struct document *after) {
  if (is_unknown(before, fact->key) || is_unknown(after, fact->key))
    return false;
  char *a = value_in(before, fact), *b = value_in(after, fact);
  const bool found = differs(out, fact, a, b) || (fact->of_build && differs_by_source(out, fact, before, after));
  free(a);
  free(b);
  return found;
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

size_t compare_contexts(struct text *out, const struct document *before, const struct document *after, bool counts_differ) {
  size_t forbidding = 0;
  for (size_t i = 0; i < FACT_COUNT; ++i)
    if (facts[i].use != EXPLAINS || counts_differ)
      forbidding += fact_differs(out, &facts[i], before, after) && facts[i].use == FORBIDS;
  forbidding += add_end(out, "before", before);
  forbidding += add_end(out, "after", after);
  return forbidding;
}
