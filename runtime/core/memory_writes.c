// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/memory_writes.h"

#include "base/locks.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/settings.h"
#include "core/kernels.h"
#include "core/launch_pointers.h"

#include <pthread.h>
#include <stdatomic.h>

#define RANGES 64u
#define BEFORE 256u /* bytes: a pointer for an array that is counted from 1 lies before its allocation */

/* An allocation. Only its latest write changes without the lock. */
struct range {
  _Atomic uint64_t start, end; /* end 0: free for another */
  _Atomic uint64_t latest;
  int is_open; /* others write there unseen */
};

enum { NOT_ASKED, WATCHED, UNSEEN };

GP_MUTEX(lock, GP_LOCK_MEMORY_WRITES)
static struct range ranges[RANGES];
_Atomic uint32_t gp_memory_places; /* of the ranges; those behind have never had an allocation */
static _Atomic uint64_t writes; /* numbers given */
static _Atomic uint64_t anywhere; /* the latest write of an unknown place */
static atomic_int state;

static uint64_t next_number(void) { return atomic_fetch_add(&writes, 1) + 1; }

/* ---- Allocations ---- */

static struct range *find(uint64_t address) {
  const uint32_t count = atomic_load_explicit(&gp_memory_places, memory_order_acquire);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t end = atomic_load_explicit(&ranges[i].end, memory_order_acquire);
    if (address < end && address >= atomic_load_explicit(&ranges[i].start, memory_order_relaxed))
      return &ranges[i];
  }
  return NULL;
}

/* A pointer to write through may also lie at the end, for an array that is gone through backwards. */
static int may_write(uint64_t address, const struct range *range) {
  const uint64_t end = atomic_load_explicit(&range->end, memory_order_acquire);
  return address <= end && end && address + BEFORE >= atomic_load_explicit(&range->start, memory_order_relaxed);
}

/* Null: all are in use. */
static struct range *take_place(void) {
  gp_assert_held(&lock);
  const uint32_t count = atomic_load(&gp_memory_places);
  for (uint32_t i = 0; i < count; i++)
    if (!atomic_load(&ranges[i].end))
      return &ranges[i];
  return count < RANGES ? &ranges[count] : NULL;
}

static struct range *add(const struct gp_memory_range *memory) {
  struct range *range = take_place();
  if (!range)
    return NULL;
  range->is_open = !memory->is_of_device || memory->shared;
  atomic_store(&range->latest, next_number()); /* it may just have been written */
  atomic_store(&range->start, memory->start);
  atomic_store_explicit(&range->end, memory->start + memory->bytes, memory_order_release);
  if (range == &ranges[atomic_load(&gp_memory_places)])
    atomic_fetch_add_explicit(&gp_memory_places, 1, memory_order_release);
  return range;
}

static struct range *watch(uint64_t address) {
  struct gp_memory_range memory;
  struct range *range = find(address);
  if (range)
    return range;
  pthread_mutex_lock(&lock);
  range = find(address);
  if (!range && !gp_device()->allocation(address, &memory))
    range = add(&memory);
  pthread_mutex_unlock(&lock);
  return range;
}

/* ---- The device ---- */

static void ask_device(void) {
  const struct gp_ranks *ranks = gp_ranks();
  pthread_mutex_lock(&lock);
  if (atomic_load(&state) == NOT_ASKED) {
    const int sees = gp_settings()->watch_memory && !(ranks->launcher && ranks->world_size != 1) && gp_device()->watch_writes &&
                     gp_device()->allocation && !gp_device()->watch_writes();
    atomic_store(&state, sees ? WATCHED : UNSEEN);
  }
  pthread_mutex_unlock(&lock);
}

static int is_watched(void) {
  if (atomic_load_explicit(&state, memory_order_acquire) == NOT_ASKED)
    ask_device();
  return atomic_load_explicit(&state, memory_order_acquire) == WATCHED;
}

/* ---- Kernels ---- */

