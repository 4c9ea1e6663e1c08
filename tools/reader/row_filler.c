// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/row_filler.h"

#include "common/text.h"
#include "reader/json_store.h"
#include "reader/value.h"

#include <stdlib.h>
#include <string.h>

/* Limit of members shared by rows: a small document must not become a large tree. */
#define MOST_DEFAULTS 1024
#define MOST_SHARED 64 /* from the row around */
#define MOST_COLUMNS 16
/* Nested objects of a filled-in row. */
#define MOST_DEPTH 8
/* Paths are longer than their sources, but in no document of a program by so much. */
#define PATHS_OVER_TEXT 16
#define PATHS_AT_LEAST ((size_t)16 << 20)

/* ---- Every row, enclosing rows first ---- */

/* Rows with the next one to visit, and the enclosing row. */
struct level {
  const struct json *rows, *around;
  size_t next;
};

struct walk {
  struct level *levels; /* the innermost last */
  size_t depth, capacity;
};

typedef bool (*row_function)(void *closure, struct json *row, const struct json *around);

/* The tree is its reader's alone, as long as it is filled in. */
static struct json *editable(const struct json *value) { return (struct json *)(uintptr_t)value; }

static void push_level(struct walk *walk, const struct json *rows, const struct json *around) {
  if (!rows || rows->kind != JSON_ARRAY || !json_count(rows))
    return;
  if (walk->depth == walk->capacity) {
    walk->capacity = walk->capacity ? 2 * walk->capacity : 16;
    walk->levels = reallocate(walk->levels, walk->capacity * sizeof *walk->levels);
  }
  walk->levels[walk->depth++] = (struct level){rows, around, 0};
}

static bool each_row_of(struct json_tree *tree, const char *list, row_function function, void *closure) {
  const struct json_path children = json_path_of(tree, "children");
  struct walk walk = {0};
  bool good = true;
  push_level(&walk, json_find(tree, &tree->root, list), NULL);
  while (good && walk.depth) {
    struct level *level = &walk.levels[walk.depth - 1];
    if (level->next == json_count(level->rows)) {
      --walk.depth;
      continue;
    }
    struct json *row = editable(json_item(level->rows, level->next++));
    if (row->kind != JSON_OBJECT)
      continue;
    good = function(closure, row, level->around);
    push_level(&walk, json_at(row, &children), row);
  }
  free(walk.levels);
  return good;
}

static bool each_row(struct json_tree *tree, row_function function, void *closure) {
  return each_row_of(tree, "regions", function, closure) && each_row_of(tree, "kernels", function, closure);
}

static bool refuse(struct filler_error *error, uint32_t offset, const char *what) {
  *error = (struct filler_error){offset, what};
  return false;
}

/* ---- Defaults of objects ---- */

static const struct json *member(const struct json *object, json_key key) {
  return json_at(object, &(struct json_path){{key}, 1});
}

/* Without its defaults. */
static const struct json *own_member(const struct json *object, json_key key) {
  if (!json_count(object) || !(object->items->keys & json_key_bit(key)))
    return NULL;
  JSON_EACH(value, object)
    if (value->key == key)
      return value;
  return NULL;
}

static bool is_object(const struct json *value) { return value && value->kind == JSON_OBJECT; }

/* Gives an object its defaults. */
static void set_defaults(const struct json_tree *tree, struct json *object, const struct json_list *defaults) {
  if (json_count(object))
    ((struct json_list *)(uintptr_t)object->items)->defaults = defaults;
  else
    object->items = store_list_over(tree->store, NULL, 0, defaults);
}

static json_key key_of(const struct json_tree *tree, const char *name) {
  json_key key;
  store_string(tree->store, name, strlen(name), &key);
  return key;
}

/* ---- Arrays with named columns ---- */

struct columns {
  struct json_path place; /* of the arrays, in a row */
  json_key names[MOST_COLUMNS];
  const struct json_list *defaults;
  size_t count;
};

struct namer {
  struct json_tree *tree;
  const struct json *files;
  json_key file;
  struct columns lines, steps;
  struct filler_error *error;
};

