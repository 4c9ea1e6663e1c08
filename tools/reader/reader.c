// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/reader.h"

#include "common/file.h"
#include "common/say.h"
#include "common/text.h"
#include "reader/notes.h"
#include "reader/region_tree.h"
#include "reader/row_filler.h"
#include "reader/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_NAME "gpuprof.roofline"
#define SCHEMA_VERSION 2 /* 1: each row says everything */

#define DAMAGED "it was edited or damaged: run the profiled program again."
#define WRITTEN "give a file that a profiled program wrote."

/* ---- Values, whose types schema_check() has seen to ---- */

/* The document's text, until it is read. */
struct reading {
  const char *path;
  const struct text *content;
  struct document *document;
};

static const char *get_string(const struct json_tree *tree, const struct json *object, const char *path) {
  return string_of(json_find(tree, object, path));
}

static struct count get_count(const struct json_tree *tree, const struct json *object, const char *path) {
  return count_of(json_find(tree, object, path));
}

/* ---- Places in the text, for messages ---- */

/* "byte 140 (line 3, column 12)"; columns are characters. */
static void add_position(struct text *out, const struct text *content, size_t offset) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i < offset && i < content->length; ++i) {
    bool ends = content->data[i] == '\n';
    line += ends;
    column = ends ? 1 : column + (((unsigned char)content->data[i] & 0xC0) != 0x80);
  }
  text_format(out, "byte %zu (line %zu, column %zu)", offset, line, column);
}

/* "'regions[0].launches' at byte 140 (line 3, column 12)" */
static void add_place(struct text *out, const struct reading *reading, uint32_t offset) {
  text_add(out, "'");
  json_place(out, &reading->document->tree, offset);
  text_add(out, "' at ");
  add_position(out, reading->content, offset);
}

static bool damaged(const struct reading *reading, uint32_t offset, const char *what) {
  struct text place = {0};
  add_place(&place, reading, offset);
  fail("'%s' does not follow the gpuprof schema: %s %s; " DAMAGED, reading->path, text_get(&place), what);
  text_free(&place);
  return false;
}

/* ---- Entries ---- */

/* Entries; the next one is to be read. */
struct level {
  const struct json *array;
  size_t next, parent; /* parent: the index of the enclosing entry */
};

struct entry_list {
  struct entry *items;
  size_t count, capacity;
  struct level *levels; /* the innermost last */
  size_t depth, level_capacity;
};

static void push_level(struct entry_list *list, const struct json *array, size_t parent) {
  if (!json_count(array))
    return;
  if (list->depth == list->level_capacity) {
    list->level_capacity = list->level_capacity ? 2 * list->level_capacity : 16;
    list->levels = reallocate(list->levels, list->level_capacity * sizeof *list->levels);
  }
  list->levels[list->depth++] = (struct level){array, 0, parent};
}

static struct entry *add_entry(struct entry_list *list, struct entry entry) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity + list->capacity / 2 : 16;
    list->items = reallocate(list->items, list->capacity * sizeof *list->items);
  }
  list->items[list->count] = entry;
  return &list->items[list->count++];
}

/* Children may stand inside their parent or beside it (then `children` holds their paths). */
static bool read_entries(const struct reading *reading, const char *key, bool is_kernel, struct entry_list *list) {
  const struct json_tree *tree = &reading->document->tree;
  struct entry_sums good = {0};
  push_level(list, json_find(tree, &tree->root, key), SIZE_MAX);
  while (list->depth) {
    struct level *level = &list->levels[list->depth - 1];
    if (level->next == json_count(level->array)) {
      --list->depth;
      continue;
    }
    const struct json *item = json_item(level->array, level->next++);
    if (item->kind == JSON_STRING)
      continue;
    struct entry *entry = add_entry(list, entry_of(item, reading->document->paths));
    entry->is_kernel = is_kernel;
    entry->parent_index = level->parent;
    if (!*entry->name)
      return damaged(reading, item->offset, "has no 'name'");
    if (!entry_sums_fit(entry, &good))
      return damaged(reading, item->offset, "has counts whose sum is beyond 2^64-1");
    if (!is_kernel)
      push_level(list, entry_part(entry, PART_CHILDREN), list->count - 1);
  }
  return true;
}

