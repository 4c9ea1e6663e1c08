// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_times.h"

#include "base/locks.h"
#include "core/kernels.h"
#include "core/regions.h"
#include "timeline/thread_facts.h"
#include "timeline/timeline.h"

#include <assert.h>
#include <pthread.h>

/* Launches with outstanding time or unique bytes, by launch id. */
#define PENDING (1u << 16)

struct pending {
  uint64_t id;
  struct gp_record *record;
  struct gp_execution *execution; /* referenced until the time arrives */
  int waiting;                    /* for its time */
  bool drops_time;
};

static struct pending pending[PENDING];
GP_MUTEX(pending_lock, GP_LOCK_PENDING)
static _Atomic uint64_t lost_times;

uint64_t gp_launches_untimed(void) { return lost_times; }

/* ---- Facts reported within the call ---- */

/* For the thread's innermost launch. */
static __thread struct gp_launch_facts *told_here __attribute__((tls_model("initial-exec")));

void gp_launch_facts_begin(struct gp_launch_facts *facts, uint64_t id) {
  *facts = (struct gp_launch_facts){.id = id, .around = told_here};
  told_here = facts;
}

void gp_launch_facts_end(const struct gp_launch_facts *facts) {
  assert(told_here == facts);
  told_here = facts->around;
}

void gp_launch_facts_add(struct gp_record *record, const struct gp_launch_facts *facts) {
  if (facts->has_time && !facts->drops_time) {
    gp_distribution_add(&record->time, facts->duration_ns);
    record->source = facts->source;
  }
  record->unique_bytes += facts->unique_bytes;
  record->unique_launches += facts->has_unique;
  record->requests += facts->requests;
  record->request_sectors += facts->request_sectors;
  record->request_launches += facts->has_requests;
}

static struct gp_launch_facts *facts_told_here(uint64_t id) { return told_here && told_here->id == id ? told_here : NULL; }

void gp_launch_failed(const char *error, int ran) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (!own)
    return;
  own->launch_error = error;
  own->launch_ran = ran;
}

struct gp_launch_failure gp_launch_take_failure(void) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (!own || !own->launch_error)
    return (struct gp_launch_failure){0};
  const struct gp_launch_failure taken = {own->launch_error, own->launch_ran};
  own->launch_error = NULL;
  return taken;
}

/* ---- Facts reported later ---- */

void gp_launch_times_await(uint64_t id, struct gp_record *record, struct gp_execution *execution, bool drops_time) {
  assert(id && record);
  struct pending *slot = &pending[id % PENDING];
  pthread_mutex_lock(&pending_lock);
  if (slot->waiting) { /* of a launch so many ago that its time must be on the way */
    pthread_mutex_unlock(&pending_lock);
    gp_device()->flush();
    pthread_mutex_lock(&pending_lock);
  }
  struct gp_execution *abandoned = slot->waiting ? slot->execution : NULL;
  lost_times += slot->waiting;
  *slot = (struct pending){id, record, execution, 1, drops_time};
  pthread_mutex_unlock(&pending_lock);
  if (abandoned)
    gp_execution_launch_done(abandoned, 0, 0);
}

void gp_launch_times_cancel(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct gp_execution *execution = slot->id == id && slot->waiting ? slot->execution : NULL;
  if (slot->id == id)
    *slot = (struct pending){0};
  pthread_mutex_unlock(&pending_lock);
  gp_execution_launch_done(execution, 0, 0);
}

static struct pending take_timed(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  const struct pending found = slot->id == id && slot->waiting ? *slot : (struct pending){0};
  if (found.record) {
    slot->waiting = 0;
    slot->execution = NULL;
  }
  pthread_mutex_unlock(&pending_lock);
  return found;
}

/* `work`: null if the device told none. */
static void add_time(uint64_t id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source,
                     const struct gp_device_work *work) {
  const struct pending found = take_timed(id);
  if (!found.record)
    return;
  if (!found.drops_time) {
    gp_records_lock();
    gp_distribution_add(&found.record->time, duration_ns);
    found.record->source = source;
    gp_records_unlock();
  }
  gp_execution_launch_done(found.execution, duration_ns, !found.drops_time);
  gp_timeline_kernel(id, found.record, NULL, start_ns, duration_ns, source, work);
}

void gp_launch_time(uint64_t id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source) {
  struct gp_launch_facts *here = facts_told_here(id);
  if (!here) {
    add_time(id, start_ns, duration_ns, source, NULL);
    return;
  }
  here->start_ns = start_ns;
  here->duration_ns = duration_ns;
  here->source = source;
  here->has_time = true;
}

void gp_launch_time_of_work(uint64_t id, const struct gp_device_work *work) {
  add_time(id, work->start, work->end - work->start, work->source, work);
}

/* The record of a launch with outstanding facts, or null. */
static struct gp_record *pending_record(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct gp_record *record = pending[id % PENDING].id == id ? pending[id % PENDING].record : NULL;
  pthread_mutex_unlock(&pending_lock);
  return record;
}

void gp_launch_unique(uint64_t id, uint64_t unique_bytes) {
  struct gp_launch_facts *here = facts_told_here(id);
  if (here) {
    here->unique_bytes += unique_bytes;
    here->has_unique = true;
    return;
  }
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->unique_bytes += unique_bytes;
  record->unique_launches++;
  gp_records_unlock();
}

void gp_launch_requests(uint64_t id, uint64_t requests, uint64_t sectors) {
  struct gp_launch_facts *here = facts_told_here(id);
  if (here) {
    here->requests += requests;
    here->request_sectors += sectors;
    here->has_requests = true;
    return;
  }
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->requests += requests;
  record->request_sectors += sectors;
  record->request_launches++;
  gp_records_unlock();
}