/* A value under the name of its column; a file may be the number of one. */
static bool name_value(struct namer *namer, struct json *value, json_key name) {
  const struct value number = value_of(value);
  const uint32_t offset = value->offset;
  if (name == namer->file && number.kind == VALUE_WHOLE) {
    if (number.negative || number.magnitude >= json_count(namer->files))
      return refuse(namer->error, offset, "is the number of no file in 'rows'");
    *value = *json_item(namer->files, number.magnitude);
    value->offset = offset;
  }
  value->key = name;
  return true;
}

static bool read_columns(struct namer *namer, const char *place, const char *reading, struct columns *columns) {
  const struct json_tree *tree = namer->tree;
  const struct json *table = json_find(tree, &tree->root, reading);
  const struct json *names = table ? json_find(tree, table, "columns") : NULL,
                    *defaults = table ? json_find(tree, table, "defaults") : NULL;
  struct json values[MOST_COLUMNS];
  columns->place = json_path_of(tree, place);
  columns->count = json_count(names);
  if (columns->count > MOST_COLUMNS)
    return refuse(namer->error, names->offset, "has more names of columns than there are");
  for (size_t i = 0; i < columns->count; ++i) {
    const struct json *name = json_item(names, i);
    if (name->kind != JSON_STRING)
      return refuse(namer->error, name->offset, "must be the name of a column");
    columns->names[i] = key_of(tree, name->string);
    values[i] = *json_item(defaults, i);
    if (columns->names[i] == namer->file && !json_count(namer->files))
      values[i].kind = JSON_NULL;
    if (!name_value(namer, &values[i], columns->names[i]))
      return false;
  }
  columns->defaults = store_list(tree->store, values, columns->count);
  return true;
}

static bool name_values(struct namer *namer, const struct columns *columns, struct json *item) {
  size_t column = 0;
  if (json_count(item) > columns->count)
    return refuse(namer->error, item->offset, "has more values than 'rows' has names of columns");
  JSON_EACH(value, item)
    if (!name_value(namer, editable(value), columns->names[column++]))
      return false;
  if (json_count(item))
    store_mark_keys((struct json_list *)(uintptr_t)item->items);
  item->kind = JSON_OBJECT;
  set_defaults(namer->tree, item, columns->defaults);
  return true;
}

static bool name_arrays(struct namer *namer, const struct columns *columns, const struct json *row) {
  const struct json *arrays = json_at(row, &columns->place);
  if (!arrays || arrays->kind != JSON_ARRAY)
    return true;
  JSON_EACH(item, arrays)
    if (item->kind == JSON_ARRAY && !name_values(namer, columns, editable(item)))
      return false;
  return true;
}

static bool name_row(void *closure, struct json *row, const struct json *around) {
  struct namer *namer = closure;
  (void)around;
  return name_arrays(namer, &namer->lines, row) && name_arrays(namer, &namer->steps, row);
}

bool rows_name_columns(struct json_tree *tree, struct filler_error *error) {
  struct namer namer = {
      .tree = tree, .error = error, .files = json_find(tree, &tree->root, "rows.files"), .file = key_of(tree, "file")};
  return read_columns(&namer, "lines", "rows.lines", &namer.lines) &&
         read_columns(&namer, "snn.per_step", "rows.per_step", &namer.steps) && each_row(tree, name_row, &namer);
}

/* ---- Members left out by rows ---- */

/* Members of objects that are the object's total if left out. */
static const char *const spread_names[] = {"min", "median", "p95", "max", "exclusive"};
#define SPREAD (sizeof spread_names / sizeof *spread_names)
static const struct {
  const char *object, *total;
  size_t spread; /* the first names above */
} totals[] = {{"time_ns", "total", SPREAD - 1}, {"host_time_ns", "inclusive", SPREAD}};
#define TOTALS (sizeof totals / sizeof *totals)

struct filler {
  struct json_tree *tree;
  struct filler_error *error;
  const struct json *defaults, *sites;
  json_key name, path, parent, site, children;
  json_key totals[TOTALS], total_members[TOTALS], spread[SPREAD];
  json_key inherited[MOST_SHARED];
  size_t inherited_count;
  char *joined;
  size_t joined_capacity, paths_left;
};

