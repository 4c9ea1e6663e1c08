#include "reader.h"

#include "file.h"
#include "say.h"
#include "text.h"
#include "value.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_NAME "gpuprof.roofline"
#define SCHEMA_VERSION 1

const struct flop_kind_row flop_kinds[FLOP_KIND_COUNT] = {
#define GP_KIND_ROW(id, group, key, shown, unit, in_total) {group, key, shown, unit, in_total},
    GP_FLOP_KINDS(GP_KIND_ROW)
#undef GP_KIND_ROW
};

static const char *const count_paths[COUNT_COUNT] = {
#define GP_COUNT_PATH(id, path, name) path,
    GP_ENTRY_COUNTS(GP_COUNT_PATH)
#undef GP_COUNT_PATH
};

/* ---- Values, with the first error remembered ---- */
struct reading {
  const char *file;
  char *error; /* the first thing that is wrong, or null */
  char where[160];
};

static void wrong(struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct reading *reading, const char *format, ...) {
  if (reading->error)
    return;
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  if (vasprintf(&text, format, arguments) >= 0)
    reading->error = text;
  va_end(arguments);
}

static const char *type_name(const cJSON *value) {
  if (cJSON_IsNull(value))
    return "null";
  if (cJSON_IsBool(value))
    return "a boolean";
  if (cJSON_IsNumber(value))
    return "a number";
  if (cJSON_IsString(value))
    return value->valuestring[0] == LONG_INTEGER_CHARACTER ? "a number" : "a string";
  return cJSON_IsArray(value) ? "an array" : "an object";
}

/* The value at a dotted path, or null where a part is missing or null. */
static const cJSON *find(struct reading *reading, const cJSON *object, const char *path) {
  char key[64];
  while (object && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    if (!cJSON_IsObject(object)) {
      wrong(reading, "%s: the parent of '%s' must be an object, not %s", reading->where, key,
            type_name(object));
      return NULL;
    }
    object = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNull(object))
      return NULL;
    path += length + (path[length] == '.');
  }
  return object;
}

static const char *get_string(struct reading *reading, const cJSON *object, const char *path) {
  const cJSON *value = find(reading, object, path);
  if (!value)
    return "";
  if (!cJSON_IsString(value) || value->valuestring[0] == LONG_INTEGER_CHARACTER) {
    wrong(reading, "%s: '%s' must be a string, not %s", reading->where, path, type_name(value));
    return "";
  }
  return value->valuestring;
}

static bool exact_integer(const cJSON *json, uint64_t *result) {
  struct value value = value_of(json);
  *result = value.magnitude;
  return value.kind == VALUE_WHOLE && !value.negative;
}

static struct count get_count(struct reading *reading, const cJSON *object, const char *path) {
  struct count result = {false, 0};
  const cJSON *value = find(reading, object, path);
  if (!value)
    return result;
  if (exact_integer(value, &result.value))
    result.known = true;
  else
    wrong(reading, "%s: '%s' must be a whole number from 0 to 2^64-1, not %s", reading->where, path,
          cJSON_IsNumber(value) ? "this number" : type_name(value));
  return result;
}

static struct number get_number(struct reading *reading, const cJSON *object, const char *path) {
  struct number result = {false, 0};
  const cJSON *value = find(reading, object, path);
  uint64_t integer;
  if (!value)
    return result;
  if (cJSON_IsNumber(value) && isfinite(value->valuedouble) && value->valuedouble >= 0)
    result = (struct number){true, value->valuedouble};
  else if (exact_integer(value, &integer))
    result = (struct number){true, (double)integer};
  else
    wrong(reading, "%s: '%s' must be a number that is not negative, not %s", reading->where, path,
          cJSON_IsNumber(value) ? "this one" : type_name(value));
  return result;
}

/* An array, never null: a missing one is an error. */
static const cJSON *get_array(struct reading *reading, const cJSON *object, const char *path) {
  static const cJSON nothing = {.type = cJSON_Array};
  const cJSON *value = find(reading, object, path);
  if (cJSON_IsArray(value))
    return value;
  if (value)
    wrong(reading, "%s: '%s' must be an array, not %s", reading->where, path, type_name(value));
  else
    wrong(reading, "%s: '%s' is missing", reading->where, path);
  return &nothing;
}

