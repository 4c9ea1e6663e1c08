// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/repeats.h"

#include "base/locks.h"
#include "base/own_cost.h"
#include "base/table.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "core/kernels.h"
#include "core/memory_writes.h"
#include "launch/launch_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS 128u /* of a thread, by their functions */
#define SETS 512u    /* of two repeats each */
#define SEEN 1024u   /* hashes of launches made once */
#define READS_MAXIMUM 40u
#define KEY_MAXIMUM 512u

struct read {
  uint32_t parameter, offset, bytes;
};

/* The bytes of arguments that clones of the kernel read. */
struct reads {
  const void *function; /* null: none is known */
  uint64_t generation;
  uint32_t count;
  struct read read[READS_MAXIMUM];
};

struct gp_repeats {
  struct reads kernels[KERNELS];
  struct gp_repeat *sets[SETS][2]; /* the thread writes them with the lock held */
  uint64_t seen[SEEN];
};

GP_MUTEX(lock, GP_LOCK_REPEATS)

/* ---- Keys ---- */

struct configuration {
  const void *function;
  const struct gp_context *context;
  uint64_t dynamic_shared_bytes;
  uint32_t grid[3], block[3], device, cooperative;
};

struct key {
  uint64_t hash;
  uint32_t bytes;
  _Alignas(8) unsigned char data[KEY_MAXIMUM];
};

static struct reads *reads_of(struct gp_repeats *repeats, const void *function) {
  return &repeats->kernels[((uintptr_t)function * UINT64_C(0x9e3779b97f4a7c15)) >> 57];
}
_Static_assert(KERNELS == 1 << (64 - 57), "a hash has a place");

/* Most arguments are numbers and pointers. */
static inline void copy_argument(unsigned char *to, const char *from, uint32_t bytes) {
  if (bytes == 8)
    memcpy(to, from, 8);
  else if (bytes == 4)
    memcpy(to, from, 4);
  else
    memcpy(to, from, bytes);
}

