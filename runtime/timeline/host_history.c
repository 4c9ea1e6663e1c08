// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/host_history.h"

#include "base/locks.h"
#include "base/log.h"
#include "core/regions.h"
#include "timeline/thread_facts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define LAUNCH_PAUSE_US 1000u /* between two launches kept of a thread in one region */

/* Written without a lock: launches and regions of all threads add events. `number` is that of the event, from 1, once it is
 * whole. */
struct slot {
  _Atomic uint64_t number, start, end, execution;
  _Atomic(const struct gp_context *) context;
  _Atomic int kind;
};
static _Atomic(struct slot *) slots; /* made by the first event; null without memory */
static _Atomic uint64_t added;

/* What a search reads: whole events in their order; guarded by the lock. */
static struct gp_host_event *events;
static uint64_t event_count;
GP_MUTEX(lock, GP_LOCK_HOST_HISTORY)

static struct slot *make_slots(void) {
  struct slot *none = NULL, *made = calloc(GP_HOST_EVENTS, sizeof *made);
  if (!made)
    gp_log_exhausted("timeline");
  if (!made || atomic_compare_exchange_strong(&slots, &none, made))
    return made;
  free(made);
  return none;
}

void gp_host_history_add(struct gp_host_event event) {
  struct slot *all = atomic_load_explicit(&slots, memory_order_acquire);
  if (!all && !(all = make_slots()))
    return;
  const uint64_t number = atomic_fetch_add_explicit(&added, 1, memory_order_relaxed);
  struct slot *slot = &all[number % GP_HOST_EVENTS];
  atomic_store_explicit(&slot->number, 0, memory_order_release);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&slot->start, event.start, memory_order_relaxed);
  atomic_store_explicit(&slot->end, event.end, memory_order_relaxed);
  atomic_store_explicit(&slot->execution, event.execution, memory_order_relaxed);
  atomic_store_explicit(&slot->context, event.context, memory_order_relaxed);
  atomic_store_explicit(&slot->kind, event.kind, memory_order_relaxed);
  atomic_store_explicit(&slot->number, number + 1, memory_order_release);
}

/* Returns 0 for an event that is being written, or gone. */
static int read_slot(struct slot *slot, uint64_t number, struct gp_host_event *event) {
  if (atomic_load_explicit(&slot->number, memory_order_acquire) != number + 1)
    return 0;
  *event = (struct gp_host_event){atomic_load_explicit(&slot->start, memory_order_relaxed),
                                  atomic_load_explicit(&slot->end, memory_order_relaxed),
                                  atomic_load_explicit(&slot->context, memory_order_relaxed),
                                  atomic_load_explicit(&slot->kind, memory_order_relaxed),
                                  atomic_load_explicit(&slot->execution, memory_order_relaxed)};
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&slot->number, memory_order_relaxed) == number + 1;
}

/* With the lock held. */
static void read_events(void) {
  struct slot *all = atomic_load_explicit(&slots, memory_order_acquire);
  const uint64_t end = atomic_load_explicit(&added, memory_order_acquire);
  event_count = 0;
  if (!events)
    events = calloc(GP_HOST_EVENTS, sizeof *events);
  if (!events)
    gp_log_exhausted("timeline");
  for (uint64_t i = end > GP_HOST_EVENTS ? end - GP_HOST_EVENTS : 0; all && events && i < end; i++)
    event_count += (uint64_t)read_slot(&all[i % GP_HOST_EVENTS], i, &events[event_count]);
}

void gp_host_history_launch(uint64_t time, const struct gp_context *context) {
  const uint64_t execution = atomic_load_explicit(&context->entered, memory_order_relaxed);
  const uint32_t time_us = (uint32_t)(time / 1000);
  struct gp_thread_facts *own = gp_thread_facts();
  if (own && own->launch.context == context && own->launch.execution == (uint32_t)execution &&
      time_us - own->launch.time_us < LAUNCH_PAUSE_US)
    return;
  if (own) {
    own->launch.context = context;
    own->launch.execution = (uint32_t)execution;
    own->launch.time_us = time_us;
  }
  gp_host_history_add((struct gp_host_event){time, time, context, GP_HOST_LAUNCH, execution});
}

/* ---- Explaining a time ---- */

struct search {
  uint64_t start, end;
  struct gp_host_activity found;
  uint64_t region_ns;              /* length of the execution found */
  const struct gp_host_event *before, *behind; /* the launches around the time */
};

static uint64_t shared_ns(const struct search *s, const struct gp_host_event *e) {
  const uint64_t start = e->start > s->start ? e->start : s->start, end = e->end < s->end ? e->end : s->end;
  return end > start ? end - start : 0;
}

static void see_region(struct search *s, const struct gp_host_event *e, uint64_t ns) {
  const uint64_t length = e->end - e->start;
  if (2 * ns < s->end - s->start || (s->found.region && length >= s->region_ns))
    return;
  s->found.region = e->context;
  s->region_ns = length;
}

static void see_launch(struct search *s, const struct gp_host_event *e) {
  if (e->start <= s->start && (!s->before || e->start > s->before->start))
    s->before = e;
  if (e->start > s->start && (!s->behind || e->start < s->behind->start))
    s->behind = e;
}

static void see(struct search *s, const struct gp_host_event *e) {
  const uint64_t ns = shared_ns(s, e);
  switch (e->kind) {
  case GP_HOST_WAIT: s->found.wait_ns += ns; break;
  case GP_HOST_COPY: s->found.copy_ns += ns; break;
  case GP_HOST_REGION: see_region(s, e, ns); break;
  case GP_HOST_LAUNCH: see_launch(s, e); break;
  }
}

static uint64_t at_most(uint64_t value, uint64_t most) { return value < most ? value : most; }

/* An execution of this region ended between the two launches. */
static int has_ended(const struct search *s, const struct gp_context *context) {
  for (uint64_t i = 0; i < event_count; i++) {
    const struct gp_host_event *e = &events[i];
    if (e->kind == GP_HOST_REGION && e->context == context && e->end > s->before->start && e->end <= s->behind->start)
      return 1;
  }
  return 0;
}

static int is_within(const struct gp_context *inner, const struct gp_context *outer) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner != NULL;
}

/* A region still open has no event of its own. It is taken for open if it holds the launches before and after, in one
 * execution as far as is known. */
static const struct gp_context *around_launches(const struct search *s) {
  if (!s->before || !s->behind)
    return NULL;
  const struct gp_context *context = s->before->context;
  if (context == s->behind->context && s->before->execution == s->behind->execution)
    return context;
  for (context = context->parent; context; context = context->parent)
    if (is_within(s->behind->context, context) && !has_ended(s, context))
      return context;
  return NULL;
}

struct gp_host_activity gp_host_history_during(uint64_t start, uint64_t end) {
  struct search s = {.start = start, .end = end};
  pthread_mutex_lock(&lock);
  read_events();
  for (uint64_t i = 0; i < event_count; i++)
    see(&s, &events[i]);
  if (!s.found.region)
    s.found.region = around_launches(&s);
  pthread_mutex_unlock(&lock);
  s.found.wait_ns = at_most(s.found.wait_ns, end - start);
  s.found.copy_ns = at_most(s.found.copy_ns, end - start);
  return s.found;
}

void gp_host_history_reset(void) {
  atomic_store(&added, 0);
  struct slot *all = atomic_load(&slots);
  for (size_t i = 0; all && i < GP_HOST_EVENTS; i++)
    atomic_store_explicit(&all[i].number, 0, memory_order_relaxed);
}