/* ---- Entries ---- */
static struct count group_flops(struct reading *reading, const cJSON *object,
                                const struct flop_kind_row *kind) {
  char path[64];
  if (*kind->key) {
    snprintf(path, sizeof path, "flops.%s.%s", kind->group, kind->key);
    return get_count(reading, object, path);
  }
  snprintf(path, sizeof path, "flops.%s", kind->group);
  const cJSON *group = find(reading, object, path), *part;
  struct count sum = {false, 0};
  if (group && !cJSON_IsObject(group))
    wrong(reading, "%s: '%s' must be an object, not %s", reading->where, path, type_name(group));
  if (reading->error)
    return sum;
  cJSON_ArrayForEach(part, group) {
    struct count one = get_count(reading, group, part->string);
    sum.known |= one.known;
    sum.value += one.value;
  }
  return sum;
}

static struct count accumulate_flops(struct reading *reading, const cJSON *object) {
  static const char *const paths[] = {"flops.fp64.accumulate", "flops.fp32.accumulate",
                                      "flops.fp16.accumulate", "flops.bf16.accumulate"};
  struct count sum = {false, 0};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    struct count one = get_count(reading, object, paths[i]);
    sum.known |= one.known;
    sum.value += one.value;
  }
  return sum;
}

static struct count sum_counts(const struct entry *entry, enum entry_count first, enum entry_count last) {
  struct count sum = {false, 0};
  for (int i = (int)first; i <= (int)last; ++i) {
    sum.known |= entry->counts[i].known;
    sum.value += entry->counts[i].value;
  }
  return sum;
}

static void read_entry(struct reading *reading, const cJSON *object, struct entry *entry,
                       const char *parent) {
  if (!cJSON_IsObject(object)) {
    wrong(reading, "%s must be an object, not %s", reading->where, type_name(object));
    return;
  }
  const struct {
    const char **field;
    const char *path;
  } strings[] = {{&entry->name, "name"},
                 {&entry->path, "path"},
                 {&entry->parent, "parent"},
                 {&entry->kind, "kind"},
                 {&entry->file, "file"},
                 {&entry->phase, "phase"},
                 {&entry->category, "category"},
                 {&entry->mangled, "mangled"},
                 {&entry->time_source, "time_ns.source"},
                 {&entry->dram_source, "intensity.dram_source"},
                 {&entry->bound, "roofline.bound"},
                 {&entry->status, "roofline.status"}};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i)
    *strings[i].field = get_string(reading, object, strings[i].path);
  if (!*entry->name)
    wrong(reading, "%s: 'name' is missing", reading->where);
  if (!*entry->parent && parent)
    entry->parent = parent;
  if (!*entry->path)
    entry->path = entry->name;
  entry->json = object;
  entry->line = get_count(reading, object, "line").value;
  for (size_t i = 0; i < COUNT_COUNT; ++i)
    entry->counts[i] = get_count(reading, object, count_paths[i]);
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i)
    entry->flops[i] = group_flops(reading, object, &flop_kinds[i]);
  entry->accumulate_flops = accumulate_flops(reading, object);
  entry->requested_bytes = sum_counts(entry, COUNT_GLOBAL_LOAD, COUNT_GLOBAL_ATOMIC);
  entry->intensity_requested = get_number(reading, object, "intensity.requested");
  entry->intensity_dram = get_number(reading, object, "intensity.dram");
  entry->attained = get_number(reading, object, "roofline.attained_per_second");
  entry->attainable = get_number(reading, object, "roofline.attainable_per_second");
  entry->percent = get_number(reading, object, "roofline.percent");
  entry->executed_over_expected = get_number(reading, object, "expected.executed_over_expected");
  entry->user_counters = find(reading, object, "user_counters");
  entry->steps = find(reading, object, "snn.per_step");
  entry->hardware = find(reading, object, "hardware");
  entry->firing_rate = get_number(reading, object, "snn.firing_rate");
}

struct entry_list {
  struct entry *items;
  size_t count, capacity;
};

