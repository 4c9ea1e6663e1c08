// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/graph_launches.h"

#include "base/locks.h"
#include "base/settings.h"
#include "clones/clones.h"
#include "core/kernels.h"
#include "core/launch_digest.h"
#include "core/uncounted.h"
#include "core/warmup.h"

#include <pthread.h>
#include <stdlib.h>

#define CONTEXTS_MAXIMUM 16u /* of one graph: a region with a name of its own for each launch must not make the list long */

static const char out_of_memory[] = "memory is exhausted";

/* Those of one executable graph in one context. */
struct gp_graph_launches {
  struct gp_graph_launches *next;    /* of the graph, the newest first */
  struct gp_graph_launches *another; /* of any graph */
  const struct gp_graph_kernel *kernels;
  size_t count;
  struct gp_context *context;
  uint64_t made;               /* and not in the records yet */
  struct gp_record *records[]; /* of the kernels; null: of a library, or without memory */
};

GP_MUTEX(lock, GP_LOCK_GRAPH_LAUNCHES)
static struct gp_graph_launches *every;

/* ---- Records ---- */

static void add_to_record(struct gp_record *record, const struct gp_graph_kernel *kernel, uint64_t launches) {
  struct gp_launch_shape shape = kernel->shape;
  shape.launches *= launches;
  shape.blocks *= launches;
  gp_records_lock();
  record->launches += launches;
  record->threads += launches * kernel->threads;
  gp_launch_shapes_add(&record->shapes, &shape);
  for (uint64_t i = 0; (record->warmup || kernel->digest) && i < launches; i++) {
    gp_warmup_launched(record);
    gp_launch_digest_add(&record->digest, kernel->digest);
  }
  gp_records_unlock();
  const char *why = kernel->why ? kernel->why : gp_record_uncounted(record);
  if (why)
    gp_uncounted_of(record, launches, why);
}

static void add_launches(const struct gp_graph_launches *l, size_t i, uint64_t launches) {
  const struct gp_graph_kernel *kernel = &l->kernels[i];
  struct gp_record *record = l->records[i];
  if (!kernel->kernel) {
    gp_uncounted_many(kernel->name, l->context, launches, kernel->why);
    return;
  }
  if (record && kernel->result)
    gp_clones_happened(record, kernel->result, launches);
  if (record && !kernel->conditional)
    add_to_record(record, kernel, launches);
  else if (kernel->why || !record) /* the number of these launches is unknown */
    gp_uncounted_many(kernel->kernel->name, l->context, launches, kernel->why ? kernel->why : out_of_memory);
}

static void settle(struct gp_graph_launches *l) {
  gp_assert_held(&lock);
  const uint64_t launches = l->made;
  l->made = 0;
  for (size_t i = 0; launches && i < l->count; i++)
    add_launches(l, i, launches);
}

/* ---- Launches of one graph ---- */

static struct gp_graph_launches *make(const struct gp_graph_kernel *kernels, size_t count, struct gp_context *context, int device) {
  struct gp_graph_launches *l = calloc(1, sizeof *l + count * sizeof *l->records);
  if (!l)
    return NULL;
  l->kernels = kernels;
  l->count = count;
  l->context = context;
  for (size_t i = 0; i < count; i++)
    l->records[i] = kernels[i].kernel ? gp_kernel_record(kernels[i].kernel, context, device) : NULL;
  return l;
}

static void drop(struct gp_graph_launches **place) {
  gp_assert_held(&lock);
  struct gp_graph_launches *gone = *place, **link = &every;
  settle(gone);
  while (*link != gone)
    link = &(*link)->another;
  *link = gone->another;
  *place = gone->next;
  free(gone);
}

static struct gp_graph_launches *find(struct gp_graph_launches *all, const struct gp_context *context) {
  while (all && all->context != context)
    all = all->next;
  return all;
}

static void put(struct gp_graph_launches **all, struct gp_graph_launches *fresh) {
  gp_assert_held(&lock);
  struct gp_graph_launches **last = all;
  unsigned contexts = 1;
  for (; *last && (*last)->next; contexts++)
    last = &(*last)->next;
  if (contexts == CONTEXTS_MAXIMUM)
    drop(last);
  fresh->next = *all;
  *all = fresh;
  fresh->another = every;
  every = fresh;
}

static void tell_lost(const struct gp_graph_kernel *kernels, size_t count, const struct gp_context *context) {
  for (size_t i = 0; i < count; i++)
    gp_uncounted_many(kernels[i].kernel ? kernels[i].kernel->name : kernels[i].name, context, 1, out_of_memory);
}

/* Settings that ask for the order of launches. */
static int is_ordered(void) {
  const struct gp_settings *settings = gp_settings();
  return settings->warmup || settings->times_only || settings->times_file;
}

void gp_graph_launches_add(struct gp_graph_launches **all, const struct gp_graph_kernel *kernels, size_t count,
                           struct gp_context *context, int device) {
  gp_assert_holds(GP_LOCK_CUDA_GRAPHS);
  struct gp_graph_launches *l = find(*all, context);
  const int is_new = !l;
  if (is_new && !(l = make(kernels, count, context, device)))
    return tell_lost(kernels, count, context);
  pthread_mutex_lock(&lock);
  if (is_new)
    put(all, l);
  l->made++;
  if (is_ordered())
    settle(l);
  pthread_mutex_unlock(&lock);
}

void gp_graph_launches_end(struct gp_graph_launches **all) {
  gp_assert_holds(GP_LOCK_CUDA_GRAPHS);
  pthread_mutex_lock(&lock);
  while (*all)
    drop(all);
  pthread_mutex_unlock(&lock);
}

/* ---- All graphs ---- */

void gp_graph_launches_settle(void) {
  pthread_mutex_lock(&lock);
  for (struct gp_graph_launches *l = every; l; l = l->another)
    settle(l);
  pthread_mutex_unlock(&lock);
}

void gp_graph_launches_begin_anew(void) {
  for (struct gp_graph_launches *l = every; l; l = l->another)
    l->made = 0;
}