/* With the sheet of one module alone, another one may hold the kernel with other code. */
static int has_all_sheets(const struct gp_kernel *kernel) {
  return kernel->instance_count && kernel->instance_count == kernel->unit_count;
}

static const struct gp_sheet_pointers *stores_of(const struct gp_kernel *kernel, size_t instance) {
  return &gp_instance_sheet(&kernel->instances[instance])->stores;
}

static const struct gp_sheet_pointers *loads_of(const struct gp_kernel *kernel, size_t instance) {
  return &gp_instance_sheet(&kernel->instances[instance])->clone.loads;
}

/* True if the kernel does not write to what its clone reads. */
static int stores_elsewhere(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct range *range) {
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_pointers *stores = stores_of(kernel, i);
    for (size_t s = 0; s < stores->count; s++)
      if (may_write(gp_launch_pointer(launch, stores->places[s]), range))
        return 0;
  }
  return 1;
}

/* Returns 0 if the write cannot be told. A null pointer is not read. */
static int see_load(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t address, uint64_t *latest) {
  if (!address)
    return 1;
  struct range *range = watch(address);
  if (!range || range->is_open || !stores_elsewhere(kernel, launch, range))
    return 0;
  const uint64_t last = atomic_load(&range->latest);
  *latest = last > *latest ? last : *latest;
  return 1;
}

static int are_known(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (!loads_of(kernel, i)->are_known || !stores_of(kernel, i)->are_known)
      return 0;
  return has_all_sheets(kernel);
}

int gp_memory_latest_write(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t *latest) {
  if (!are_known(kernel) || !launch->arguments || !is_watched())
    return 0;
  *latest = 0;
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_pointers *loads = loads_of(kernel, i);
    for (size_t l = 0; l < loads->count; l++)
      if (!see_load(kernel, launch, gp_launch_pointer(launch, loads->places[l]), latest))
        return 0;
  }
  const uint64_t last = atomic_load(&anywhere);
  *latest = last > *latest ? last : *latest;
  return 1;
}

/* ---- Writes ---- */

void gp_memory_written(uint64_t address) {
  const uint32_t count = atomic_load_explicit(&gp_memory_places, memory_order_acquire);
  for (uint32_t i = 0; i < count; i++)
    if (may_write(address, &ranges[i]))
      atomic_store(&ranges[i].latest, next_number());
}

void gp_memory_written_anywhere(void) {
  if (gp_memory_is_watched())
    atomic_store(&anywhere, next_number());
}

void gp_memory_written_while_watched(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  if (!kernel || !has_all_sheets(kernel) || !launch->arguments) {
    gp_memory_written_anywhere();
    return;
  }
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_pointers *stores = stores_of(kernel, i);
    if (!stores->are_known)
      gp_memory_written_anywhere();
    for (size_t s = 0; s < stores->count; s++)
      gp_memory_written(gp_launch_pointer(launch, stores->places[s]));
  }
}

static void release(struct range *range) {
  gp_assert_held(&lock);
  atomic_store(&range->end, 0);
}

void gp_memory_released(uint64_t address) {
  if (!gp_memory_is_watched() || !find(address))
    return;
  gp_memory_written_anywhere();
  pthread_mutex_lock(&lock);
  struct range *range = find(address);
  if (range)
    release(range);
  pthread_mutex_unlock(&lock);
}

void gp_memory_all_released(void) {
  if (!gp_memory_is_watched())
    return;
  gp_memory_written_anywhere();
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < atomic_load(&gp_memory_places); i++)
    release(&ranges[i]);
  pthread_mutex_unlock(&lock);
}

void gp_memory_writes_unseen(const char *why) {
  if (atomic_exchange(&state, UNSEEN) == WATCHED)
    gp_log(GP_DEBUG, "memory", "clones that read memory run behind each launch: %s", why);
}

void gp_memory_writes_begin_anew(void) {
  for (uint32_t i = 0; i < RANGES; i++)
    atomic_store(&ranges[i].end, 0);
  atomic_store(&gp_memory_places, 0);
  atomic_store(&state, NOT_ASKED);
}
