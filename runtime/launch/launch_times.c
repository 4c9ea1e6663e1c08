// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_times.h"

#include "base/own_cost.h"
#include "core/kernels.h"
#include "core/regions.h"
#include "launch/launch_threads.h"
#include "timeline/timeline.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Launches with outstanding time or unique bytes: of each thread the latest, at their places modulo SLOTS. The thread
 * alone fills a slot, without a lock; `id` is 0 meanwhile. Whoever sets `waiting` to 0 has taken the time. Chunks of
 * slots are made as the thread comes to them. */
#define CHUNKS 16u
#define CHUNK_SLOTS 1024u
#define SLOTS (CHUNKS * CHUNK_SLOTS)

struct slot {
  _Alignas(64) _Atomic uint64_t id; /* of its latest launch */
  _Atomic uint64_t waiting;         /* the same while its time is outstanding, or else 0 */
  _Atomic(struct gp_record *) record;
  _Atomic(struct gp_execution *) execution; /* referenced until the time arrives */
  _Atomic uint64_t call_end; /* 0: the call has not returned */
  _Atomic(const void *) stream;
  _Atomic bool drops_time;
};
_Static_assert(sizeof(struct slot) == 64, "a launch fills one cache line");

struct gp_launch_slots {
  struct slot *_Atomic chunks[CHUNKS];
  uint64_t flushed; /* place of the launch that waited for times last */
};

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

/* ---- Slots ---- */

/* Null if there is none yet. */
static struct slot *known_slot(const struct gp_launch_thread *thread, uint64_t place) {
  struct gp_launch_slots *slots = thread ? atomic_load_explicit(&thread->slots, memory_order_acquire) : NULL;
  struct slot *chunk = slots ? atomic_load_explicit(&slots->chunks[place / CHUNK_SLOTS % CHUNKS], memory_order_acquire) : NULL;
  return chunk ? &chunk[place % CHUNK_SLOTS] : NULL;
}

static struct slot *slot_with_id(uint64_t id) {
  struct slot *slot = known_slot(gp_launch_thread_of(gp_launch_id_thread(id)), gp_launch_id_place(id));
  return slot && atomic_load_explicit(&slot->id, memory_order_acquire) == id ? slot : NULL;
}

static struct slot *make_slot(struct gp_launch_thread *own, uint64_t place) {
  struct gp_launch_slots *slots = atomic_load_explicit(&own->slots, memory_order_relaxed);
  if (!slots && !(slots = calloc(1, sizeof *slots)))
    return NULL;
  atomic_store_explicit(&own->slots, slots, memory_order_release);
  struct slot *chunk = aligned_alloc(_Alignof(struct slot), CHUNK_SLOTS * sizeof *chunk);
  if (!chunk)
    return NULL;
  memset(chunk, 0, CHUNK_SLOTS * sizeof *chunk);
  gp_own_memory_add(GP_OWN_HOST, CHUNK_SLOTS * sizeof *chunk);
  atomic_store_explicit(&slots->chunks[place / CHUNK_SLOTS % CHUNKS], chunk, memory_order_release);
  return &chunk[place % CHUNK_SLOTS];
}

/* What another thread may read while the slot's thread goes on: valid if the slot is the launch's afterwards. */
struct outstanding {
  struct gp_record *record;
  struct gp_execution *execution;
  struct gp_issued issued;
  bool drops_time;
};

static struct outstanding read_slot(struct slot *slot) {
  const struct outstanding found = {.record = atomic_load_explicit(&slot->record, memory_order_relaxed),
                                    .execution = atomic_load_explicit(&slot->execution, memory_order_relaxed),
                                    .issued = {atomic_load_explicit(&slot->call_end, memory_order_acquire),
                                               atomic_load_explicit(&slot->stream, memory_order_relaxed)},
                                    .drops_time = atomic_load_explicit(&slot->drops_time, memory_order_relaxed)};
  atomic_thread_fence(memory_order_acquire);
  return found;
}

