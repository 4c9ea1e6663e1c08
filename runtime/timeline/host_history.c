// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/host_history.h"

#include "base/locks.h"
#include "core/regions.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define LAUNCH_PAUSE_NS 1000000u /* between two launches kept of a thread in one region */

static struct gp_host_event *events; /* made by the first one; null without memory */
static uint64_t added;
GP_MUTEX(lock, GP_LOCK_HOST_HISTORY)

static __thread struct {
  const struct gp_context *context;
  uint64_t time, execution;
} last_launch __attribute__((tls_model("initial-exec")));

void gp_host_history_add(struct gp_host_event event) {
  pthread_mutex_lock(&lock);
  if (!events)
    events = calloc(GP_HOST_EVENTS, sizeof *events);
  if (events)
    events[added++ % GP_HOST_EVENTS] = event;
  pthread_mutex_unlock(&lock);
}

void gp_host_history_launch(uint64_t time, const struct gp_context *context) {
  const uint64_t execution = atomic_load_explicit(&context->entered, memory_order_relaxed);
  if (last_launch.context == context && last_launch.execution == execution && time - last_launch.time < LAUNCH_PAUSE_NS)
    return;
  last_launch.context = context;
  last_launch.execution = execution;
  last_launch.time = time;
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
static int has_ended(const struct search *s, const struct gp_context *context, uint64_t first) {
  for (uint64_t i = first; i < added; i++) {
    const struct gp_host_event *e = &events[i % GP_HOST_EVENTS];
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
static const struct gp_context *around_launches(const struct search *s, uint64_t first) {
  if (!s->before || !s->behind)
    return NULL;
  const struct gp_context *context = s->before->context;
  if (context == s->behind->context && s->before->execution == s->behind->execution)
    return context;
  for (context = context->parent; context; context = context->parent)
    if (is_within(s->behind->context, context) && !has_ended(s, context, first))
      return context;
  return NULL;
}

struct gp_host_activity gp_host_history_during(uint64_t start, uint64_t end) {
  struct search s = {.start = start, .end = end};
  pthread_mutex_lock(&lock);
  const uint64_t first = added > GP_HOST_EVENTS ? added - GP_HOST_EVENTS : 0;
  for (uint64_t i = first; i < added; i++)
    see(&s, &events[i % GP_HOST_EVENTS]);
  if (!s.found.region)
    s.found.region = around_launches(&s, first);
  pthread_mutex_unlock(&lock);
  s.found.wait_ns = at_most(s.found.wait_ns, end - start);
  s.found.copy_ns = at_most(s.found.copy_ns, end - start);
  return s.found;
}

void gp_host_history_reset(void) {
  pthread_mutex_lock(&lock);
  added = 0;
  pthread_mutex_unlock(&lock);
}