/* Children may stand inside their parent or beside it (then `children` holds their paths). */
static void read_entries(struct reading *reading, const cJSON *array, const char *what, const char *parent,
                         bool is_kernel, struct entry_list *list) {
  const cJSON *item;
  size_t index = 0;
  cJSON_ArrayForEach(item, array) {
    snprintf(reading->where, sizeof reading->where, "%s[%zu]", what, index++);
    if (cJSON_IsString(item) && parent)
      continue;
    if (list->count == list->capacity) {
      list->capacity = list->capacity ? 2 * list->capacity : 16;
      list->items = reallocate(list->items, list->capacity * sizeof *list->items);
    }
    struct entry *entry = &list->items[list->count++];
    memset(entry, 0, sizeof *entry);
    entry->is_kernel = is_kernel;
    read_entry(reading, item, entry, parent);
    if (reading->error)
      return;
    const char *path = entry->path;
    const cJSON *children = find(reading, item, "children");
    if (children && !is_kernel) {
      char name[sizeof reading->where + 16];
      snprintf(name, sizeof name, "%s.children", reading->where);
      read_entries(reading, children, name, path, is_kernel, list);
    }
  }
}

static bool is_child(const struct entry *child, const struct entry *parent) {
  return child != parent && *child->parent && !strcmp(child->parent, parent->path);
}

/* Appends `from[index]` and what stands below it; `used` guards against loops and double parents. */
static void append_tree(const struct entry *from, size_t count, size_t index, unsigned depth, size_t parent,
                        bool *used, struct entry *to, size_t *filled) {
  size_t here = *filled, last = SIZE_MAX;
  used[index] = true;
  to[here] = from[index];
  to[here].depth = depth;
  to[here].parent_index = parent;
  to[here].last = true;
  ++*filled;
  for (size_t i = 0; i < count; ++i) {
    if (used[i] || !is_child(&from[i], &from[index]))
      continue;
    if (last != SIZE_MAX)
      to[last].last = false;
    last = *filled;
    append_tree(from, count, i, depth + 1, here, used, to, filled);
  }
}

static bool has_parent(const struct entry *entries, size_t count, size_t index) {
  for (size_t i = 0; i < count; ++i)
    if (i != index && is_child(&entries[index], &entries[i]))
      return true;
  return false;
}

static struct entry *tree_order(const struct entry *entries, size_t count) {
  struct entry *ordered = allocate(count * sizeof *ordered);
  bool *used = allocate(count * sizeof *used);
  size_t filled = 0;
  for (int orphans = 0; orphans <= 1; ++orphans)
    for (size_t i = 0; i < count; ++i)
      if (!used[i] && (orphans || !has_parent(entries, count, i)))
        append_tree(entries, count, i, 0, SIZE_MAX, used, ordered, &filled);
  free(used);
  return ordered;
}

/* ---- The rest of the document ---- */
static struct ceiling *read_ceilings(struct reading *reading, const cJSON *root, const char *path,
                                     const char *name_key, size_t *count) {
  const cJSON *array = get_array(reading, root, path), *item;
  struct ceiling *ceilings = allocate((size_t)cJSON_GetArraySize(array) * sizeof *ceilings);
  cJSON_ArrayForEach(item, array) {
    snprintf(reading->where, sizeof reading->where, "%s", path);
    struct number rate = get_number(reading, item, "per_second");
    if (!rate.known || rate.value <= 0)
      continue;
    ceilings[*count] =
        (struct ceiling){get_string(reading, item, name_key), get_string(reading, item, "unit"),
                         get_string(reading, item, "source"), rate.value};
    ++*count;
  }
  return ceilings;
}

static void read_lines(struct reading *reading, const cJSON *kernels, struct document *document) {
  const cJSON *kernel, *item;
  size_t count = 0;
  cJSON_ArrayForEach(kernel, kernels) {
    const cJSON *lines = find(reading, kernel, "lines");
    count += lines ? (size_t)cJSON_GetArraySize(lines) : 0;
  }
  document->lines = allocate(count * sizeof *document->lines);
  cJSON_ArrayForEach(kernel, kernels) {
    const cJSON *lines = find(reading, kernel, "lines");
    cJSON_ArrayForEach(item, lines) {
      snprintf(reading->where, sizeof reading->where, "a kernel's lines[%zu]", document->line_count);
      document->lines[document->line_count++] =
          (struct source_line){get_string(reading, item, "file"), get_count(reading, item, "line").value,
                               get_count(reading, item, "flops"), get_count(reading, item, "bytes"),
                               get_count(reading, item, "shared_bytes"), get_count(reading, item, "executions")};
    }
  }
}

