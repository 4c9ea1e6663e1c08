// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct compared_key {
  const char *path, *shown;
  unsigned in; /* bits of compared_in */
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

/* Equal names stay in their order: a region entered from two sites has one path twice. */
static int by_name_and_order(const void *first, const void *second) {
  const struct named *a = first, *b = second;
  int names = by_name(a, b);
  return names ? names : (a->order > b->order) - (a->order < b->order);
}

struct names {
  struct named *items;
  size_t count;
};

static void sort(struct names names) {
  if (names.count > 1)
    qsort(names.items, names.count, sizeof *names.items, by_name_and_order);
}

/* Null for `before` or `after`: the other document alone has it. */
typedef void (*pair_function)(void *state, const struct named *before, const struct named *after);

static void pair_up(struct names before, struct names after, pair_function pair, void *state) {
  size_t i = 0, j = 0;
  sort(before);
  sort(after);
  while (i < before.count || j < after.count) {
    int side = i == before.count ? 1 : j == after.count ? -1 : by_name(&before.items[i], &after.items[j]);
    pair(state, side <= 0 ? &before.items[i] : NULL, side >= 0 ? &after.items[j] : NULL);
    i += side <= 0;
    j += side >= 0;
  }
}

/* ---- A document, and where its counts are ---- */

struct side {
  const struct document *document;
  struct json_path keys[KEY_COUNT], steps, step, index;
  bool tells_copies; /* an older one does not */
};

static void look_up(struct side *side, const struct document *document) {
  const struct json_tree *tree = &document->tree;
  side->document = document;
  for (size_t i = 0; i < KEY_COUNT; ++i)
    side->keys[i] = json_path_of(tree, keys[i].path);
  side->steps = json_path_of(tree, "snn.per_step");
  side->step = json_path_of(tree, "step");
  side->index = json_path_of(tree, "index");
  side->tells_copies = json_find(tree, &tree->root, "copies") != NULL;
}

static void add_name(struct names *names, struct named named, const struct json *thing) {
  named.order = names->count;
  named.thing = thing;
  names->items[names->count++] = named;
}

/* The items of an array; other values have none. */
static struct names items_of(const struct side *side, const struct json *array,
                             struct named (*name_of)(const struct side *, const struct json *)) {
  struct names names = {0};
  if (!json_count(array))
    return names;
  names.items = reallocate(NULL, json_count(array) * sizeof *names.items);
  JSON_EACH(item, array)
    add_name(&names, name_of(side, item), item);
  return names;
}

/* The members of an object, with the defaults. */
static struct names members_of(const struct side *side, const struct json *object) {
  struct names names = {0};
  size_t count = 0;
  JSON_EACH_MEMBER(item, object)
    ++count;
  if (!count)
    return names;
  names.items = reallocate(NULL, count * sizeof *names.items);
  JSON_EACH_MEMBER(item, object)
    add_name(&names, (struct named){.name = json_name(&side->document->tree, item)}, item);
  return names;
}

/* ---- Differences ---- */

/* The current comparison. */
struct place {
  struct comparison *comparison;
  const struct side *before, *after;
  const char *row;   /* its title, as it stands in the document */
  const char *title; /* the comparison's clean copy, once it is needed */
  const struct compared_key *key;
  long long step;
  enum difference_group group;
  bool is_kernel;
};

/* Names come from other people's files. */
static const char *clean_title(struct place *place) {
  struct comparison *comparison = place->comparison;
  struct text text = {0};
  if (place->title)
    return place->title;
  if (comparison->title_count == comparison->title_capacity) {
    comparison->title_capacity = comparison->title_capacity ? 2 * comparison->title_capacity : 64;
    comparison->titles =
        reallocate(comparison->titles, comparison->title_capacity * sizeof *comparison->titles);
  }
  text_plain(&text, place->row);
  place->title = text.data ? text.data : copy_string("");
  comparison->titles[comparison->title_count++] = (char *)place->title;
  return place->title;
}

static void add_difference(struct place *place, struct difference difference) {
  struct comparison *comparison = place->comparison;
  if (comparison->count == comparison->capacity) {
    comparison->capacity = comparison->capacity ? comparison->capacity + comparison->capacity / 2 : 64;
    comparison->items = reallocate(comparison->items, comparison->capacity * sizeof *comparison->items);
  }
  difference.row = clean_title(place);
  difference.step = place->step;
  difference.group = place->group;
  difference.is_kernel = place->is_kernel;
  difference.order = comparison->count;
  comparison->items[comparison->count++] = difference;
}

