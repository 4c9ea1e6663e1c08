// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/immortals.h"
#include "base/locks.h"
#include "base/table.h"
#include "timeline/trace.h"

#include <pthread.h>
#include <string.h>

struct entry {
  struct gp_link link;
  char name[];
};

static struct gp_table entries;
GP_MUTEX(lock, GP_LOCK_TRACE_NAMES)
static struct gp_immortals memory = {.lock = &lock};

/* The caller holds the lock. */
static struct entry *find(const char *name, uint64_t hash) {
  gp_assert_held(&lock);
  struct gp_link *link = gp_table_first(&entries, hash);
  for (; link; link = gp_table_next(link))
    if (!strcmp(GP_HOLDER(link, struct entry, link)->name, name))
      return GP_HOLDER(link, struct entry, link);
  return NULL;
}

static struct entry *add(const char *name, uint64_t hash) {
  struct entry *entry = gp_immortal(&memory, sizeof *entry + strlen(name) + 1);
  if (!entry)
    return NULL;
  strcpy(entry->name, name);
  gp_table_add(&entries, &entry->link, hash);
  return entry;
}

const char *gp_trace_name(const char *name) {
  const uint64_t hash = gp_hash_text(name);
  pthread_mutex_lock(&lock);
  struct entry *entry = find(name, hash);
  if (!entry)
    entry = add(name, hash);
  pthread_mutex_unlock(&lock);
  return entry ? entry->name : NULL;
}
