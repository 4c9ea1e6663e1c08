// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_times.h"

#include "base/locks.h"
#include "core/kernels.h"
#include "core/regions.h"

#include <assert.h>
#include <pthread.h>

/* Launches whose time or unique bytes have not arrived yet, by launch id. */
#define PENDING (1u << 16)

struct pending {
  uint64_t id;
  struct gp_record *record;
  struct gp_execution *execution; /* referenced until the time arrives */
  int waiting;                    /* for its time */
};

static struct pending pending[PENDING];
GP_MUTEX(pending_lock, GP_LOCK_PENDING)
static _Atomic uint64_t lost_times;

uint64_t gp_launches_untimed(void) { return lost_times; }

static int slot_is_taken(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  int taken = pending[id % PENDING].waiting;
  pthread_mutex_unlock(&pending_lock);
  return taken;
}

void gp_launch_times_await(uint64_t id, struct gp_record *record, struct gp_execution *execution) {
  assert(id && record);
  if (slot_is_taken(id))
    gp_device()->flush(); /* so many launches ago: its time must be on the way */
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct gp_execution *abandoned = slot->waiting ? slot->execution : NULL;
  lost_times += slot->waiting;
  *slot = (struct pending){id, record, execution, 1};
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

void gp_launch_time(uint64_t id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source) {
  (void)start_ns;
  pthread_mutex_lock(&pending_lock);
  struct pending *slot = &pending[id % PENDING];
  struct pending found = slot->id == id && slot->waiting ? *slot : (struct pending){0};
  if (found.record) {
    slot->waiting = 0;
    slot->execution = NULL;
  }
  pthread_mutex_unlock(&pending_lock);
  if (!found.record)
    return;
  gp_records_lock();
  gp_distribution_add(&found.record->time, duration_ns);
  found.record->source = source;
  gp_records_unlock();
  gp_execution_launch_done(found.execution, duration_ns, 1);
}

/* The record of a launch whose facts are still coming in, or null. */
static struct gp_record *pending_record(uint64_t id) {
  pthread_mutex_lock(&pending_lock);
  struct gp_record *record = pending[id % PENDING].id == id ? pending[id % PENDING].record : NULL;
  pthread_mutex_unlock(&pending_lock);
  return record;
}

void gp_launch_unique(uint64_t id, uint64_t unique_bytes) {
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->unique_bytes += unique_bytes;
  record->unique_launches++;
  gp_records_unlock();
}

void gp_launch_requests(uint64_t id, uint64_t requests, uint64_t sectors) {
  struct gp_record *record = pending_record(id);
  if (!record)
    return;
  gp_records_lock();
  record->requests += requests;
  record->request_sectors += sectors;
  record->request_launches++;
  gp_records_unlock();
}