static void add_one_sided_thing(struct place *place, bool gone, enum compared_fails fails) {
  add_difference(place, (struct difference){.gone = gone, .added = !gone, .fails = fails});
}

static void add_count_name(struct text *out, const struct compared_key *key, const char *member) {
  const char *shown = key->shown, *star = strchr(shown, '*');
  if (!star) {
    text_add(out, shown);
    return;
  }
  text_bytes(out, shown, (size_t)(star - shown));
  text_plain(out, member);
  text_add(out, star + 1);
}

void difference_name(struct text *out, const struct difference *difference) {
  if (difference->group == DIFFERS_UNCOUNTED && !difference->key)
    text_add(out, "uncounted");
  if (difference->step == OTHER_STEPS)
    text_add(out, "other steps");
  else if (difference->step != NO_STEP)
    text_format(out, "step %lld", difference->step);
  if (!difference->key)
    return;
  text_add(out, difference->step != NO_STEP ? ": " : "");
  add_count_name(out, difference->key, difference->member);
}

static void remember_one_sided(struct comparison *comparison, const char *shown) {
  comparison->one_sided++;
  if (!strstr(text_get(&comparison->one_sided_names), shown))
    text_format(&comparison->one_sided_names, "%s%s", comparison->one_sided_names.length ? ", " : "", shown);
}

static void compare_values(struct place *place, const char *member, struct value before, struct value after) {
  struct comparison *comparison = place->comparison;
  const struct compared_key *key = place->key;
  bool absent = before.kind == VALUE_ABSENT || after.kind == VALUE_ABSENT;
  bool same = value_equal(before, after) || (absent && key->shape != NAMED_MEMBERS);
  bool unknown = before.kind == VALUE_UNKNOWN || after.kind == VALUE_UNKNOWN;
  comparison->compared += value_is_number(before) && value_is_number(after);
  if (!same && unknown && key->known == KNOWN_BY_DEVICE)
    remember_one_sided(comparison, key->shown);
  else if (!same)
    add_difference(place, (struct difference){
                              .key = key, .member = member, .before = before, .after = after, .fails = key->fails});
}

static void compare_members(void *state, const struct named *before, const struct named *after) {
  compare_values(state, before ? before->name : after->name, value_of(before ? before->thing : NULL),
                 value_of(after ? after->thing : NULL));
}

static struct value count_in(const struct side *side, const struct compared_key *key, const struct json *count) {
  const bool is_zero = !count && key->known == ZERO_IF_ABSENT && side->tells_copies;
  return is_zero ? (struct value){.kind = VALUE_WHOLE} : value_of(count);
}

static void compare_key(struct place *place, const struct json *before, const struct json *after) {
  size_t key = (size_t)(place->key - keys);
  const struct json *a = json_at(before, &place->before->keys[key]), *b = json_at(after, &place->after->keys[key]);
  if (place->key->shape == ONE_COUNT) {
    if (a || b)
      compare_values(place, "", count_in(place->before, place->key, a), count_in(place->after, place->key, b));
    return;
  }
  struct names names[2] = {members_of(place->before, a), members_of(place->after, b)};
  pair_up(names[0], names[1], compare_members, place);
  free(names[0].items);
  free(names[1].items);
}

static void compare_keys(struct place *place, enum compared_in in, const struct json *before,
                         const struct json *after) {
  for (size_t i = 0; i < KEY_COUNT; ++i) {
    place->key = &keys[i];
    if (keys[i].in & in)
      compare_key(place, before, after);
  }
}

/* ---- Steps ---- */

static struct named step_name(const struct side *side, const struct json *step) {
  struct value number = value_of(json_at(step, &side->step));
  long long shown = number.negative ? -(long long)(number.magnitude - 1) - 1 : (long long)number.magnitude;
  return (struct named){.name = "", .number = number.kind == VALUE_WHOLE ? shown : OTHER_STEPS};
}

static void compare_step(void *state, const struct named *before, const struct named *after) {
  struct place *place = state;
  place->step = before ? before->number : after->number;
  if (before && after)
    compare_keys(place, IN_STEP, before->thing, after->thing);
  else
    add_one_sided_thing(place, before, IF_CHANGED);
}