static const struct json_list *default_list(const struct filler *filler) {
  return filler->defaults ? filler->defaults->items : NULL;
}

/* Gives the objects in a row, or in its objects, their defaults. */
static void fill_objects(struct filler *filler, const struct json *object, const struct json *defaults, unsigned depth) {
  JSON_EACH(value, object) {
    const struct json *likewise = is_object(value) ? member(defaults, value->key) : NULL;
    if (!is_object(likewise))
      continue;
    set_defaults(filler->tree, editable(value), likewise->items);
    if (depth < MOST_DEPTH)
      fill_objects(filler, value, likewise, depth + 1);
  }
}

static void fill_total(struct filler *filler, struct json *time, size_t which) {
  const struct json *total = is_object(time) ? member(time, filler->total_members[which]) : NULL;
  struct json members[SPREAD];
  const size_t count = totals[which].spread;
  if (!total)
    return;
  for (size_t i = 0; i < count; ++i) {
    members[i] = *total;
    members[i].key = filler->spread[i];
  }
  set_defaults(filler->tree, time, store_list_over(filler->tree->store, members, count, time->items->defaults));
}

/* A row's own objects with a total. */
struct own_totals {
  const struct json *objects[TOTALS];
};

static struct own_totals own_totals_of(const struct filler *filler, const struct json *row) {
  struct own_totals own;
  for (size_t i = 0; i < TOTALS; ++i)
    own.objects[i] = row ? own_member(row, filler->totals[i]) : NULL;
  return own;
}

static void fill_totals(struct filler *filler, struct own_totals own) {
  for (size_t i = 0; i < TOTALS; ++i)
    if (own.objects[i])
      fill_total(filler, editable(own.objects[i]), i);
}

/* The site of a row, or null. */
static bool find_site(const struct filler *filler, const struct json *row, const struct json **site) {
  const struct json *named = own_member(row, filler->site);
  const struct value number = value_of(named);
  *site = NULL;
  if (number.kind != VALUE_WHOLE)
    return true;
  if (number.negative || number.magnitude >= json_count(filler->sites))
    return refuse(filler->error, named->offset, "is the number of no site in 'rows'");
  *site = json_item(filler->sites, number.magnitude);
  return true;
}

/* "around/name", as a string in the row's place. */
static bool join_path(struct filler *filler, const struct json *row, const struct json *around, const char *name,
                      struct json *path) {
  const struct json *before = around ? member(around, filler->path) : NULL;
  const size_t ahead = before && before->kind == JSON_STRING ? strlen(before->string) + 1 : 0, behind = strlen(name);
  json_key key;
  if (ahead + behind > filler->paths_left)
    return refuse(filler->error, row->offset, "has a path that is too long");
  filler->paths_left -= ahead + behind;
  if (ahead + behind > filler->joined_capacity) {
    filler->joined_capacity = 2 * (ahead + behind);
    filler->joined = reallocate(filler->joined, filler->joined_capacity);
  }
  if (ahead) {
    memcpy(filler->joined, before->string, ahead - 1);
    filler->joined[ahead - 1] = '/';
  }
  memcpy(filler->joined + ahead, name, behind);
  const char *string = store_string(filler->tree->store, filler->joined ? filler->joined : "", ahead + behind, &key);
  *path = (struct json){.kind = JSON_STRING, .key = filler->path, .offset = row->offset, .string = string};
  return true;
}

/* Null, and so by default. */
static bool is_default(const struct filler *filler, const struct json *value) {
  const struct json *known = value->kind == JSON_NULL && filler->defaults ? own_member(filler->defaults, value->key) : NULL;
  return known && known->kind == JSON_NULL;
}

