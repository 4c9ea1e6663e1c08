// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/uncounted.h"

#include "base/demangle.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/state.h"
#include "core/kernels.h"
#include "core/regions.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GP_MUTEX(lock, GP_LOCK_UNCOUNTED)
static struct gp_uncounted_launches *all;
static struct gp_table by_kind;

char *gp_uncounted_text(const char *kernel) {
  char *readable = gp_demangle(kernel), *text = NULL;
  const char *name = readable ? readable : kernel;
  size_t bytes = strlen("launches of ") + strlen(name) + 1;
  if ((text = malloc(bytes)))
    snprintf(text, bytes, "launches of %s", name);
  free(readable);
  return text;
}

static void free_kind(struct gp_uncounted_launches *kind) {
  free(kind->kernel);
  free(kind->what);
  free(kind->why);
  free(kind);
}

static struct gp_uncounted_launches *make_kind(const struct gp_uncounted_launches *like) {
  struct gp_uncounted_launches *kind = calloc(1, sizeof *kind);
  if (!kind)
    return NULL;
  *kind = *like;
  kind->kernel = strdup(like->kernel);
  kind->what = gp_uncounted_text(like->kernel);
  kind->why = strdup(like->why);
  if (kind->kernel && kind->what && kind->why)
    return kind;
  free_kind(kind);
  return NULL;
}

static int is_like(const struct gp_uncounted_launches *kind, const struct gp_uncounted_launches *other) {
  return kind->context == other->context && kind->record == other->record && !strcmp(kind->kernel, other->kernel) &&
         !strcmp(kind->why, other->why);
}

static uint64_t hash_of(const struct gp_uncounted_launches *kind) {
  return gp_hash_mix(gp_hash_pointers(kind->context, kind->record), gp_hash_text(kind->kernel));
}

static struct gp_uncounted_launches *find(const struct gp_uncounted_launches *like, uint64_t hash) {
  for (struct gp_link *link = gp_table_first(&by_kind, hash); link; link = gp_table_next(link))
    if (is_like(GP_HOLDER(link, struct gp_uncounted_launches, link), like))
      return GP_HOLDER(link, struct gp_uncounted_launches, link);
  return NULL;
}

static void add(struct gp_uncounted_launches like, uint64_t launches) {
  const uint64_t hash = hash_of(&like);
  pthread_mutex_lock(&lock);
  struct gp_uncounted_launches *kind = find(&like, hash);
  if (!kind && (kind = make_kind(&like))) {
    kind->next = all;
    all = kind;
    gp_table_add(&by_kind, &kind->link, hash);
  }
  if (kind)
    kind->launches += launches;
  pthread_mutex_unlock(&lock);
  if (!kind)
    gp_log_exhausted(like.kernel);
}

void gp_uncounted_many(const char *kernel, const struct gp_context *context, uint64_t launches, const char *why) {
  add((struct gp_uncounted_launches){.kernel = (char *)(uintptr_t)kernel,
                                     .why = (char *)(uintptr_t)why,
                                     .context = context ? context : gp_context_root()},
      launches);
}

void gp_uncounted_launch(const char *kernel, const struct gp_context *context, const char *why) {
  gp_uncounted_many(kernel, context, 1, why);
}

void gp_uncounted_of(const struct gp_record *record, uint64_t launches, const char *why) {
  add((struct gp_uncounted_launches){.kernel = record->kernel->name,
                                     .why = (char *)(uintptr_t)why,
                                     .context = record->context,
                                     .record = record},
      launches);
}

void gp_uncounted_ignored(const char *kernel) {
  static const char why[] = "'#pragma gpuprof ignore' stands before the statement that launches them";
  const struct gp_context *context = gp_state() == GP_ON ? gp_regions_around_ignored() : NULL;
  if (context)
    add((struct gp_uncounted_launches){.kernel = (char *)(uintptr_t)kernel,
                                       .why = (char *)(uintptr_t)why,
                                       .context = context,
                                       .ignored = 1},
        1);
}

const struct gp_uncounted_launches *gp_uncounted_all(void) {
  pthread_mutex_lock(&lock);
  const struct gp_uncounted_launches *first = all;
  pthread_mutex_unlock(&lock);
  return first;
}

void gp_uncounted_reset(void) {
  pthread_mutex_lock(&lock);
  while (all) {
    struct gp_uncounted_launches *gone = all;
    all = gone->next;
    free_kind(gone);
  }
  gp_table_free(&by_kind);
  pthread_mutex_unlock(&lock);
}