static uint64_t hash_of(const unsigned char *data, uint32_t bytes) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < bytes; i += 8) {
    uint64_t word;
    memcpy(&word, data + i, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

static void make_key(struct key *key, const struct reads *reads, const struct gp_launch *launch, const struct gp_context *context) {
  const struct configuration configuration = {launch->function,
                                              context,
                                              launch->dynamic_shared_bytes,
                                              {launch->grid[0], launch->grid[1], launch->grid[2]},
                                              {launch->block[0], launch->block[1], launch->block[2]},
                                              (uint32_t)launch->device,
                                              (uint32_t)launch->cooperative};
  memcpy(key->data, &configuration, sizeof configuration);
  key->bytes = sizeof configuration;
  for (uint32_t i = 0; i < reads->count; i++) {
    const struct read *read = &reads->read[i];
    copy_argument(key->data + key->bytes, (const char *)launch->arguments[read->parameter] + read->offset, read->bytes);
    key->bytes += read->bytes;
  }
  while (key->bytes % 8)
    key->data[key->bytes++] = 0;
  key->hash = hash_of(key->data, key->bytes);
}
_Static_assert(sizeof(struct configuration) == 56, "it has no bytes without a value");

/* Returns 0 if there are too many. */
static int add_read(struct reads *reads, const struct gp_sheet_read *read, uint32_t *bytes) {
  for (uint32_t i = 0; i < reads->count; i++)
    if (reads->read[i].parameter == read->parameter && reads->read[i].offset == read->offset && reads->read[i].bytes == read->bytes)
      return 1;
  *bytes += read->bytes;
  if (reads->count == READS_MAXIMUM || read->bytes > KEY_MAXIMUM || *bytes > KEY_MAXIMUM)
    return 0;
  reads->read[reads->count++] = (struct read){read->parameter, read->offset, read->bytes};
  return 1;
}

static int add_reads(struct reads *reads, const struct gp_sheet_clone *clone, uint32_t *bytes) {
  for (size_t i = 0; i < clone->read_count; i++)
    if (!add_read(reads, &clone->reads[i], bytes))
      return 0;
  return 1;
}

/* Null if its launches cannot be compared. */
static const struct reads *learn_reads(struct gp_repeats *repeats, const struct gp_kernel *kernel, const struct gp_launch *launch,
                                       uint64_t generation) {
  struct reads *reads = reads_of(repeats, launch->function);
  uint32_t bytes = sizeof(struct configuration) + 8; /* and those behind the last */
  if (reads->function == launch->function && reads->generation == generation)
    return reads;
  *reads = (struct reads){.function = NULL};
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_kernel *sheet = gp_instance_sheet(&kernel->instances[i]);
    if (!add_reads(reads, &sheet->clone, &bytes) || !add_reads(reads, &sheet->addresses, &bytes))
      return NULL;
  }
  if (reads->count && !launch->arguments)
    return NULL;
  reads->generation = generation;
  reads->function = launch->function;
  return reads;
}

/* ---- Repeats of one thread ---- */

static int is(const struct gp_repeat *repeat, const struct key *key) {
  return repeat && repeat->hash == key->hash && repeat->key_bytes == key->bytes && !memcmp(repeat->key, key->data, key->bytes);
}

static struct gp_repeat **place_of(struct gp_repeats *repeats, const struct key *key) {
  struct gp_repeat **set = repeats->sets[key->hash >> 55];
  return is(set[0], key) ? &set[0] : is(set[1], key) ? &set[1] : NULL;
}
_Static_assert(SETS == 1 << (64 - 55), "a hash has a set");

/* What its clone reads of memory has not been written since. */
static int holds(const struct gp_repeat *repeat, const struct gp_launch *launch) {
  uint64_t latest_write;
  return !repeat->tallies.latest_write || (gp_memory_latest_write(repeat->record->kernel, launch, &latest_write) &&
                                           latest_write == repeat->tallies.latest_write);
}

struct gp_repeat *gp_repeats_find(struct gp_launch_thread *own, const struct gp_launch *launch, const struct gp_context *context) {
  struct gp_repeats *repeats = atomic_load_explicit(&own->repeats, memory_order_relaxed);
  const struct reads *reads = repeats ? reads_of(repeats, launch->function) : NULL;
  struct key key;
  if (!reads || reads->function != launch->function || reads->generation != gp_launch_generation_now() ||
      (reads->count && !launch->arguments))
    return NULL;
  make_key(&key, reads, launch, context);
  struct gp_repeat **place = place_of(repeats, &key);
  if (!place || (*place)->generation != reads->generation || !holds(*place, launch))
    return NULL;
  (*place)->is_used = 1;
  return *place;
}

static void settle(struct gp_repeat *repeat) {
  gp_assert_held(&lock);
  const uint64_t made = atomic_load_explicit(&repeat->made, memory_order_acquire), count = made - repeat->settled;
  if (!count)
    return;
  repeat->settled = made;
  struct gp_record *record = repeat->record;
  struct gp_launch_shape shape = repeat->shape;
  shape.launches = count;
  shape.blocks *= count;
  gp_records_lock();
  record->launches += count;
  record->threads += shape.threads * shape.blocks;
  gp_launch_shapes_add(&record->shapes, &shape);
  gp_records_unlock();
  if (repeat->tallies.clone)
    gp_clones_repeated(repeat->tallies.clone, count);
  if (repeat->tallies.footprints)
    gp_addresses_repeated(repeat->tallies.footprints, count);
}

static void add_one(_Atomic uint64_t *number) {
  atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + 1, memory_order_release);
}

void gp_repeats_made(struct gp_launch_thread *own, struct gp_repeat *repeat) {
  add_one(&repeat->made);
  add_one(&own->repeated);
}

/* Where a new repeat goes; null: both in its set have been used since one last looked. */
static struct gp_repeat **free_place(struct gp_repeats *repeats, const struct key *key) {
  struct gp_repeat **set = repeats->sets[key->hash >> 55];
  for (int i = 0; i < 2; i++)
    if (!set[i] || !set[i]->is_used)
      return &set[i];
  set[0]->is_used = set[1]->is_used = 0;
  return NULL;
}

