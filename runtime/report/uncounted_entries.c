// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/uncounted_entries.h"

#include <stdlib.h>
#include <string.h>

struct code {
  struct gp_link link;
  struct gp_uncounted entry;
};

static int by_owner(const void *a, const void *b) {
  const struct uncounted_of *x = a, *y = b;
  if (x->owner != y->owner)
    return x->owner < y->owner ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

int gp_uncounted_entries_begin(struct gp_uncounted_entries *entries) {
  size_t count = 0, place = 0;
  const struct gp_uncounted_launches *first = gp_uncounted_all();
  for (const struct gp_uncounted_launches *l = first; l; l = l->next)
    count++;
  *entries = (struct gp_uncounted_entries){.launches = malloc((count + 1) * sizeof *entries->launches)};
  if (!entries->launches)
    return -1;
  for (const struct gp_uncounted_launches *l = first; l; l = l->next, place++)
    entries->launches[place] =
        (struct uncounted_of){l->record ? (const void *)l->record : (const void *)l->context, place, l, l->launches};
  entries->launch_count = count;
  if (count)
    qsort(entries->launches, count, sizeof *entries->launches, by_owner);
  return 0;
}

void gp_uncounted_entries_end(struct gp_uncounted_entries *entries) {
  struct gp_buckets *buckets = entries->code.buckets;
  const size_t count = buckets ? buckets->mask + 1 : 1;
  for (size_t i = 0; i < count; i++)
    for (struct gp_link *link = buckets ? buckets->first[i] : entries->code.only, *next; link; link = next) {
      next = link->next;
      free(GP_HOLDER(link, struct code, link));
    }
  gp_table_free(&entries->code);
  free(entries->launches);
}

static struct gp_uncounted *add(struct gp_aggregate *a, struct gp_uncounted entry) {
  const size_t count = a->uncounted_count;
  struct gp_uncounted *grown = a->uncounted;
  if (!(count & (count - 1)) && !(grown = realloc(grown, (count ? 2 * count : 1) * sizeof *grown)))
    return NULL;
  a->uncounted = grown;
  grown[a->uncounted_count++] = entry;
  return &grown[count];
}

static int is_known(struct gp_uncounted_entries *entries, const struct gp_uncounted *entry, uint64_t hash) {
  for (struct gp_link *link = gp_table_first(&entries->code, hash); link; link = gp_table_next(link)) {
    const struct gp_uncounted *known = &GP_HOLDER(link, struct code, link)->entry;
    if (known->line == entry->line && gp_same_text(known->file, entry->file) && gp_same_text(known->what, entry->what) &&
        gp_same_text(known->why, entry->why))
      return 1;
  }
  return 0;
}

int gp_uncounted_add_code(struct gp_uncounted_entries *entries, struct gp_aggregate *aggregate, struct gp_uncounted entry) {
  const uint64_t place = gp_hash_mix(gp_hash_text(entry.file), entry.line);
  const uint64_t hash = gp_hash_mix(place, gp_hash_mix(gp_hash_text(entry.what), gp_hash_text(entry.why)));
  if (is_known(entries, &entry, hash))
    return 0;
  struct code *code = calloc(1, sizeof *code);
  if (!code || !add(aggregate, entry)) {
    free(code);
    return -1;
  }
  code->entry = entry;
  gp_table_add(&entries->code, &code->link, hash);
  return 0;
}

int gp_uncounted_add_launches(struct gp_aggregate *aggregate, const char *kernel, const char *why, const char *path,
                              uint64_t launches) {
  const struct gp_uncounted *entry =
      add(aggregate, (struct gp_uncounted){
                         .what = gp_uncounted_text(kernel), .why = why, .path = strdup(path), .launches = launches});
  return entry && entry->what && entry->path ? 0 : -1;
}

static size_t first_of(const struct gp_uncounted_entries *entries, const void *owner) {
  size_t low = 0, high = entries->launch_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (entries->launches[middle].owner < owner)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct uncounted_of *gp_uncounted_launches_of(const struct gp_uncounted_entries *entries, const void *owner,
                                                    size_t *count) {
  const size_t first = first_of(entries, owner);
  for (*count = 0; first + *count < entries->launch_count && entries->launches[first + *count].owner == owner;)
    ++*count;
  return entries->launches + first;
}