static void compare_steps(struct place *place, const struct json *before, const struct json *after) {
  struct names names[2] = {items_of(place->before, json_at(before, &place->before->steps), step_name),
                           items_of(place->after, json_at(after, &place->after->steps), step_name)};
  place->group = DIFFERS_STEP;
  pair_up(names[0], names[1], compare_step, place);
  place->step = NO_STEP;
  free(names[0].items);
  free(names[1].items);
}

/* ---- Rows ---- */

/* Both documents, and the findings. */
struct both {
  struct comparison *comparison;
  struct side before, after;
};

static struct place place_of(struct both *both, const char *row) {
  return (struct place){
      .comparison = both->comparison, .before = &both->before, .after = &both->after, .row = row, .step = NO_STEP};
}

static void compare_rows(struct place *place, const struct json *before, const struct json *after,
                         enum compared_fails if_new) {
  place->group = DIFFERS_ROW;
  if (!before || !after) {
    add_one_sided_thing(place, before, before ? IF_CHANGED : if_new);
    return;
  }
  place->group = DIFFERS_COUNT;
  place->comparison->rows++;
  compare_keys(place, IN_ROW, before, after);
  compare_steps(place, before, after);
}

/* A new region divides work counted elsewhere; a new kernel is more work. */
static void compare_entry(void *state, const struct named *before, const struct named *after) {
  const struct entry *a = before ? before->thing : NULL, *b = after ? after->thing : NULL, *one = a ? a : b;
  char *title = one->is_kernel ? entry_title(one) : NULL;
  struct place place = place_of(state, title ? title : one->path);
  place.is_kernel = one->is_kernel;
  compare_rows(&place, a ? a->json : NULL, b ? b->json : NULL, one->is_kernel ? IF_CHANGED : NEVER);
  free(title);
}

static struct names entry_names(const struct entry *entries, size_t count) {
  struct names names = {reallocate(NULL, count * sizeof *names.items), count};
  for (size_t i = 0; i < count; ++i)
    names.items[i] = (struct named){entries[i].path, 0, i, &entries[i]};
  return names;
}

static void compare_entries(struct both *both, const struct entry *before, size_t before_count,
                            const struct entry *after, size_t after_count) {
  struct names names[2] = {entry_names(before, before_count), entry_names(after, after_count)};
  pair_up(names[0], names[1], compare_entry, both);
  free(names[0].items);
  free(names[1].items);
}

/* ---- Devices ---- */

static struct named device_name(const struct side *side, const struct json *device) {
  struct value index = value_of(json_at(device, &side->index));
  return (struct named){.name = "", .number = (long long)(index.magnitude & LLONG_MAX)};
}

static void compare_device(void *state, const struct named *before, const struct named *after) {
  char *title = format_string("device %lld", before ? before->number : after->number);
  struct place place = place_of(state, title);
  compare_rows(&place, before ? before->thing : NULL, after ? after->thing : NULL, IF_CHANGED);
  free(title);
}

/* With a single device, its row repeats the kernels' rows. */
static void compare_devices(struct both *both) {
  const struct json_tree *trees[2] = {&both->before.document->tree, &both->after.document->tree};
  const struct json *before = json_find(trees[0], &trees[0]->root, "devices"),
                    *after = json_find(trees[1], &trees[1]->root, "devices");
  if (!json_count(before) || !json_count(after) || (json_count(before) < 2 && json_count(after) < 2))
    return;
  struct names names[2] = {items_of(&both->before, before, device_name),
                           items_of(&both->after, after, device_name)};
  pair_up(names[0], names[1], compare_device, both);
  free(names[0].items);
  free(names[1].items);
}

/* ---- Uncounted work ---- */

/* Code without its line, which moves with edits; of launches the region's path. */
static size_t place_length(const char *where) {
  const char *colon = strrchr(where, ':');
  bool has_line = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
  return has_line ? (size_t)(colon - where) : strlen(where);
}

static struct names uncounted_names(const struct document *document) {
  struct names names = {allocate(document->uncounted_count * sizeof *names.items), document->uncounted_count};
  const struct json *list = json_find(&document->tree, &document->tree.root, "uncounted");
  for (size_t i = 0; i < names.count; ++i) {
    const struct remark *remark = &document->uncounted[i];
    int length = (int)place_length(remark->about);
    char *name =
        format_string("%s (%s)%s%.*s", remark->text, remark->why, length ? ", " : "", length, remark->about);
    names.items[i] = (struct named){name, 0, i, json_item(list, i)};
  }
  return names;
}

