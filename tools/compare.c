#include "compare.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct compared_key {
  const char *path, *shown;
  enum compared_in in;
  enum compared_shape shape;
  enum compared_fails fails;
  enum compared_known known;
} keys[] = {
#define GP_COMPARED_ROW(path, shown, in, shape, fails, known) {path, shown, in, shape, fails, known},
    GP_COMPARED_KEYS(GP_COMPARED_ROW)
#undef GP_COMPARED_ROW
};
#define KEY_COUNT (sizeof keys / sizeof *keys)

/* ---- Pairs: things of the same name in both documents ---- */

struct named {
  const char *name;
  long long number; /* of a step */
  size_t order;     /* in its document */
  const void *thing;
};

static int by_name(const void *first, const void *second) {
  const struct named *a = first, *b = second;
  int names = strcmp(a->name, b->name);
  return names ? names : a->number != b->number ? (a->number > b->number) - (a->number < b->number) : 0;
}

/* Equal names stay in their order: a region that is entered from two sites has one path twice. */
static int by_name_and_order(const void *first, const void *second) {
  const struct named *a = first, *b = second;
  int names = by_name(a, b);
  return names ? names : (a->order > b->order) - (a->order < b->order);
}

struct names {
  struct named *items;
  size_t count;
};

/* Null for `before` or `after`: the other document alone has it. */
typedef void (*pair_function)(void *state, const struct named *before, const struct named *after);

static void pair_up(struct names before, struct names after, pair_function pair, void *state) {
  size_t i = 0, j = 0;
  qsort(before.items, before.count, sizeof *before.items, by_name_and_order);
  qsort(after.items, after.count, sizeof *after.items, by_name_and_order);
  while (i < before.count || j < after.count) {
    int side = i == before.count ? 1 : j == after.count ? -1 : by_name(&before.items[i], &after.items[j]);
    pair(state, side <= 0 ? &before.items[i] : NULL, side >= 0 ? &after.items[j] : NULL);
    i += side <= 0;
    j += side >= 0;
  }
}

/* The members of an object or array, by `name_of` (null: their key). */
static struct names members_of(const cJSON *json, struct named (*name_of)(const cJSON *)) {
  struct names names = {0};
  const cJSON *item;
  names.items = allocate((size_t)(json ? cJSON_GetArraySize(json) : 0) * sizeof *names.items);
  cJSON_ArrayForEach(item, json) {
    struct named named = name_of ? name_of(item) : (struct named){.name = item->string ? item->string : ""};
    named.order = names.count;
    named.thing = item;
    names.items[names.count++] = named;
  }
  return names;
}

/* ---- Differences ---- */

/* What is compared just now. */
struct place {
  struct comparison *comparison;
  const char *row;    /* its title */
  const char *prefix; /* before the names of its counts */
  const struct compared_key *key;
  enum difference_group group;
  bool is_kernel;
};

/* Names come from other people's files. */
static char *readable(const char *name) {
  struct text text = {0};
  text_plain(&text, name);
  return text.data ? text.data : copy_string("");
}

static void add_difference(const struct place *place, const char *count, struct difference difference) {
  struct comparison *comparison = place->comparison;
  if (comparison->count == comparison->capacity) {
    comparison->capacity = comparison->capacity ? 2 * comparison->capacity : 64;
    comparison->items = reallocate(comparison->items, comparison->capacity * sizeof *comparison->items);
  }
  difference.row = readable(place->row);
  difference.count = readable(count);
  difference.group = place->group;
  difference.is_kernel = place->is_kernel;
  difference.order = comparison->count;
  comparison->items[comparison->count++] = difference;
}

static void add_one_sided_thing(const struct place *place, const char *what, bool gone,
                                enum compared_fails fails) {
  add_difference(place, what, (struct difference){.gone = gone, .added = !gone, .fails = fails});
}

static char *count_name(const struct place *place, const char *member) {
  const char *shown = place->key->shown, *star = strchr(shown, '*');
  if (!star)
    return format_string("%s%s", place->prefix, shown);
  return format_string("%s%.*s%s%s", place->prefix, (int)(star - shown), shown, member, star + 1);
}

static void remember_one_sided(struct comparison *comparison, const char *shown) {
  comparison->one_sided++;
  if (!strstr(text_get(&comparison->one_sided_names), shown))
    text_format(&comparison->one_sided_names, "%s%s", comparison->one_sided_names.length ? ", " : "", shown);
}

static void remember_damage(const struct place *place, const char *count) {
  if (!place->comparison->damage.length)
    text_format(&place->comparison->damage, "'%s' of '%s' is no number", count, place->row);
}

