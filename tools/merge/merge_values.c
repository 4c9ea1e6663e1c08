// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/merge_values.h"

#include <string.h>

/* ---- Sides ---- */

struct side side_member(struct side side, const char *name) {
  const struct json_path path = {{side.value ? json_key_of(side.tree, name) : JSON_NO_KEY}, 1};
  side.value = path.keys[0] != JSON_NO_KEY ? json_at(side.value, &path) : NULL;
  return side;
}

struct side side_at(struct side side, const char *dotted) {
  side.value = side.value ? json_find(side.tree, side.value, dotted) : NULL;
  return side;
}

static struct side with(struct side side, const struct json *value) {
  side.value = value;
  return side;
}

void shared_lists_add(struct shared_lists *shared, const struct json *object) {
  if (!object || object->kind != JSON_OBJECT || !json_count(object) || shared->count == SHARED_LISTS)
    return;
  shared->lists[shared->count++] = object->items;
  JSON_EACH(member, object)
    shared_lists_add(shared, member);
}

static bool is_shared(const struct side *side, const struct json_list *list) {
  for (size_t i = 0; side->shared && i < side->shared->count; ++i)
    if (side->shared->lists[i] == list)
      return true;
  return false;
}

/* The member's value is this one, and not one of a list before it. */
static bool is_value(const struct json *object, const struct json *member) {
  return json_at(object, &(struct json_path){{member->key}, 1}) == member;
}

static const struct json_list *own_list(const struct side *side) {
  return side->value && side->value->kind == JSON_OBJECT ? side->value->items : NULL;
}

/* Among lists that are not shared. */
static bool has_own(struct side side, const char *name) {
  const json_key key = side.value ? json_key_of(side.tree, name) : JSON_NO_KEY;
  for (const struct json_list *list = own_list(&side); key != JSON_NO_KEY && list && !is_shared(&side, list); list = list->defaults)
    for (uint32_t i = 0; list->keys & json_key_bit(key) && i < list->count; ++i)
      if (list->items[i].key == key)
        return true;
  return false;
}

/* Members in lists that are not shared; of the second side those that the first one has not. */
static void each_own_member(struct side side, struct side other, bool is_second, member_visitor *visit, void *closure) {
  for (const struct json_list *list = own_list(&side); list && !is_shared(&side, list); list = list->defaults)
    for (uint32_t i = 0; i < list->count; ++i) {
      const struct json *member = &list->items[i];
      const char *name = json_name(side.tree, member);
      if (!is_value(side.value, member) || (is_second && has_own(other, name)))
        continue;
      const struct side there = side_member(other, name);
      visit(closure, name, is_second ? there : with(side, member), is_second ? with(side, member) : there);
    }
}

void sides_each_member(struct side a, struct side b, member_visitor *visit, void *closure) {
  each_own_member(a, b, false, visit, closure);
  each_own_member(b, a, true, visit, closure);
}

/* ---- Copies ---- */

static void copy_items(struct gp_json *json, struct side side) {
  JSON_EACH(item, side.value)
    copy_value(json, NULL, with(side, item));
}

static void copy_members(struct gp_json *json, struct side side) {
  JSON_EACH_MEMBER(member, side.value)
    copy_value(json, json_name(side.tree, member), with(side, member));
}

/* Values in values deeper than the writer can: the document is not written. */
static bool is_too_deep(struct gp_json *json) {
  const bool too_deep = json->depth + 2 >= GP_JSON_DEPTH;
  json->failed |= too_deep;
  return too_deep;
}

void copy_value(struct gp_json *json, const char *key, struct side side) {
  const struct json *value = side.value;
  if (is_too_deep(json))
    return;
  switch (value ? value->kind : JSON_NULL) {
  case JSON_NULL: gp_json_null(json, key); break;
  case JSON_BOOLEAN: gp_json_boolean(json, key, value->boolean); break;
  case JSON_WHOLE: gp_json_unsigned(json, key, value->magnitude); break;
  case JSON_NEGATIVE: gp_json_signed(json, key, -(int64_t)(value->magnitude - 1) - 1); break;
  case JSON_REAL: gp_json_real(json, key, value->real); break;
  case JSON_STRING: gp_json_text(json, key, value->string); break;
  case JSON_ARRAY:
    gp_json_array(json, key);
    copy_items(json, side);
    gp_json_close_array(json);
    break;
  case JSON_OBJECT:
    gp_json_object(json, key);
    copy_members(json, side);
    gp_json_close_object(json);
    break;
  }
}

/* ---- Numbers ---- */

enum rule { SUM, LARGEST, SMALLEST, SAME };

static bool begins(const char *name, const char *word) { return !strncmp(name, word, strlen(word)); }
static bool ends(const char *name, const char *word) {
  const size_t length = strlen(name), tail = strlen(word);
  return length >= tail && !strcmp(name + length - tail, word);
}

static enum rule rule_of(const char *name) {
  static const char *const same_ends[] = {"_percent", "_ratio", "share",   "_per_second", "_hz",   "average", "mean",       "median",
                                          "p95",      "rate",   "density", "index",       "line",  "theoretical", "achieved", "version",
                                          "warmup",   "efficiency", "per_request", "overlap", "_watts"};
  if (begins(name, "peak") || begins(name, "max") || begins(name, "largest") || ends(name, "_max"))
    return LARGEST;
  if (begins(name, "min") || ends(name, "_min"))
    return SMALLEST;
  for (size_t i = 0; i < sizeof same_ends / sizeof *same_ends; ++i)
    if (ends(name, same_ends[i]))
      return SAME;
  return SUM;
}

