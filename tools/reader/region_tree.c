// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/region_tree.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY SIZE_MAX

struct node {
  size_t parent, first_child, last_child, next; /* next: the sibling behind it */
  unsigned depth;
  bool is_root;
};

/* ---- Parents by their paths ---- */

/* The first entry of a path; strings of one document are equal where their pointers are. */
struct place {
  const char *path;
  size_t index;
};

struct places {
  struct place *slots;
  size_t mask;
};

static size_t slot_of(const struct places *places, const char *path) {
  size_t slot = ((uintptr_t)path >> 3) * (size_t)0x9E3779B97F4A7C15u >> 20 & places->mask;
  while (places->slots[slot].path && places->slots[slot].path != path)
    slot = (slot + 1) & places->mask;
  return slot;
}

static struct places places_of(const struct entry *entries, size_t count) {
  struct places places = {.mask = 1};
  while (places.mask < 2 * count)
    places.mask *= 2;
  places.slots = allocate(places.mask * sizeof *places.slots);
  --places.mask;
  for (size_t i = 0; i < count; ++i) {
    size_t slot = slot_of(&places, entries[i].path);
    if (!places.slots[slot].path)
      places.slots[slot] = (struct place){entries[i].path, i};
  }
  return places;
}

static size_t parent_of(const struct places *places, const struct entry *entries, size_t index) {
  const struct entry *entry = &entries[index];
  if (entry->parent_index != NOBODY || !*entry->parent)
    return entry->parent_index;
  size_t slot = slot_of(places, entry->parent);
  return places->slots[slot].path && places->slots[slot].index != index ? places->slots[slot].index : NOBODY;
}

/* ---- The tree ---- */

static void add_child(struct node *nodes, size_t parent, size_t child) {
  size_t last = nodes[parent].last_child;
  if (last == NOBODY)
    nodes[parent].first_child = child;
  else
    nodes[last].next = child;
  nodes[parent].last_child = child;
}

static struct node *link_nodes(const struct entry *entries, size_t count) {
  struct node *nodes = allocate(count * sizeof *nodes);
  struct places places = places_of(entries, count);
  for (size_t i = 0; i < count; ++i)
    nodes[i] = (struct node){parent_of(&places, entries, i), NOBODY, NOBODY, NOBODY, 0, false};
  for (size_t i = 0; i < count; ++i)
    if (nodes[i].parent != NOBODY)
      add_child(nodes, nodes[i].parent, i);
  free(places.slots);
  return nodes;
}

struct order {
  struct node *nodes;
  size_t filled, *places; /* places: where each entry goes, NOBODY: not known yet */
};

static void put(struct order *order, size_t index, bool is_root) {
  struct node *node = &order->nodes[index];
  node->is_root = is_root;
  node->depth = is_root ? 0 : order->nodes[node->parent].depth + 1;
  order->places[index] = order->filled++;
}

/* The first of `index` and its later siblings without a place. */
static size_t without_place(const struct order *order, size_t index) {
  while (index != NOBODY && order->places[index] != NOBODY)
    index = order->nodes[index].next;
  return index;
}

/* The entry behind `index` in the tree below `root`, or NOBODY; none is visited twice. */
static size_t following(const struct order *order, size_t index, size_t root) {
  size_t found = without_place(order, order->nodes[index].first_child);
  for (; found == NOBODY && index != root; index = order->nodes[index].parent)
    found = without_place(order, order->nodes[index].next);
  return found;
}

static void put_tree(struct order *order, size_t root) {
  put(order, root, true);
  for (size_t at = following(order, root, root); at != NOBODY; at = following(order, at, root))
    put(order, at, false);
}

static void find_places(struct order *order, size_t count) {
  for (size_t i = 0; i < count; ++i)
    order->places[i] = NOBODY;
  for (int in_circles = 0; in_circles <= 1; ++in_circles)
    for (size_t i = 0; i < count; ++i)
      if (order->places[i] == NOBODY && (in_circles || order->nodes[i].parent == NOBODY))
        put_tree(order, i);
}

static void fill_in(const struct order *order, struct entry *entry, size_t index) {
  const struct node *node = &order->nodes[index];
  entry->parent_index = node->is_root ? NOBODY : order->places[node->parent];
  entry->depth = node->depth;
  entry->last = node->is_root || node->next == NOBODY;
}

/* Entries already in order, as in the documents of programs, are not copied. */
static void move(const struct order *order, struct entry *entries, size_t count) {
  size_t moved = 0;
  for (size_t i = 0; i < count; ++i)
    moved += order->places[i] != i;
  if (!moved)
    return;
  struct entry *ordered = reallocate(NULL, count * sizeof *ordered);
  for (size_t i = 0; i < count; ++i)
    ordered[order->places[i]] = entries[i];
  memcpy(entries, ordered, count * sizeof *ordered);
  free(ordered);
}

/* ---- Entries already in order, as in the documents of programs ---- */

/* The entry at `index`, or one around it, is `parent`. */
static bool is_within(const struct entry *entries, size_t index, size_t parent) {
  while (index != NOBODY && index > parent)
    index = entries[index].parent_index;
  return index == parent;
}

/* Each stands right behind its parent, or behind a sibling and its
 * content. Takes linear time: entries passed once are never visited again. */
static bool is_ordered(const struct entry *entries, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const size_t parent = entries[i].parent_index;
    const bool is_root = parent == NOBODY;
    if (is_root ? *entries[i].parent != 0 : parent >= i || !is_within(entries, i - 1, parent))
      return false;
  }
  return true;
}

static void fill_ordered(struct entry *entries, size_t count) {
  bool *has_later = allocate(count * sizeof *has_later); /* children behind the current one */
  for (size_t i = count; i-- > 0;) {
    const size_t parent = entries[i].parent_index;
    entries[i].last = parent == NOBODY || !has_later[parent];
    if (parent != NOBODY)
      has_later[parent] = true;
  }
  for (size_t i = 0; i < count; ++i)
    entries[i].depth = entries[i].parent_index == NOBODY ? 0 : entries[entries[i].parent_index].depth + 1;
  free(has_later);
}

void region_tree_order(struct entry *entries, size_t count) {
  if (is_ordered(entries, count)) {
    fill_ordered(entries, count);
    return;
  }
  struct order order = {link_nodes(entries, count), 0, reallocate(NULL, count * sizeof *order.places)};
  find_places(&order, count);
  for (size_t i = 0; i < count; ++i)
    fill_in(&order, &entries[i], i);
  move(&order, entries, count);
  free(order.places);
  free(order.nodes);
}
