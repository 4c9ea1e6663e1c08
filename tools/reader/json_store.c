// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/json_store.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Each block is twice the one before it, between these. */
#define LEAST_BLOCK ((size_t)1 << 14)
#define MOST_BLOCK ((size_t)1 << 23)

struct block {
  struct block *next;
  size_t used, size;
  _Alignas(16) char bytes[];
};

struct json_store {
  struct block *blocks;
  size_t block_bytes; /* of the next block */
  char *scratch;
  size_t scratch_size;
  const char **strings; /* by key; the first, JSON_NO_KEY, is "" */
  uint32_t *lengths;
  size_t string_count, string_capacity;
  json_key *slots; /* open addressing, a power of two */
  size_t slot_count;
  uint64_t seed; /* keeps documents from filling one chain of slots on purpose */
};

static void *take(struct json_store *store, size_t bytes) {
  struct block *block = store->blocks;
  bytes = (bytes + 7) & ~(size_t)7;
  if (!block || block->size - block->used < bytes) {
    bool is_large = bytes > store->block_bytes / 4;
    size_t size = is_large ? bytes : store->block_bytes;
    struct block *fresh = reallocate(NULL, sizeof *fresh + size);
    advise_large_pages(fresh, sizeof *fresh + size);
    fresh->used = 0;
    fresh->size = size;
    if (store->block_bytes < MOST_BLOCK)
      store->block_bytes *= 2;
    /* A block for one large thing goes behind the current one, which still has room. */
    struct block **place = block && is_large ? &block->next : &store->blocks;
    fresh->next = *place;
    *place = fresh;
    block = fresh;
  }
  void *result = block->bytes + block->used;
  block->used += bytes;
  return result;
}

struct json_store *store_new(void) {
  struct json_store *store = allocate(sizeof *store);
  store->block_bytes = LEAST_BLOCK;
  if (getrandom(&store->seed, sizeof store->seed, GRND_NONBLOCK) < 0)
    store->seed = (uint64_t)(uintptr_t)store;
  store->slot_count = 1024;
  store->slots = allocate(store->slot_count * sizeof *store->slots);
  store->string_capacity = 512;
  store->strings = reallocate(NULL, store->string_capacity * sizeof *store->strings);
  store->lengths = reallocate(NULL, store->string_capacity * sizeof *store->lengths);
  store->strings[JSON_NO_KEY] = "";
  store->lengths[JSON_NO_KEY] = 0;
  store->string_count = 1;
  return store;
}

void store_free(struct json_store *store) {
  if (!store)
    return;
  for (struct block *block = store->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(store->scratch);
  free(store->strings);
  free(store->lengths);
  free(store->slots);
  free(store);
}

const struct json_list *store_list(struct json_store *store, const struct json *items, size_t count) {
  static const struct json_list nothing = {.count = 0};
  return count ? store_list_over(store, items, count, NULL) : &nothing;
}

struct json_list *store_list_over(struct json_store *store, const struct json *items, size_t count,
                                  const struct json_list *defaults) {
  struct json_list *list = take(store, sizeof *list + count * sizeof *items);
  list->defaults = defaults;
  list->count = (uint32_t)count;
  if (count)
    memcpy(list->items, items, count * sizeof *items);
  store_mark_keys(list);
  return list;
}

void store_mark_keys(struct json_list *list) {
  list->keys = 0;
  for (uint32_t i = 0; i < list->count; ++i)
    list->keys |= json_key_bit(list->items[i].key);
}

static uint64_t hash_of(uint64_t seed, const char *bytes, size_t length) {
  uint64_t hash = seed ^ length * 0x9E3779B97F4A7C15u;
  for (; length >= 8; bytes += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  memcpy(&word, bytes, length);
  hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
  hash ^= hash >> 32;
  return hash * 0xD6E8FEB86659FD93u >> 16;
}

/* The slot of a string, or the empty one where it belongs. */
static size_t slot_of(const struct json_store *store, const char *bytes, size_t length) {
  size_t mask = store->slot_count - 1, slot = hash_of(store->seed, bytes, length) & mask;
  for (;; slot = (slot + 1) & mask) {
    json_key key = store->slots[slot];
    if (!key || (store->lengths[key] == length && !memcmp(store->strings[key], bytes, length)))
      return slot;
  }
}

static void grow_slots(struct json_store *store) {
  free(store->slots);
  store->slot_count *= 4;
  store->slots = allocate(store->slot_count * sizeof *store->slots);
  for (size_t key = 1; key < store->string_count; ++key)
    store->slots[slot_of(store, store->strings[key], store->lengths[key])] = (json_key)key;
}

const char *store_string(struct json_store *store, const char *bytes, size_t length, json_key *key) {
  size_t slot = slot_of(store, bytes, length);
  *key = store->slots[slot];
  if (*key)
    return store->strings[*key];
  if (store->string_count == store->string_capacity) {
    store->string_capacity *= 2;
    store->strings = reallocate(store->strings, store->string_capacity * sizeof *store->strings);
    store->lengths = reallocate(store->lengths, store->string_capacity * sizeof *store->lengths);
  }
  char *copy = take(store, length + 1);
  memcpy(copy, bytes, length);
  copy[length] = 0;
  *key = (json_key)store->string_count++;
  store->strings[*key] = copy;
  store->lengths[*key] = (uint32_t)length;
  store->slots[slot] = *key;
  if (2 * store->string_count > store->slot_count)
    grow_slots(store);
  return copy;
}

char *store_scratch(struct json_store *store, size_t length) {
  if (length > store->scratch_size) {
    free(store->scratch);
    store->scratch_size = 2 * length;
    store->scratch = reallocate(NULL, store->scratch_size);
  }
  return store->scratch;
}

size_t store_string_count(const struct json_store *store) { return store->string_count; }

json_key store_find(const struct json_store *store, const char *name) {
  return store->slots[slot_of(store, name, strlen(name))];
}

const char *store_name(const struct json_store *store, json_key key) { return store->strings[key]; }