static void compare_values(const struct place *place, const char *member, struct value before,
                           struct value after) {
  struct comparison *comparison = place->comparison;
  const struct compared_key *key = place->key;
  bool absent = before.kind == VALUE_ABSENT || after.kind == VALUE_ABSENT;
  bool same = value_equal(before, after) || (absent && key->shape != NAMED_MEMBERS);
  bool unknown = before.kind == VALUE_UNKNOWN || after.kind == VALUE_UNKNOWN;
  char *name = count_name(place, member);
  if (before.kind == VALUE_WRONG || after.kind == VALUE_WRONG)
    remember_damage(place, name);
  comparison->compared += value_is_number(before) && value_is_number(after);
  if (!same && unknown && key->known == KNOWN_BY_DEVICE)
    remember_one_sided(comparison, key->shown);
  else if (!same)
    add_difference(place, name, (struct difference){.before = before, .after = after, .fails = key->fails});
  free(name);
}

static void compare_members(void *state, const struct named *before, const struct named *after) {
  compare_values(state, before ? before->name : after->name, value_of(before ? before->thing : NULL),
                 value_of(after ? after->thing : NULL));
}

static const cJSON *at_path(const cJSON *object, const char *path) {
  char key[64];
  for (; object && *path; path += strspn(path, ".")) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    object = cJSON_GetObjectItemCaseSensitive(object, key);
    path += length;
  }
  return object;
}

static void compare_key(struct place *place, const cJSON *before, const cJSON *after) {
  const cJSON *a = at_path(before, place->key->path), *b = at_path(after, place->key->path);
  if (place->key->shape == ONE_COUNT) {
    compare_values(place, "", value_of(a), value_of(b));
    return;
  }
  struct names names[2] = {members_of(cJSON_IsObject(a) ? a : NULL, NULL),
                           members_of(cJSON_IsObject(b) ? b : NULL, NULL)};
  pair_up(names[0], names[1], compare_members, place);
  free(names[0].items);
  free(names[1].items);
}

static void compare_keys(struct place *place, enum compared_in in, const cJSON *before, const cJSON *after) {
  for (size_t i = 0; i < KEY_COUNT; ++i) {
    place->key = &keys[i];
    if (keys[i].in == in)
      compare_key(place, before, after);
  }
}

/* ---- Steps ---- */

#define OTHER_STEPS LLONG_MAX

static struct named step_name(const cJSON *step) {
  struct value number = value_of(cJSON_GetObjectItemCaseSensitive(step, "step"));
  long long shown = number.negative ? -(long long)number.magnitude : (long long)number.magnitude;
  return (struct named){.name = "", .number = number.kind == VALUE_WHOLE ? shown : OTHER_STEPS};
}

static void compare_step(void *state, const struct named *before, const struct named *after) {
  struct place place = *(struct place *)state;
  long long number = before ? before->number : after->number;
  char *name = number == OTHER_STEPS ? copy_string("other steps") : format_string("step %lld", number);
  char *prefix = format_string("%s: ", name);
  place.prefix = prefix;
  place.group = DIFFERS_STEP;
  if (before && after)
    compare_keys(&place, IN_STEP, before->thing, after->thing);
  else
    add_one_sided_thing(&place, name, before, IF_CHANGED);
  free(prefix);
  free(name);
}

static void compare_steps(struct place *place, const cJSON *before, const cJSON *after) {
  const cJSON *steps[2] = {at_path(before, "snn.per_step"), at_path(after, "snn.per_step")};
  struct names names[2];
  for (int i = 0; i < 2; ++i)
    names[i] = members_of(cJSON_IsArray(steps[i]) ? steps[i] : NULL, step_name);
  pair_up(names[0], names[1], compare_step, place);
  free(names[0].items);
  free(names[1].items);
}

/* ---- Rows ---- */

static void compare_rows(struct place place, const cJSON *before, const cJSON *after,
                         enum compared_fails if_new) {
  place.group = DIFFERS_ROW;
  if (!before || !after) {
    add_one_sided_thing(&place, "", before, before ? IF_CHANGED : if_new);
    return;
  }
  place.group = DIFFERS_COUNT;
  place.comparison->rows++;
  compare_keys(&place, IN_ROW, before, after);
  compare_steps(&place, before, after);
}

/* A region that is new divides work that is counted anyway; a kernel that is new is more work. */
static void compare_entry(void *state, const struct named *before, const struct named *after) {
  const struct entry *a = before ? before->thing : NULL, *b = after ? after->thing : NULL, *one = a ? a : b;
  char *title = entry_title(one);
  struct place place = {.comparison = state,
                        .row = one->is_kernel ? title : one->path,
                        .prefix = "",
                        .is_kernel = one->is_kernel};
  compare_rows(place, a ? a->json : NULL, b ? b->json : NULL, one->is_kernel ? IF_CHANGED : NEVER);
  free(title);
}

static struct names entry_names(const struct entry *entries, size_t count) {
  struct names names = {allocate(count * sizeof *names.items), count};
  for (size_t i = 0; i < count; ++i)
    names.items[i] = (struct named){entries[i].path, 0, i, &entries[i]};
  return names;
}