static bool read_regions(const struct reading *reading) {
  struct document *document = reading->document;
  struct entry_list regions = {0}, kernels = {0};
  bool good = read_entries(reading, "regions", false, &regions) &&
              read_entries(reading, "kernels", true, &kernels);
  if (good)
    region_tree_order(regions.items, regions.count);
  free(regions.levels);
  free(kernels.levels);
  document->regions = regions.items;
  document->region_count = regions.count;
  document->kernels = kernels.items;
  document->kernel_count = kernels.count;
  return good;
}

/* ---- The rest of the document ---- */

static struct ceiling *read_ceilings(const struct json_tree *tree, const char *path, const char *name_key,
                                     size_t *count) {
  const struct json *array = json_find(tree, &tree->root, path);
  struct ceiling *ceilings = allocate(json_count(array) * sizeof *ceilings);
  JSON_EACH(item, array) {
    struct number rate = number_of(json_find(tree, item, "per_second"));
    if (!rate.known || rate.value <= 0)
      continue;
    ceilings[(*count)++] = (struct ceiling){get_string(tree, item, name_key), get_string(tree, item, "unit"),
                                            get_string(tree, item, "source"), get_string(tree, item, "instruction"),
                                            rate.value};
  }
  return ceilings;
}

static void read_lines(struct document *document) {
  const struct json_tree *tree = &document->tree;
  size_t count = 0;
  for (size_t i = 0; i < document->kernel_count; ++i)
    count += json_count(entry_part(&document->kernels[i], PART_LINES));
  document->lines = allocate(count * sizeof *document->lines);
  const struct json_path file = json_path_of(tree, "file"), flops = json_path_of(tree, "flops"),
                         bytes = json_path_of(tree, "bytes"), shared = json_path_of(tree, "shared_bytes"),
                         executions = json_path_of(tree, "executions"), line = json_path_of(tree, "line");
  for (size_t i = 0; i < document->kernel_count; ++i)
    JSON_EACH(item, entry_part(&document->kernels[i], PART_LINES)) {
      document->lines[document->line_count++] = (struct source_line){
          string_of(json_at(item, &file)), count_of(json_at(item, &line)).value, count_of(json_at(item, &flops)),
          count_of(json_at(item, &bytes)), count_of(json_at(item, &shared)), count_of(json_at(item, &executions))};
    }
}

static bool is_true(const struct json *value) {
  return value && value->kind == JSON_BOOLEAN && value->boolean;
}

static struct remark *read_remarks(const struct json_tree *tree, const char *path, const char *about,
                                   const char *text, const char *why, size_t *count) {
  const struct json *array = json_find(tree, &tree->root, path);
  struct remark *remarks = allocate(json_count(array) * sizeof *remarks);
  JSON_EACH(item, array)
    remarks[(*count)++] = (struct remark){get_string(tree, item, about), get_string(tree, item, text),
                                          why ? get_string(tree, item, why) : "",
                                          why ? get_count(tree, item, "launches") : (struct count){false, 0},
                                          is_true(json_find(tree, item, "standing"))};
  return remarks;
}