static void drop(struct gp_repeat **place) {
  struct gp_repeat *repeat = *place;
  if (!repeat)
    return;
  settle(repeat);
  gp_own_memory_add(GP_OWN_HOST, -(int64_t)(sizeof *repeat + repeat->key_bytes));
  free(repeat);
  *place = NULL;
}

static struct gp_repeat *make(const struct key *key, const struct gp_repeat *like, const struct gp_launch *launch) {
  struct gp_repeat *repeat = malloc(sizeof *repeat + key->bytes);
  if (!repeat)
    return NULL;
  gp_own_memory_add(GP_OWN_HOST, (int64_t)(sizeof *repeat + key->bytes));
  *repeat = *like;
  repeat->shape = gp_launch_shape_of(launch);
  repeat->is_used = 1;
  atomic_init(&repeat->made, 0);
  repeat->settled = 0;
  repeat->hash = key->hash;
  repeat->key_bytes = key->bytes;
  memcpy(repeat->key, key->data, key->bytes);
  return repeat;
}

static struct gp_repeats *repeats_of(struct gp_launch_thread *own) {
  struct gp_repeats *repeats = atomic_load_explicit(&own->repeats, memory_order_relaxed);
  if (repeats || !(repeats = calloc(1, sizeof *repeats)))
    return repeats;
  gp_own_memory_add(GP_OWN_HOST, sizeof *repeats);
  atomic_store_explicit(&own->repeats, repeats, memory_order_release);
  return repeats;
}

void gp_repeats_add(struct gp_launch_thread *own, const struct gp_launch *launch, const struct gp_repeat *like) {
  /* A launch within a repeat's own (a signal's handler) must not replace that. */
  struct gp_repeats *repeats = atomic_load_explicit(&own->unlocked.kernel, memory_order_relaxed) ? NULL : repeats_of(own);
  const struct reads *reads = repeats ? learn_reads(repeats, like->record->kernel, launch, like->generation) : NULL;
  struct key key;
  if (!reads)
    return;
  make_key(&key, reads, launch, like->record->context);
  uint64_t *seen = &repeats->seen[key.hash % SEEN];
  struct gp_repeat **place = place_of(repeats, &key);
  if (!place && *seen != key.hash) {
    *seen = key.hash;
    return;
  }
  if (!place && !(place = free_place(repeats, &key)))
    return;
  pthread_mutex_lock(&lock);
  drop(place);
  *place = make(&key, like, launch);
  pthread_mutex_unlock(&lock);
}

/* ---- All threads ---- */

static void settle_thread(struct gp_repeats *repeats) {
  for (uint32_t i = 0; i < SETS; i++)
    for (int way = 0; way < 2; way++)
      if (repeats->sets[i][way])
        settle(repeats->sets[i][way]);
}

void gp_repeats_settle(void) {
  struct gp_launch_thread *thread;
  pthread_mutex_lock(&lock);
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++) {
    struct gp_repeats *repeats = atomic_load_explicit(&thread->repeats, memory_order_acquire);
    if (repeats)
      settle_thread(repeats);
  }
  pthread_mutex_unlock(&lock);
}

uint64_t gp_repeats_count(void) {
  struct gp_launch_thread *thread;
  uint64_t count = 0;
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++)
    count += atomic_load_explicit(&thread->repeated, memory_order_relaxed);
  return count;
}

/* Records of the parent are none of the child's: the generation is new, too. */
void gp_repeats_begin_anew(void) {
  struct gp_launch_thread *thread;
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++) {
    struct gp_repeats *repeats = atomic_load_explicit(&thread->repeats, memory_order_relaxed);
    if (repeats)
      memset(repeats, 0, sizeof *repeats);
    atomic_store_explicit(&thread->repeated, 0, memory_order_relaxed);
  }
}
