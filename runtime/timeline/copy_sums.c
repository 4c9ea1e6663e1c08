// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/copy_sums.h"

#include "base/immortals.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/table.h"

#include <pthread.h>

const char *const gp_copy_direction_names[GP_COPY_DIRECTIONS] = {
    [GP_COPY_HOST_TO_DEVICE] = "host_to_device", [GP_COPY_DEVICE_TO_HOST] = "device_to_host",
    [GP_COPY_DEVICE_TO_DEVICE] = "device_to_device", [GP_COPY_PEER] = "peer",
    [GP_COPY_HOST_TO_HOST] = "host_to_host", [GP_COPY_MEMSET] = "memset",
};

/* The copies of one region. */
struct entry {
  struct gp_link link;
  const struct gp_context *context;
  struct gp_copy_sums sums;
};

static struct gp_table entries;
GP_MUTEX(lock, GP_LOCK_COPIES)
static struct gp_immortals memory = {.lock = &lock};

static uint64_t hash_of(const struct gp_context *context) { return gp_hash_pointers(context, NULL); }

/* The caller holds the lock. */
static struct entry *find(const struct gp_context *context) {
  gp_assert_held(&lock);
  struct gp_link *link = gp_table_first(&entries, hash_of(context));
  for (; link; link = gp_table_next(link))
    if (GP_HOLDER(link, struct entry, link)->context == context)
      return GP_HOLDER(link, struct entry, link);
  return NULL;
}

static struct entry *find_or_add(const struct gp_context *context) {
  struct entry *entry = find(context);
  if (entry || !(entry = gp_immortal(&memory, sizeof *entry)))
    return entry;
  entry->context = context;
  gp_table_add(&entries, &entry->link, hash_of(context));
  return entry;
}

static void add_call(struct gp_copy_sum *sum, const struct gp_copy *copy) {
  sum->count += copy->count;
  sum->bytes += copy->bytes;
  sum->pageable_bytes += copy->memory == GP_COPY_PAGEABLE ? copy->bytes : 0;
  sum->pinned_bytes += copy->memory == GP_COPY_PINNED ? copy->bytes : 0;
}

void gp_copies_count(const struct gp_context *context, const struct gp_copy *copy) {
  if (!context)
    return;
  pthread_mutex_lock(&lock);
  struct entry *entry = find_or_add(context);
  if (entry)
    add_call(&entry->sums.of[copy->direction], copy);
  pthread_mutex_unlock(&lock);
  if (!entry)
    gp_log_exhausted("copies");
}

void gp_copies_time(const struct gp_context *context, const struct gp_copy *copy, uint64_t ns) {
  pthread_mutex_lock(&lock);
  struct entry *entry = context ? find(context) : NULL;
  struct gp_copy_sum *sum = entry ? &entry->sums.of[copy->direction] : NULL;
  if (sum) {
    sum->timed += copy->count;
    sum->timed_bytes += copy->bytes;
    sum->time_ns += ns;
  }
  pthread_mutex_unlock(&lock);
}

void gp_copies_add(struct gp_copy_sums *to, const struct gp_copy_sums *from) {
  for (unsigned i = 0; i < GP_COPY_DIRECTIONS; i++) {
    struct gp_copy_sum *sum = &to->of[i];
    const struct gp_copy_sum *other = &from->of[i];
    sum->count += other->count;
    sum->bytes += other->bytes;
    sum->pageable_bytes += other->pageable_bytes;
    sum->pinned_bytes += other->pinned_bytes;
    sum->timed += other->timed;
    sum->timed_bytes += other->timed_bytes;
    sum->time_ns += other->time_ns;
  }
}

int gp_copies_of(const struct gp_context *context, struct gp_copy_sums *sums) {
  pthread_mutex_lock(&lock);
  const struct entry *entry = find(context);
  if (entry)
    gp_copies_add(sums, &entry->sums);
  pthread_mutex_unlock(&lock);
  return entry != NULL;
}

void gp_copies_reset(void) {
  pthread_mutex_lock(&lock);
  gp_table_free(&entries);
  entries = (struct gp_table){.count = 0};
  pthread_mutex_unlock(&lock);
}