static struct remark *read_remarks(struct reading *reading, const cJSON *root, const char *path,
                                   const char *about, const char *text, const char *why, size_t *count) {
  const cJSON *array = find(reading, root, path), *item;
  if (array && !cJSON_IsArray(array))
    wrong(reading, "'%s' must be an array, not %s", path, type_name(array));
  struct remark *remarks = allocate((size_t)(array ? cJSON_GetArraySize(array) : 0) * sizeof *remarks);
  if (!cJSON_IsArray(array))
    return remarks;
  cJSON_ArrayForEach(item, array) {
    snprintf(reading->where, sizeof reading->where, "%s[%zu]", path, *count);
    remarks[(*count)++] = (struct remark){get_string(reading, item, about), get_string(reading, item, text),
                                          why ? get_string(reading, item, why) : "",
                                          why ? get_count(reading, item, "launches") : (struct count){false, 0}};
  }
  return remarks;
}

static void read_context(struct reading *reading, const cJSON *root, struct document *document) {
  const struct {
    const char **field;
    const char *path;
  } strings[] = {{&document->tool_version, "context.tool_version"},
                 {&document->command, "context.command"},
                 {&document->host, "context.host"},
                 {&document->start_time, "context.start_time"},
                 {&document->compiler, "context.compiler"},
                 {&document->end_state, "context.end.state"},
                 {&document->end_how, "context.end.how"},
                 {&document->device_kind, "device.kind"},
                 {&document->device_name, "device.name"},
                 {&document->chip, "device.chip"}};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i)
    *strings[i].field = get_string(reading, root, strings[i].path);
  document->pid = get_count(reading, root, "context.pid");
  document->rank = get_count(reading, root, "context.rank");
  document->duration_ns = get_count(reading, root, "context.duration_ns");
  document->end_signal = get_count(reading, root, "context.end.signal");
  document->counted_until_ns = get_count(reading, root, "context.end.counted_until_ns");
  document->process_start = get_count(reading, root, "context.end.process_start");
  document->launches_running = get_count(reading, root, "context.end.launches_running");
  document->warmup = get_count(reading, root, "context.warmup");
  const char *kind = document->device_kind; /* "": nothing ran */
  if (*kind && strcmp(kind, "gpu") && strcmp(kind, "cpu"))
    wrong(reading, "'device.kind' must be \"gpu\" or \"cpu\"");
}

static void read_body(struct reading *reading, const cJSON *root, struct document *document) {
  struct entry_list regions = {0}, kernels = {0};
  snprintf(reading->where, sizeof reading->where, "the document");
  read_context(reading, root, document);
  document->flop_ceilings =
      read_ceilings(reading, root, "ceilings.flops", "precision", &document->flop_ceiling_count);
  document->byte_ceilings =
      read_ceilings(reading, root, "ceilings.bytes", "level", &document->byte_ceiling_count);
  snprintf(reading->where, sizeof reading->where, "the document");
  read_entries(reading, get_array(reading, root, "regions"), "regions", NULL, false, &regions);
  snprintf(reading->where, sizeof reading->where, "the document");
  read_entries(reading, get_array(reading, root, "kernels"), "kernels", NULL, true, &kernels);
  read_lines(reading, get_array(reading, root, "kernels"), document);
  document->notes = read_remarks(reading, root, "notes", "about", "text", NULL, &document->note_count);
  document->uncounted =
      read_remarks(reading, root, "uncounted", "where", "what", "why", &document->uncounted_count);
  if (!reading->error)
    document->regions = tree_order(regions.items, regions.count);
  free(regions.items);
  document->region_count = reading->error ? 0 : regions.count;
  document->kernels = kernels.items;
  document->kernel_count = reading->error ? 0 : kernels.count;
}

/* ---- Text to JSON ---- */
/* Where text was inserted before an integer, to give error offsets in the file as it is. */
static size_t original_offset(const char *rewritten, size_t offset) {
  static const char mark[] = "\"" LONG_INTEGER_MARK;
  size_t inserted = 0;
  for (const char *found = strstr(rewritten, mark); found && (size_t)(found - rewritten) < offset;
       found = strstr(found + 1, mark))
    inserted += sizeof mark; /* the mark and the closing quote: sizeof counts its zero */
  return offset > inserted ? offset - inserted : 0;
}

