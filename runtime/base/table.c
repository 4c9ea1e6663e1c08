// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/table.h"

#include "prefault.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 16u

static _Atomic(struct gp_link *) *bucket_of(struct gp_table *table, uint64_t hash) {
  struct gp_buckets *buckets = atomic_load_explicit(&table->buckets, memory_order_relaxed);
  return buckets ? &buckets->first[hash & buckets->mask] : &table->only;
}

static void push(_Atomic(struct gp_link *) *bucket, struct gp_link *link) {
  atomic_store_explicit(&link->next, atomic_load_explicit(bucket, memory_order_relaxed), memory_order_release);
  atomic_store_explicit(bucket, link, memory_order_release);
}

/* Objects move one by one to the new buckets. A reader standing at one of them may miss others; its chain
 * always ends. */
static void move_chain(struct gp_buckets *to, _Atomic(struct gp_link *) *from) {
  for (struct gp_link *link = atomic_load(from), *next; link; link = next) {
    next = atomic_load(&link->next);
    push(&to->first[link->hash & to->mask], link);
  }
}

static void grow(struct gp_table *table) {
  struct gp_buckets *old = atomic_load(&table->buckets);
  const size_t count = old ? 2 * (old->mask + 1) : FIRST_BUCKETS;
  struct gp_buckets *larger = calloc(1, sizeof *larger + count * sizeof *larger->first);
  if (!larger)
    return;
  gp_prefault(larger, count * sizeof *larger->first);
  larger->mask = count - 1;
  larger->older = old;
  for (size_t i = 0; old && i <= old->mask; i++)
    move_chain(larger, &old->first[i]);
  if (!old)
    move_chain(larger, &table->only);
  atomic_store_explicit(&table->buckets, larger, memory_order_release);
}

void gp_table_add(struct gp_table *table, struct gp_link *link, uint64_t hash) {
  const struct gp_buckets *buckets = atomic_load(&table->buckets);
  if (table->count >= (buckets ? (buckets->mask + 1) / 2 : FIRST_BUCKETS / 2))
    grow(table);
  link->hash = hash;
  push(bucket_of(table, hash), link);
  table->count++;
}

void gp_table_remove(struct gp_table *table, struct gp_link *link) {
  _Atomic(struct gp_link *) *at = bucket_of(table, link->hash);
  for (struct gp_link *here; (here = atomic_load(at)) && here != link;)
    at = &here->next;
  if (!atomic_load(at))
    return;
  atomic_store(at, atomic_load(&link->next));
  table->count--;
}

void gp_table_free(struct gp_table *table) {
  for (struct gp_buckets *buckets = atomic_load(&table->buckets), *older; buckets; buckets = older) {
    older = buckets->older;
    free(buckets);
  }
  atomic_store(&table->buckets, NULL);
  atomic_store(&table->only, NULL);
  table->count = 0;
}

static size_t length_of(struct gp_link *link) {
  size_t length = 0;
  for (; link; link = atomic_load(&link->next))
    length++;
  return length;
}

size_t gp_table_longest(struct gp_table *table) {
  struct gp_buckets *buckets = atomic_load(&table->buckets);
  if (!buckets)
    return length_of(atomic_load(&table->only));
  size_t longest = 0;
  for (size_t i = 0; i <= buckets->mask; i++) {
    const size_t length = length_of(atomic_load(&buckets->first[i]));
    longest = length > longest ? length : longest;
  }
  return longest;
}

uint64_t gp_hash_bytes(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t hash = count, word;
  for (; count >= sizeof word; at += sizeof word, count -= sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = gp_hash_mix(hash, word);
  }
  word = 0;
  memcpy(&word, at, count);
  return gp_hash_mix(hash, word);
}

uint64_t gp_hash_text(const char *text) { return text ? gp_hash_bytes(text, strlen(text)) : 0; }