static bool read_context(const struct reading *reading) {
  struct document *document = reading->document;
  const struct json_tree *tree = &document->tree;
  const struct {
    const char **field;
    const char *path;
  } fields[] = {{&document->tool_version, "context.tool_version"},
                {&document->command, "context.command"},
                {&document->host, "context.host"},
                {&document->start_time, "context.start_time"},
                {&document->compiler, "context.compiler"},
                {&document->end_state, "context.end.state"},
                {&document->end_how, "context.end.how"},
                {&document->device_kind, "device.kind"},
                {&document->device_name, "device.name"},
                {&document->chip, "device.chip"}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    *fields[i].field = get_string(tree, &tree->root, fields[i].path);
  document->pid = get_count(tree, &tree->root, "context.pid");
  document->duration_ns = get_count(tree, &tree->root, "context.duration_ns");
  document->host_threads = get_count(tree, &tree->root, "host.threads");
  document->host_regions_ns = get_count(tree, &tree->root, "host.regions_ns");
  document->host_waiting_ns = get_count(tree, &tree->root, "host.waiting_ns");
  document->end_signal = get_count(tree, &tree->root, "context.end.signal");
  document->counted_until_ns = get_count(tree, &tree->root, "context.end.counted_until_ns");
  document->process_start = get_count(tree, &tree->root, "context.end.process_start");
  document->launches_running = get_count(tree, &tree->root, "context.end.launches_running");
  document->warmup = get_count(tree, &tree->root, "context.warmup");
  document->sample = get_count(tree, &tree->root, "context.sample");
  document->multiprocessors = get_count(tree, &tree->root, "device.sm_count");
  const char *kind = document->device_kind; /* "": nothing ran */
  if (*kind && strcmp(kind, "gpu") && strcmp(kind, "cpu"))
    return damaged(reading, json_find(tree, &tree->root, "device.kind")->offset, "must be \"gpu\" or \"cpu\"");
  return true;
}

static bool read_body(const struct reading *reading) {
  struct document *document = reading->document;
  const struct json_tree *tree = &document->tree;
  document->paths = entry_paths_of(tree);
  if (!read_context(reading) || !read_regions(reading))
    return false;
  read_lines(document);
  document->flop_ceilings = read_ceilings(tree, "ceilings.flops", "precision", &document->flop_ceiling_count);
  document->byte_ceilings = read_ceilings(tree, "ceilings.bytes", "level", &document->byte_ceiling_count);
  document->integer_ceilings = read_ceilings(tree, "ceilings.integer", "operation", &document->integer_ceiling_count);
  document->notes = read_remarks(tree, "notes", "about", "text", NULL, &document->note_count);
  document->note_names = notes_join(document->notes, &document->note_count);
  document->uncounted = read_remarks(tree, "uncounted", "where", "what", "why", &document->uncounted_count);
  return true;
}

/* ---- Text to JSON ---- */

/* Text with this beginning is no JSON, but can be made so. */
static const struct {
  const char *begin;
  size_t length;
  const char *is, *command;
} kinds_of_file[] = {
    {"\xFF\xFE\0\0", 4, "UTF-32 text", "iconv -f UTF-32 -t UTF-8"},
    {"\0\0\xFE\xFF", 4, "UTF-32 text", "iconv -f UTF-32 -t UTF-8"},
    {"\xFF\xFE", 2, "UTF-16 text", "iconv -f UTF-16 -t UTF-8"},
    {"\xFE\xFF", 2, "UTF-16 text", "iconv -f UTF-16 -t UTF-8"},
    {"{\0", 2, "UTF-16 text", "iconv -f UTF-16LE -t UTF-8"},
    {"\0{", 2, "UTF-16 text", "iconv -f UTF-16BE -t UTF-8"},
    {"\x1F\x8B", 2, "compressed by gzip", "gunzip -c"},
    {"\x28\xB5\x2F\xFD", 4, "compressed by zstd", "zstd -dc"},
    {"\xFD"
     "7zXZ",
     5, "compressed by xz", "xz -dc"},
    {"BZh", 3, "compressed by bzip2", "bzip2 -dc"},
    {"PK\3\4", 4, "a zip archive", "unzip -p"},
};

static bool is_readable(const char *path, const struct text *content) {
  if (!content->length || !text_get(content)[strspn(text_get(content), " \t\r\n")]) {
    if (strlen(text_get(content)) < content->length)
      return true;
    fail("'%s' is empty; run the profiled program again and let it finish.", path);
    return false;
  }
  if (content->length >= JSON_TEXT_LIMIT) {
    fail("'%s' has more than %zu bytes, the most that gpuprof reads; filter what is reported by GPUPROF_FILTER.", path,
         JSON_TEXT_LIMIT - 1);
    return false;
  }
  for (size_t i = 0; i < sizeof kinds_of_file / sizeof *kinds_of_file; ++i)
    if (content->length >= kinds_of_file[i].length &&
        !memcmp(content->data, kinds_of_file[i].begin, kinds_of_file[i].length)) {
      fail("'%s' is %s; turn it into plain JSON by '%s' first.", path, kinds_of_file[i].is,
           kinds_of_file[i].command);
      return false;
    }
  return true;
}

static bool parse(const struct reading *reading) {
  struct json_remark wrong;
  struct text place = {0};
  struct json_tree *tree = &reading->document->tree;
  if (json_read(tree, text_get(reading->content), reading->content->length, &wrong))
    return true;
  add_position(&place, reading->content, wrong.offset);
  if (wrong.cut)
    fail("'%s' is truncated: it ends at %s in the middle of the JSON; run the profiled program again and let it "
         "finish.",
         reading->path, text_get(&place));
  else
    fail("'%s' is not valid JSON: %s, at %s; " WRITTEN, reading->path, wrong.what, text_get(&place));
  text_free(&place);
  return false;
}

static void tell_duplicates(const struct reading *reading) {
  const struct json_tree *tree = &reading->document->tree;
  struct text place = {0};
  if (!tree->duplicates)
    return;
  add_position(&place, reading->content, tree->duplicate.offset);
  note("'%s' has %zu key%s that an object has once more, as \"%s\" at %s: the last one counts.", reading->path,
       tree->duplicates, tree->duplicates > 1 ? "s" : "", tree->duplicate.what, text_get(&place));
  text_free(&place);
}

static bool check_schema(const struct reading *reading) {
  const char *path = reading->path;
  const struct json_tree *tree = &reading->document->tree;
  const struct json *schema = json_find(tree, &tree->root, "schema");
  struct count version = get_count(tree, &tree->root, "version");
  if (!schema || schema->kind != JSON_STRING)
    fail("'%s' is JSON but no gpuprof document: it has no \"schema\"; " WRITTEN, path);
  else if (strcmp(schema->string, SCHEMA_NAME))
    fail("'%s' has the schema \"%s\", not \"" SCHEMA_NAME "\"; " WRITTEN, path, schema->string);
  else if (!version.known || !version.value)
    fail("'%s' has no valid schema version (this gpuprof reads version %d); run the profiled program again.", path,
         SCHEMA_VERSION);
  else if (version.value > SCHEMA_VERSION)
    fail("'%s' has schema version %llu, and this gpuprof reads version %d; install a newer gpuprof.", path,
         (unsigned long long)version.value, SCHEMA_VERSION);
  else
    return true;
  return false;
}

static bool check_types(const struct reading *reading) {
  struct schema_error error;
  if (schema_check(&reading->document->tree, &error))
    return true;
  struct text what = {0};
  text_format(&what, "must be %s, not %s", error.wanted, error.found);
  damaged(reading, error.offset, text_get(&what));
  text_free(&what);
  return false;
}

/* The version has been checked. */
static bool has_rows_to_fill(const struct reading *reading) {
  const struct json_tree *tree = &reading->document->tree;
  return get_count(tree, &tree->root, "version").value > 1;
}

static bool name_columns(const struct reading *reading) {
  struct filler_error error;
  return !has_rows_to_fill(reading) || rows_name_columns(&reading->document->tree, &error) ||
         damaged(reading, error.offset, error.what);
}

static bool fill_rows(const struct reading *reading) {
  struct filler_error error;
  return !has_rows_to_fill(reading) || rows_fill(&reading->document->tree, reading->content->length, &error) ||
         damaged(reading, error.offset, error.what);
}

bool document_parse(const char *path, struct text *content, struct document *document) {
  struct reading reading = {path, content, document};
  memset(document, 0, sizeof *document);
  document->file = path;
  bool good = is_readable(path, content) && parse(&reading);
  if (good) {
    good = check_schema(&reading) && name_columns(&reading) && check_types(&reading) && fill_rows(&reading) &&
           read_body(&reading);
    if (good)
      tell_duplicates(&reading);
  }
  text_free(content);
  if (!good)
    document_free(document);
  return good;
}

bool document_read(const char *path, struct document *document) {
  struct text content = {0};
  memset(document, 0, sizeof *document);
  if (file_read(path, JSON_TEXT_LIMIT, &content))
    return document_parse(strcmp(path, "-") ? path : "standard input", &content, document);
  text_free(&content);
  return false;
}

void document_free(struct document *document) {
  json_free(&document->tree);
  free(document->flop_ceilings);
  free(document->byte_ceilings);
  free(document->integer_ceilings);
  free(document->regions);
  free(document->kernels);
  free(document->paths);
  free(document->notes);
  free(document->note_names);
  free(document->lines);
  free(document->uncounted);
  memset(document, 0, sizeof *document);
}