static void compare_entries(struct comparison *comparison, const struct entry *before, size_t before_count,
                            const struct entry *after, size_t after_count) {
  struct names names[2] = {entry_names(before, before_count), entry_names(after, after_count)};
  pair_up(names[0], names[1], compare_entry, comparison);
  free(names[0].items);
  free(names[1].items);
}

/* ---- Devices ---- */

static struct named device_name(const cJSON *device) {
  struct value index = value_of(cJSON_GetObjectItemCaseSensitive(device, "index"));
  return (struct named){.name = "", .number = (long long)index.magnitude};
}

static void compare_device(void *state, const struct named *before, const struct named *after) {
  char *title = format_string("device %lld", before ? before->number : after->number);
  struct place place = {.comparison = state, .row = title, .prefix = ""};
  compare_rows(place, before ? before->thing : NULL, after ? after->thing : NULL, IF_CHANGED);
  free(title);
}

/* Where one device ran all, its row says what the kernels' rows say. */
static void compare_devices(struct comparison *comparison, const struct document *before,
                            const struct document *after) {
  const cJSON *devices[2] = {cJSON_GetObjectItemCaseSensitive(before->json, "devices"),
                             cJSON_GetObjectItemCaseSensitive(after->json, "devices")};
  struct names names[2];
  if (!cJSON_IsArray(devices[0]) || !cJSON_IsArray(devices[1]))
    return;
  for (int i = 0; i < 2; ++i)
    names[i] = members_of(devices[i], device_name);
  if (names[0].count > 1 || names[1].count > 1)
    pair_up(names[0], names[1], compare_device, comparison);
  free(names[0].items);
  free(names[1].items);
}

/* ---- What was not counted ---- */

/* Code without its line, which moves when the file is edited; of launches the region's path. */
static size_t place_length(const char *where) {
  const char *colon = strrchr(where, ':');
  bool has_line = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
  return has_line ? (size_t)(colon - where) : strlen(where);
}

static struct names uncounted_names(const struct document *document) {
  struct names names = {allocate(document->uncounted_count * sizeof *names.items), document->uncounted_count};
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(document->json, "uncounted");
  item = item ? item->child : NULL;
  for (size_t i = 0; i < names.count; ++i, item = item->next) {
    const struct remark *remark = &document->uncounted[i];
    int length = (int)place_length(remark->about);
    char *name =
        format_string("%s (%s)%s%.*s", remark->text, remark->why, length ? ", " : "", length, remark->about);
    names.items[i] = (struct named){name, 0, i, item};
  }
  return names;
}

static void free_names(struct names names) {
  for (size_t i = 0; i < names.count; ++i)
    free((char *)names.items[i].name);
  free(names.items);
}

static void compare_uncounted(void *state, const struct named *before, const struct named *after) {
  struct place place = {.comparison = state, .prefix = "", .group = DIFFERS_UNCOUNTED};
  place.row = (before ? before : after)->name;
  if (before && after)
    compare_keys(&place, IN_UNCOUNTED, before->thing, after->thing);
  else
    add_one_sided_thing(&place, "uncounted", before, before ? NEVER : IF_CHANGED);
}

void compare_documents(struct comparison *comparison, const struct document *before,
                       const struct document *after, const struct selection *selection) {
  if (selection->regions)
    compare_entries(comparison, before->regions, before->region_count, after->regions, after->region_count);
  if (selection->kernels) {
    compare_entries(comparison, before->kernels, before->kernel_count, after->kernels, after->kernel_count);
    compare_devices(comparison, before, after);
  }
  struct names names[2] = {uncounted_names(before), uncounted_names(after)};
  pair_up(names[0], names[1], compare_uncounted, comparison);
  free_names(names[0]);
  free_names(names[1]);
}

void comparison_free(struct comparison *comparison) {
  for (size_t i = 0; i < comparison->count; ++i) {
    free(comparison->items[i].row);
    free(comparison->items[i].count);
  }
  free(comparison->items);
  text_free(&comparison->one_sided_names);
  text_free(&comparison->damage);
  memset(comparison, 0, sizeof *comparison);
}

/* ---- What a check keeps ---- */

static bool is_regression(const struct difference *difference, double tolerance) {
  struct value before = difference->before, after = difference->after;
  if (difference->fails == NEVER)
    return false;
  if (difference->gone || difference->added)
    return true;
  if (!value_is_number(before))
    return difference->fails == IF_CHANGED;
  if (!value_is_number(after))
    return true;
  double gap = value_gap(before, after), allowed = fabs(before.real) * tolerance / 100;
  return gap > allowed || (difference->fails == IF_CHANGED && -gap > allowed);
}

void comparison_keep_regressions(struct comparison *comparison, double tolerance) {
  size_t kept = 0;
  for (size_t i = 0; i < comparison->count; ++i) {
    struct difference difference = comparison->items[i];
    if (is_regression(&difference, tolerance)) {
      comparison->items[kept++] = difference;
    } else {
      free(difference.row);
      free(difference.count);
    }
  }
  comparison->count = kept;
}