/* Record null: nobody waits for the time any more. */
static struct outstanding take_slot(struct slot *slot, uint64_t id) {
  assert((id || !slot) && "0 would be taken again and again");
  uint64_t waiting = id;
  const struct outstanding found = slot ? read_slot(slot) : (struct outstanding){0};
  return slot && atomic_compare_exchange_strong(&slot->waiting, &waiting, 0) ? found : (struct outstanding){0};
}

/* ---- Facts reported later ---- */

static void give_up(struct gp_execution *execution) {
  atomic_fetch_add(&lost_times, 1);
  gp_execution_launch_done(execution, 0, 0);
}

/* The slot is that of a launch, `old`, so long ago that its time must be on the way. The device is waited for if nothing else
 * helps, and seldom: a device that tells no times must not stop at each launch. */
static void make_free(struct gp_launch_thread *own, struct slot *slot, uint64_t old) {
  struct gp_launch_slots *slots = atomic_load_explicit(&own->slots, memory_order_relaxed);
  if (gp_device()->idle)
    gp_device()->idle();
  if (atomic_load(&slot->waiting) && (!slots->flushed || own->launches - slots->flushed >= SLOTS / 4)) {
    slots->flushed = own->launches;
    gp_device()->flush();
  }
  const struct outstanding abandoned = take_slot(slot, old);
  if (abandoned.record)
    give_up(abandoned.execution);
}

void gp_launch_times_await(uint64_t id, struct gp_record *record, struct gp_execution *execution, bool drops_time) {
  assert(id && record);
  struct gp_launch_thread *own = gp_launch_thread();
  const uint64_t place = gp_launch_id_place(id);
  struct slot *slot = known_slot(own, place);
  if (!slot && own)
    slot = make_slot(own, place);
  if (!slot) {
    give_up(execution);
    return;
  }
  const uint64_t old = atomic_load_explicit(&slot->waiting, memory_order_acquire); /* once: another thread sets it to 0 */
  if (old)
    make_free(own, slot, old);
  atomic_store_explicit(&slot->id, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&slot->record, record, memory_order_relaxed);
  atomic_store_explicit(&slot->execution, execution, memory_order_relaxed);
  atomic_store_explicit(&slot->call_end, 0, memory_order_relaxed);
  atomic_store_explicit(&slot->drops_time, drops_time, memory_order_relaxed);
  atomic_store_explicit(&slot->id, id, memory_order_release);
  atomic_store_explicit(&slot->waiting, id, memory_order_release);
}

/* The next slots are fetched ahead: another thread took their times, and has them in its cache. */
#define SLOTS_AHEAD 4

void gp_launch_times_issued(uint64_t id, const void *stream, uint64_t call_end) {
  struct slot *slot = slot_with_id(id);
  if (!slot)
    return;
  atomic_store_explicit(&slot->stream, stream, memory_order_relaxed);
  atomic_store_explicit(&slot->call_end, call_end, memory_order_release);
  if (gp_launch_id_place(id) % CHUNK_SLOTS + SLOTS_AHEAD < CHUNK_SLOTS)
    __builtin_prefetch(slot + SLOTS_AHEAD, 1);
}

void gp_launch_times_cancel(uint64_t id) {
  struct slot *slot = slot_with_id(id);
  const struct outstanding found = take_slot(slot, id);
  if (slot)
    atomic_store_explicit(&slot->id, 0, memory_order_relaxed);
  if (found.record)
    gp_execution_launch_done(found.execution, 0, 0);
}

/* `work`: null if the device told none. */
static void add_time(uint64_t id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source,
                     const struct gp_device_work *work) {
  const struct outstanding found = take_slot(slot_with_id(id), id);
  if (!found.record)
    return;
  if (!found.drops_time) {
    gp_records_lock();
    gp_distribution_add(&found.record->time, duration_ns);
    found.record->source = source;
    gp_records_unlock();
  }
  gp_execution_launch_done(found.execution, duration_ns, !found.drops_time);
  gp_timeline_kernel(id, found.record, &found.issued, start_ns, duration_ns, source, work);
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
  struct slot *slot = slot_with_id(id);
  const struct outstanding found = slot ? read_slot(slot) : (struct outstanding){0};
  return slot && atomic_load_explicit(&slot->id, memory_order_relaxed) == id ? found.record : NULL;
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