/* Members from the enclosing rows. The row's own members and its site's have precedence, then these, then defaults. */
static bool fill_row(void *closure, struct json *row, const struct json *around) {
  struct filler *filler = closure;
  const struct json *site, *name = own_member(row, filler->name),
                           *parent = around ? member(around, filler->path) : NULL;
  const struct own_totals own = own_totals_of(filler, row);
  struct json given[MOST_SHARED + 2];
  size_t count = 0;
  if (!find_site(filler, row, &site))
    return false;
  if (site || filler->defaults)
    fill_objects(filler, row, site ? site : filler->defaults, 0);
  for (size_t i = 0; around && i < filler->inherited_count; ++i) {
    const struct json *value = own_member(site, filler->inherited[i]) ? NULL : member(around, filler->inherited[i]);
    if (value && !own_member(row, filler->inherited[i]) && !is_default(filler, value))
      given[count++] = *value;
  }
  if (parent) {
    given[count] = *parent;
    given[count++].key = filler->parent;
  }
  if (name && name->kind == JSON_STRING && !own_member(row, filler->path) &&
      !join_path(filler, row, around, name->string, &given[count++]))
    return false;
  set_defaults(filler->tree, row, store_list_over(filler->tree->store, given, count, site ? site->items : default_list(filler)));
  fill_totals(filler, own);
  return true;
}

/* Members of an object and of nested ones, and items of its arrays, up to `most`. */
static size_t member_count(const struct json *object, size_t most, unsigned depth) {
  size_t count = json_count(object);
  if (!is_object(object) || count > most || depth == MOST_DEPTH)
    return count;
  JSON_EACH(value, object)
    count += is_object(value) ? member_count(value, most, depth + 1) : json_count(value);
  return count;
}

/* Rows in rows are each row's own: shared ones would have no end. */
static bool is_sharable(struct filler *filler, const struct json *object, size_t most) {
  if (!object || (member_count(object, most, 0) <= most && !json_count(own_member(object, filler->children))))
    return true;
  return refuse(filler->error, object->offset, "has more members than rows can share, or children");
}

static bool read_inherited(struct filler *filler) {
  const struct json_tree *tree = filler->tree;
  JSON_EACH(name, json_find(tree, &tree->root, "rows.inherited")) {
    const json_key key = key_of(tree, name->string);
    if (key == filler->children || filler->inherited_count == MOST_SHARED)
      return refuse(filler->error, name->offset, "is no member that a row can have from the row around it");
    filler->inherited[filler->inherited_count++] = key;
  }
  return true;
}

/* A site lacks its unchanged defaults, and so do its objects. */
static bool fill_site(struct filler *filler, struct json *site) {
  const struct own_totals own = own_totals_of(filler, site);
  if (!is_sharable(filler, site, MOST_DEFAULTS))
    return false;
  if (filler->defaults)
    fill_objects(filler, site, filler->defaults, 0);
  set_defaults(filler->tree, site, default_list(filler));
  fill_totals(filler, own);
  return true;
}

static bool read_shared(struct filler *filler) {
  const struct json_tree *tree = filler->tree;
  filler->defaults = json_find(tree, &tree->root, "rows.defaults");
  filler->sites = json_find(tree, &tree->root, "rows.sites");
  if (!is_sharable(filler, filler->defaults, MOST_DEFAULTS))
    return false;
  fill_totals(filler, own_totals_of(filler, filler->defaults));
  JSON_EACH(site, filler->sites)
    if (!fill_site(filler, editable(site)))
      return false;
  return read_inherited(filler);
}

static void look_up(struct filler *filler) {
  const struct json_tree *tree = filler->tree;
  filler->name = key_of(tree, "name");
  filler->path = key_of(tree, "path");
  filler->parent = key_of(tree, "parent");
  filler->site = key_of(tree, "site");
  for (size_t i = 0; i < TOTALS; ++i) {
    filler->totals[i] = key_of(tree, totals[i].object);
    filler->total_members[i] = key_of(tree, totals[i].total);
  }
  filler->children = key_of(tree, "children");
  for (size_t i = 0; i < SPREAD; ++i)
    filler->spread[i] = key_of(tree, spread_names[i]);
}

bool rows_fill(struct json_tree *tree, size_t length, struct filler_error *error) {
  struct filler filler = {.tree = tree, .error = error, .paths_left = PATHS_OVER_TEXT * length + PATHS_AT_LEAST};
  look_up(&filler);
  const bool good = read_shared(&filler) && each_row(tree, fill_row, &filler);
  free(filler.joined);
  return good;
}