static void free_names(struct names names) {
  for (size_t i = 0; i < names.count; ++i)
    free((char *)names.items[i].name);
  free(names.items);
}

static void compare_uncounted(void *state, const struct named *before, const struct named *after) {
  struct place place = place_of(state, (before ? before : after)->name);
  place.group = DIFFERS_UNCOUNTED;
  if (before && after)
    compare_keys(&place, IN_UNCOUNTED, before->thing, after->thing);
  else
    add_one_sided_thing(&place, before, before ? NEVER : IF_CHANGED);
}

/* ---- The whole run: memory, copies, communication ---- */

static const struct json *root_of(const struct side *side) { return &side->document->tree.root; }
static const struct json *member_of(const struct side *side, const struct json *object, const char *name) {
  return object ? json_find(&side->document->tree, object, name) : NULL;
}

/* Documents of earlier versions have none. */
static void compare_memory(struct both *both) {
  const struct json *before = member_of(&both->before, root_of(&both->before), "memory"),
                    *after = member_of(&both->after, root_of(&both->after), "memory");
  struct place place = place_of(both, "memory");
  place.group = DIFFERS_COUNT;
  if (before && after)
    compare_keys(&place, IN_MEMORY, before, after);
}

/* Documents of before the time line have an empty object. */
static bool has_copies(const struct side *side) {
  return json_count(member_of(side, root_of(side), "copies")) || member_of(side, root_of(side), "timeline.source");
}

/* Also copies outside of all regions. */
static void compare_run(struct both *both) {
  if (!has_copies(&both->before) || !has_copies(&both->after))
    return;
  struct place place = place_of(both, "whole run");
  place.group = DIFFERS_COUNT;
  compare_keys(&place, IN_RUN, root_of(&both->before), root_of(&both->after));
}

static struct named function_name(const struct side *side, const struct json *function) {
  const struct json *name = member_of(side, function, "name");
  return (struct named){.name = name && name->kind == JSON_STRING ? name->string : ""};
}

static void compare_function(void *state, const struct named *before, const struct named *after) {
  struct place place = place_of(state, (before ? before : after)->name);
  place.group = before && after ? DIFFERS_COUNT : DIFFERS_ROW;
  if (before && after)
    compare_keys(&place, IN_FUNCTION, before->thing, after->thing);
  else
    add_one_sided_thing(&place, before, before ? NEVER : IF_CHANGED);
}

static struct names functions_of(const struct side *side) {
  return items_of(side, member_of(side, root_of(side), "communication.functions"), function_name);
}

static void compare_communication(struct both *both) {
  struct names names[2] = {functions_of(&both->before), functions_of(&both->after)};
  pair_up(names[0], names[1], compare_function, both);
  free(names[0].items);
  free(names[1].items);
}

void compare_documents(struct comparison *comparison, const struct document *before,
                       const struct document *after, const struct selection *selection) {
  struct both both = {.comparison = comparison};
  look_up(&both.before, before);
  look_up(&both.after, after);
  if (selection->regions)
    compare_entries(&both, before->regions, before->region_count, after->regions, after->region_count);
  if (selection->kernels) {
    compare_entries(&both, before->kernels, before->kernel_count, after->kernels, after->kernel_count);
    compare_devices(&both);
  }
  compare_memory(&both);
  compare_run(&both);
  compare_communication(&both);
  struct names names[2] = {uncounted_names(before), uncounted_names(after)};
  pair_up(names[0], names[1], compare_uncounted, &both);
  free_names(names[0]);
  free_names(names[1]);
}

void comparison_free(struct comparison *comparison) {
  for (size_t i = 0; i < comparison->title_count; ++i)
    free(comparison->titles[i]);
  free(comparison->titles);
  free(comparison->items);
  text_free(&comparison->one_sided_names);
  memset(comparison, 0, sizeof *comparison);
}

/* ---- Differences kept by a check ---- */

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
  for (size_t i = 0; i < comparison->count; ++i)
    if (is_regression(&comparison->items[i], tolerance))
      comparison->items[kept++] = comparison->items[i];
  comparison->count = kept;
}