/* Copies JSON text, long integers as marked strings. */
static void mark_long_integers(const char *json, size_t length, struct text *out) {
  bool in_string = false;
  for (size_t i = 0; i < length;) {
    size_t digits = 0, sign = json[i] == '-';
    if (!in_string && (i == 0 || !strchr("0123456789.eE+-", json[i - 1])))
      while (i + sign + digits < length && isdigit((unsigned char)json[i + sign + digits]))
        ++digits;
    char next = i + sign + digits < length ? json[i + sign + digits] : 0;
    if (digits >= LONG_INTEGER_DIGITS && !strchr(".eE", next ? next : ' ')) {
      text_format(out, "\"%s%.*s\"", LONG_INTEGER_MARK, (int)(sign + digits), json + i);
      i += sign + digits;
      continue;
    }
    if (json[i] == '"')
      in_string = !in_string;
    size_t step = in_string && json[i] == '\\' && i + 1 < length ? 2 : digits ? sign + digits : 1;
    text_bytes(out, json + i, step);
    i += step;
  }
}

/* True where nothing but the beginning of one token is left: the text was cut, not misspelt. */
static bool is_cut(const char *text, size_t offset) {
  const char *at = text + offset;
  if (*at != '"' && offset && text[offset - 1] == '"')
    --at;
  at += strspn(at, " \t\r\n");
  if (*at != '"')
    return !at[strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789+-.E \t\r\n")];
  for (++at; *at && *at != '"'; ++at)
    at += *at == '\\' && at[1];
  return !*at;
}

static cJSON *parse(const char *path, const struct text *content) {
  struct text marked = {0};
  mark_long_integers(content->data, content->length, &marked);
  const char *end = NULL;
  cJSON *root = cJSON_ParseWithLengthOpts(text_get(&marked), marked.length + 1, &end, 1);
  if (!root) {
    size_t offset = end ? (size_t)(end - text_get(&marked)) : 0;
    if (offset + 1 >= marked.length || is_cut(text_get(&marked), offset))
      fail("'%s' is truncated: it ends at byte %zu in the middle of the JSON; run the profiled program again "
           "and let "
           "it finish.",
           path, content->length);
    else
      fail("'%s' is not valid JSON: syntax error near byte %zu; give a file that a profiled program wrote.",
           path, original_offset(text_get(&marked), offset));
  }
  text_free(&marked);
  return root;
}

static bool check_schema(const char *path, const cJSON *root) {
  struct reading reading = {.file = path};
  const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
  if (!cJSON_IsObject(root) || !cJSON_IsString(schema)) {
    fail("'%s' is JSON but no gpuprof document: it has no \"schema\"; give a file that a profiled program "
         "wrote.",
         path);
    return false;
  }
  if (strcmp(schema->valuestring, SCHEMA_NAME)) {
    struct text name = {0};
    text_plain(&name, schema->valuestring);
    fail("'%s' has the schema \"%s\", not \"" SCHEMA_NAME "\"; give a file that a profiled program wrote.",
         path, text_get(&name));
    text_free(&name);
    return false;
  }
  struct count version = get_count(&reading, root, "version");
  bool newer = version.known && version.value > SCHEMA_VERSION,
       good = version.known && version.value == SCHEMA_VERSION;
  free(reading.error);
  if (newer)
    fail("'%s' has schema version %llu, and this gpuprof reads version %d; install a newer gpuprof.", path,
         (unsigned long long)version.value, SCHEMA_VERSION);
  else if (!good)
    fail("'%s' has no valid schema version (this gpuprof reads version %d); run the profiled program again.",
         path, SCHEMA_VERSION);
  return good;
}

bool document_read(const char *path, struct document *document) {
  struct text content = {0};
  struct reading reading = {.file = path};
  memset(document, 0, sizeof *document);
  document->file = path;
  bool good = file_read(path, &content);
  if (good && !content.length) {
    fail("'%s' is empty; run the profiled program again and let it finish.", path);
    good = false;
  }
  document->json = good ? parse(path, &content) : NULL;
  text_free(&content);
  if (!document->json || !check_schema(path, document->json)) {
    document_free(document);
    return false;
  }
  read_body(&reading, document->json, document);
  if (reading.error) {
    fail("'%s' does not follow the gpuprof schema: %s; it was edited or damaged: run the profiled program "
         "again.",
         path, reading.error);
    free(reading.error);
    document_free(document);
    return false;
  }
  return true;
}

void document_free(struct document *document) {
  cJSON_Delete(document->json);
  free(document->flop_ceilings);
  free(document->byte_ceilings);
  free(document->regions);
  free(document->kernels);
  free(document->notes);
  free(document->lines);
  free(document->uncounted);
  memset(document, 0, sizeof *document);
}

/* ---- Questions about a document ---- */
const struct ceiling *document_flop_ceiling(const struct document *document, enum flop_kind kind) {
  const struct flop_kind_row *row = &flop_kinds[kind];
  const char *precision = *row->key ? row->key : row->group;
  for (size_t i = 0; i < document->flop_ceiling_count; ++i) {
    const struct ceiling *ceiling = &document->flop_ceilings[i];
    if (!strcmp(ceiling->name, precision) && !strcmp(ceiling->unit, row->unit))
      return ceiling;
  }
  return NULL;
}

const struct ceiling *document_byte_ceiling(const struct document *document, const char *level) {
  for (size_t i = 0; i < document->byte_ceiling_count; ++i)
    if (!strcmp(document->byte_ceilings[i].name, level))
      return &document->byte_ceilings[i];
  return NULL;
}

const char *document_title(const struct document *document) {
  if (!*document->command)
    return document->file;
  const char *start = document->command;
  for (const char *at = start; *at && *at != ' '; ++at)
    if (*at == '/')
      start = at + 1;
  return start;
}

bool document_is_cpu(const struct document *document) { return !strcmp(document->device_kind, "cpu"); }

const char *chip_title(const char *chip) {
  static const char *const titles[][2] = {
#define GPUPROF_CHIP(id, pattern, title, ...) {id, title},
#include "../runtime/chips.inc"
  };
  for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
    if (!strcmp(chip, titles[i][0]))
      return titles[i][1];
  return chip;
}

bool entry_misses_launches(const struct entry *entry) {
  return entry->counts[COUNT_UNCOUNTED].value && entry->counts[COUNT_FLOPS].known;
}

void remark_what(struct text *text, const struct remark *remark) {
  text_plain(text, remark->text);
  if (remark->launches.known)
    text_format(text, " (%llu)", (unsigned long long)remark->launches.value);
}

/* "_ZN3snn10lif_updateIfEEvPT_" → "snn::lif_update": enough of the Itanium rules to read a kernel's name. */
static char *plain_name(const char *mangled) {
  struct text name = {0};
  const char *at = mangled + 2;
  bool nested = *at == 'N', more = true;
  at += nested;
  at += *at == 'L'; /* internal linkage */
  while (more && isdigit((unsigned char)*at)) {
    char *start;
    unsigned long length = strtoul(at, &start, 10);
    if (length > strlen(start))
      break;
    if (strncmp(start, "_GLOBAL__N_", 11)) { /* the unnamed namespace */
      text_add(&name, name.length ? "::" : "");
      text_bytes(&name, start, length);
    }
    at = start + length;
    more = nested;
  }
  if (!name.length)
    text_add(&name, mangled);
  else if (*at == 'I')
    text_add(&name, "<>");
  return name.data;
}

char *entry_title(const struct entry *entry) {
  if (!strncmp(entry->name, "_Z", 2))
    return plain_name(entry->name);
  if (!entry->is_kernel)
    return copy_string(entry->name);
  /* "void tiled<64>(float const*, int)" → "tiled<64>": cut the parameter list and the result type. */
  const char *name = entry->name, *end = name;
  int angle = 0;
  for (; *end && !(angle == 0 && *end == '(' && strncmp(end, "(anonymous", 10)); ++end) {
    angle += (*end == '<') - (*end == '>' && angle > 0);
    bool in_unnamed = end - entry->name >= 10 && !strncmp(end - 10, "(anonymous", 10);
    if (*end == ' ' && angle == 0 && *(end + 1) && !in_unnamed)
      name = end + 1;
  }
  return name < end ? format_string("%.*s", (int)(end - name), name) : copy_string(entry->name);
}
