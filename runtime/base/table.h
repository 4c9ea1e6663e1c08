/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hash tables of objects with their own link: adding one needs no memory and cannot fail. Only the holder of
 * the table's lock adds and removes objects. gp_table_first() and gp_table_next() need no lock if objects are
 * never removed. Such a reader may miss an object while the table grows, and asks again under the lock.
 */
#ifndef GP_TABLE_H
#define GP_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct gp_link {
  _Atomic(struct gp_link *) next;
  uint64_t hash;
};

struct gp_buckets {
  struct gp_buckets *older; /* kept for readers still at them */
  size_t mask;
  _Atomic(struct gp_link *) first[];
};

/* All zero: empty. */
struct gp_table {
  _Atomic(struct gp_buckets *) buckets; /* null: all objects are in `only` */
  _Atomic(struct gp_link *) only;
  size_t count;
};

/* The object containing the link. */
#define GP_HOLDER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

/* The first and the next object with this hash; null after the last. */
static inline struct gp_link *gp_table_same(struct gp_link *link, uint64_t hash) {
  while (link && link->hash != hash)
    link = atomic_load_explicit(&link->next, memory_order_acquire);
  return link;
}
static inline struct gp_link *gp_table_next(struct gp_link *link) {
  return gp_table_same(atomic_load_explicit(&link->next, memory_order_acquire), link->hash);
}
static inline struct gp_link *gp_table_first(struct gp_table *table, uint64_t hash) {
  struct gp_buckets *buckets = atomic_load_explicit(&table->buckets, memory_order_acquire);
  _Atomic(struct gp_link *) *first = buckets ? &buckets->first[hash & buckets->mask] : &table->only;
  return gp_table_same(atomic_load_explicit(first, memory_order_acquire), hash);
}

/* Prefetches the memory written by gp_table_add(): other work then hides the latency. */
static inline void gp_table_prefetch(struct gp_table *table, uint64_t hash) {
  struct gp_buckets *buckets = atomic_load_explicit(&table->buckets, memory_order_acquire);
  if (buckets)
    __builtin_prefetch((const void *)&buckets->first[hash & buckets->mask], 1);
}

/* Adds an object with an unused link. Without memory for more buckets the old ones stay. */
void gp_table_add(struct gp_table *table, struct gp_link *link, uint64_t hash);
/* Removes an added object. */
void gp_table_remove(struct gp_table *table, struct gp_link *link);
/* Frees the buckets; the objects are the caller's. */
void gp_table_free(struct gp_table *table);
/* Objects in the fullest bucket: the maximum cost of a look-up. */
size_t gp_table_longest(struct gp_table *table);

/* Null is equal to null alone. */
static inline int gp_same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

uint64_t gp_hash_text(const char *text); /* null: 0 */
uint64_t gp_hash_bytes(const void *bytes, size_t count);
static inline uint64_t gp_hash_mix(uint64_t a, uint64_t b) {
  uint64_t mixed = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 29)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 32);
}
static inline uint64_t gp_hash_pointers(const void *a, const void *b) {
  return gp_hash_mix((uint64_t)(uintptr_t)a, (uint64_t)(uintptr_t)b);
}

#endif