static bool is_number(const struct json *value) {
  return value->kind == JSON_WHOLE || value->kind == JSON_NEGATIVE || value->kind == JSON_REAL;
}

static double real_of(const struct json *value) {
  return value->kind == JSON_REAL ? value->real : value->kind == JSON_NEGATIVE ? -(double)value->magnitude : (double)value->magnitude;
}

static int64_t signed_of(const struct json *value) {
  return value->kind == JSON_NEGATIVE ? -(int64_t)(value->magnitude - 1) - 1 : (int64_t)value->magnitude;
}

/* Whole sums are exact; beyond 64 bits they are not known. */
static void add_up(struct gp_json *json, const char *key, const struct json *a, const struct json *b) {
  uint64_t sum;
  int64_t balance;
  if (a->kind == JSON_REAL || b->kind == JSON_REAL)
    gp_json_real(json, key, real_of(a) + real_of(b));
  else if (a->kind == JSON_WHOLE && b->kind == JSON_WHOLE && !__builtin_add_overflow(a->magnitude, b->magnitude, &sum))
    gp_json_unsigned(json, key, sum);
  else if (a->magnitude <= INT64_MAX && b->magnitude <= INT64_MAX && !__builtin_add_overflow(signed_of(a), signed_of(b), &balance))
    gp_json_signed(json, key, balance);
  else
    gp_json_null(json, key);
}

static void merge_numbers(struct gp_json *json, const char *key, struct side a, struct side b) {
  const double left = real_of(a.value), right = real_of(b.value);
  const enum rule rule = left == 0 && right == 0 ? SAME : rule_of(key ? key : "");
  if (rule == SUM)
    add_up(json, key, a.value, b.value);
  else if (rule == LARGEST || rule == SMALLEST)
    copy_value(json, key, (left < right) == (rule == LARGEST) ? b : a);
  else if (left == right)
    copy_value(json, key, a);
  else
    gp_json_null(json, key);
}

/* ---- Lists ---- */

static const char *name_of(struct side item) { return string_of(side_member(item, "name").value); }

static bool are_named(struct side list) {
  JSON_EACH(item, list.value)
    if (item->kind != JSON_OBJECT || !*name_of(with(list, item)))
      return false;
  return true;
}

static struct side find_named(struct side list, const char *name) {
  JSON_EACH(item, list.value)
    if (!strcmp(name_of(with(list, item)), name))
      return with(list, item);
  return with(list, NULL);
}

static void merge_named(struct gp_json *json, struct side a, struct side b) {
  JSON_EACH(item, a.value)
    merge_values(json, NULL, with(a, item), find_named(b, name_of(with(a, item))));
  JSON_EACH(item, b.value)
    if (!find_named(a, name_of(with(b, item))).value)
      copy_value(json, NULL, with(b, item));
}

static void merge_lists(struct gp_json *json, const char *key, struct side a, struct side b) {
  gp_json_array(json, key);
  if (are_named(a) && are_named(b)) {
    merge_named(json, a, b);
  } else {
    copy_items(json, a);
    copy_items(json, b);
  }
  gp_json_close_array(json);
}

/* ---- All values ---- */

static void visit_member(void *json, const char *name, struct side a, struct side b) { merge_values(json, name, a, b); }

static void merge_texts(struct gp_json *json, const char *key, struct side a, struct side b) {
  const bool is_text = a.value->kind == JSON_STRING;
  if (is_text ? !strcmp(a.value->string, b.value->string) : a.value->boolean == b.value->boolean)
    copy_value(json, key, a);
  else
    gp_json_null(json, key);
}

void merge_values(struct gp_json *json, const char *key, struct side a, struct side b) {
  if (is_too_deep(json))
    return;
  if (!a.value || !b.value) {
    copy_value(json, key, a.value ? a : b);
  } else if (a.value->kind == JSON_NULL || b.value->kind == JSON_NULL) {
    const bool a_is_nothing = a.value->kind == JSON_NULL && a.idle, b_is_nothing = b.value->kind == JSON_NULL && b.idle;
    copy_value(json, key, a_is_nothing ? b : b_is_nothing || a.value->kind == JSON_NULL ? a : b);
  } else if (is_number(a.value) && is_number(b.value)) {
    merge_numbers(json, key, a, b);
  } else if (a.value->kind != b.value->kind) {
    gp_json_null(json, key);
  } else if (a.value->kind == JSON_ARRAY) {
    merge_lists(json, key, a, b);
  } else if (a.value->kind == JSON_OBJECT) {
    gp_json_object(json, key);
    sides_each_member(a, b, visit_member, json);
    gp_json_close_object(json);
  } else {
    merge_texts(json, key, a, b);
  }
}

/* ---- Derived numbers ---- */

struct number sum_at(struct side a, struct side b, const char *dotted) {
  const struct side sides[] = {side_at(a, dotted), side_at(b, dotted)};
  struct number sum = {false, 0};
  for (size_t i = 0; i < 2; ++i) {
    const struct number one = number_of(sides[i].value);
    if (!one.known && sides[i].value && !sides[i].idle)
      return (struct number){false, 0};
    sum.known |= one.known;
    sum.value += one.known ? one.value : 0;
  }
  return sum;
}

struct number quotient(struct number a, struct number b) {
  const bool known = a.known && b.known && b.value != 0;
  return (struct number){known, known ? a.value / b.value : 0};
}

void write_number(struct gp_json *json, const char *key, struct number number) {
  if (number.known)
    gp_json_rounded(json, key, number.value);
  else
    gp_json_null(json, key);
}
