// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/clones.h"

#include "base/locks.h"
#include "base/log.h"
#include "clones/formula_count.h"
#include "clones/launch_key.h"
#include "core/counters.h"
#include "core/gate.h"
#include "core/memory_writes.h"
#include "core/snapshot.h"
#include "core/uncounted.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096u
#define RESULTS_MAXIMUM 16384u /* remembered; further new launches run the clone each time */
#define LIGHT_RESULTS_MAXIMUM 1024u /* of them: of light clones, whose results end with the next write to what they read */
#define SEEN 1024u             /* hashes of keys of light clones */
#define CHUNK_BYTES (1u << 20) /* of device memory, for the counts of clones until they are read */
#define CHUNKS_REMEMBERED 32u  /* on all devices; once they are full, further new launches run the clone each time, too */
#define CHUNKS_MAXIMUM 64u     /* the others are for what launches counted so sum up on the device */
#define FORMULA_FAILURES 8u    /* in a row; then the formula of a kernel is not asked any more */

/* Counts of a clone: a function of the key, or (no key) the sum over the launches of one record. */
struct gp_clone_result {
  struct gp_clone_result *chain;  /* of a bucket */
  struct gp_clone_result *unread; /* among the results still on a device */
  struct gp_kernel *kernel;
  struct gp_clone_tally *latest; /* the latest record with this result */
  int device;
  uint64_t buffer;  /* device address: header, slots; 0: nothing is on the device */
  uint64_t *counts; /* read so far; null: nothing yet */
  size_t instance;  /* the kernel's instance with the clone run; valid with counts */
  uint64_t runs;    /* of the clone, since its counts were read */
  uint64_t lost;    /* runs without counts */
  uint64_t hash;
  size_t key_bytes;
  unsigned char key[];
};

/* Number of a record's launches with this result. */
struct gp_clone_tally {
  struct gp_clone_tally *next; /* of the same record */
  struct gp_record *record;
  struct gp_clone_result *result;
  uint64_t launches;
};

struct chunk {
  uint64_t address;
  size_t bytes, used;
  int device;
};

GP_MUTEX(lock, GP_LOCK_CLONES)
static struct gp_clone_result *buckets[BUCKETS], *unread;
static size_t result_count, light_result_count;
static uint64_t seen_once[SEEN]; /* launches of light clones, by their hashes */
static struct chunk chunks[CHUNKS_MAXIMUM];
static size_t chunk_count;
static const char out_of_memory[] = "memory is exhausted";
static const char no_room[] = "no memory is left to count in";

/* ---- Selection of kernels ---- */

static const struct gp_sheet_clone *clone_of(const struct gp_kernel_instance *instance) {
  return &gp_instance_sheet(instance)->clone;
}

static int is_free(const struct gp_kernel *kernel) { return !gp_kernel_has_light_clone(kernel); }

static uint32_t most_groups(const struct gp_kernel *kernel) {
  uint32_t groups = 0;
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (groups < gp_instance_sheet(&kernel->instances[i])->groups)
      groups = gp_instance_sheet(&kernel->instances[i])->groups;
  return groups;
}

/* On the CPU device each worker has its slot. */
static size_t slots(void) { return gp_device()->slot ? GPUPROF_COUNTER_SLOTS : GPUPROF_CLONE_SLOTS; }

static size_t buffer_bytes(const struct gp_kernel *kernel) {
  return GPUPROF_CLONE_HEADER_BYTES + slots() * most_groups(kernel) * sizeof(uint64_t);
}

/* ---- Counts still on a device ---- */

static void add_slots(struct gp_clone_result *result, const uint64_t *counts, uint32_t groups) {
  for (size_t slot = 0; slot < slots(); slot++)
    for (uint32_t i = 0; i < groups; i++)
      result->counts[i] += counts[slot * groups + i];
}

static void lose(struct gp_clone_result *result) {
  result->lost += result->runs;
  result->runs = 0;
}

/* The header names the clone's unit, and thereby the kernel's instance. */
static int take(struct gp_clone_result *result, const unsigned char *buffer) {
  const struct gp_kernel *kernel = result->kernel;
  uint64_t unit;
  memcpy(&unit, buffer, sizeof unit);
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_kernel_instance *instance = &kernel->instances[i];
    if (!gp_instance_is_cloned(instance) || instance->unit->counters[result->device] != unit || !unit)
      continue;
    if (!result->counts && !(result->counts = calloc(most_groups(kernel), sizeof *result->counts)))
      return -1;
    result->instance = i;
    result->runs = 0;
    add_slots(result, (const uint64_t *)(const void *)(buffer + GPUPROF_CLONE_HEADER_BYTES),
              gp_instance_sheet(instance)->groups);
    return 0;
  }
  lose(result); /* it did not run to its end */
  return 0;
}

/* Reads all counts to the host, except during a snapshot with running clones. Not possible during a capture. */
static int read_all(void) {
  gp_assert_held(&lock);
  if (!gp_snapshot_has_settled())
    return 0;
  int error = unread && !gp_snapshot_is_passing() ? gp_device()->synchronize() : 0;
  while (!error && unread) {
    struct gp_clone_result *result = unread;
    size_t bytes = buffer_bytes(result->kernel);
    unsigned char *buffer = malloc(bytes);
    error = buffer ? gp_snapshot_read(buffer, result->buffer, bytes) : -1;
    if (!error)
      error = take(result, buffer);
    free(buffer);
    if (!error) {
      unread = result->unread;
      result->buffer = 0;
    }
  }
  return error;
}

/* Releases the chunks, once no clone writes to them. */
static void release_chunks(void) {
  gp_assert_held(&lock);
  while (!unread && chunk_count)
    gp_device()->release(chunks[--chunk_count].address);
}

/* Zeroed memory on the current device; 0 and the device's error if it has none, or no error if it is kept for the others.
 * The device is waited for only where it is full of counts of different kernels and paths. */
static uint64_t find_room(int device, size_t bytes, int is_remembered, int *error) {
  gp_assert_held(&lock);
  for (size_t i = 0; i < chunk_count; i++)
    if (chunks[i].device == device && chunks[i].bytes - chunks[i].used >= bytes) {
      chunks[i].used += bytes;
      return chunks[i].address + chunks[i].used - bytes;
    }
  if (is_remembered && chunk_count >= CHUNKS_REMEMBERED)
    return 0;
  if (chunk_count == CHUNKS_MAXIMUM) {
    if ((*error = read_all()))
      return 0;
    release_chunks();
  }
  struct chunk chunk = {.bytes = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes, .used = bytes, .device = device};
  if ((*error = gp_device()->allocate(&chunk.address, chunk.bytes)))
    return 0;
  chunks[chunk_count++] = chunk;
  return chunk.address;
}

/* ---- Keys ---- */

/* The device, the configuration, the argument bytes read by the clone, and for a light clone the latest write to the memory
 * that it reads (else 0). */
static void make_key(struct gp_launch_key *key, const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t latest_write) {
  gp_launch_key_begin(key, 0, launch);
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_clone *clone = clone_of(&kernel->instances[i]);
    for (size_t r = 0; r < clone->read_count; r++)
      gp_launch_key_add(key, (const char *)launch->arguments[clone->reads[r].parameter] + clone->reads[r].offset,
          clone->reads[r].bytes);
  }
  if (latest_write)
    gp_launch_key_add(key, &latest_write, sizeof latest_write);
}

static int is(const struct gp_clone_result *result, const struct gp_kernel *kernel, const struct gp_launch_key *key) {
  return result->kernel == kernel && result->key_bytes == key->bytes &&
         !memcmp(result->key, key->data, key->bytes);
}

/* ---- Launching ---- */

static struct gp_clone_result *make_result(struct gp_kernel *kernel, int device, const struct gp_launch_key *key) {
  struct gp_clone_result *result = calloc(1, sizeof *result + key->bytes);
  if (!result)
    return NULL;
  result->kernel = kernel;
  result->device = device;
  result->key_bytes = key->bytes;
  memcpy(result->key, key->data, key->bytes);
  return result;
}

/* Where the kernel itself has begun after the end of all before it, its clone may begin while the kernel ends. Kernels
 * launched with attributes may have begun earlier. */
static int may_overlap(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_is_cloned(&kernel->instances[i]) && !clone_of(&kernel->instances[i])->waits)
      return 0;
  return !launch->attribute_count && !launch->cooperative;
}

/* Null, or the reason for a failure. */
static const char *run_clone(struct gp_clone_result *result, struct gp_launch launch) {
  const struct gp_kernel *kernel = result->kernel;
  const char *why = NULL;
  uint32_t parameters = 0;
  int error = 0;
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_is_cloned(&kernel->instances[i]))
      parameters = clone_of(&kernel->instances[i])->parameters;
  void **arguments = malloc((parameters + 1) * sizeof *arguments);
  uint64_t buffer = result->buffer ? result->buffer : find_room(result->device, buffer_bytes(kernel), result->key_bytes > 0, &error);
  if (arguments && buffer) {
    for (uint32_t i = 0; i < parameters; i++)
      arguments[i] = launch.arguments[i];
    arguments[parameters] = &buffer;
    launch.arguments = arguments;
    launch.overlaps = may_overlap(kernel, &launch);
    why = gp_device()->launch_clone(&launch, GPUPROF_CLONE_SUFFIX);
  } else {
    why = error ? gp_device()->error_text(error) : no_room;
  }
  free(arguments);
  result->runs += !why;
  if (!why && !result->buffer) {
    result->buffer = buffer;
    result->unread = unread;
    unread = result;
  }
  return why;
}

/* True if the kernel's formula has added the launch's counts to the result: nothing has to run. With several modules, be it
 * that the sheet of one alone has the kernel, only the clone knows which one was launched. */
static int count_by_formula(struct gp_clone_result *result, const struct gp_launch *launch) {
  struct gp_kernel *kernel = result->kernel;
  const int is_one = kernel->instance_count == 1 && kernel->unit_count == 1;
  const struct gp_formula *formula = is_one ? clone_of(&kernel->instances[0])->formula : NULL;
  if (!formula || kernel->formula_failures == FORMULA_FAILURES)
    return 0;
  if (!result->counts && !(result->counts = calloc(most_groups(kernel), sizeof *result->counts)))
    return 0;
  const int exact = gp_formula_count(formula, launch, result->counts, most_groups(kernel));
  kernel->formula_failures = exact ? 0 : kernel->formula_failures + 1;
  if (!exact)
    gp_log(GP_DEBUG, kernel->name, "its formula does not tell the counts of a launch: its clone runs");
  return exact;
}

/* An instance without a clone counts in the kernel, although another instance has a clone. */
static void tell_loss(const struct gp_record *record, const char *why) {
  if (!gp_kernel_is_cloned(record->kernel))
    return;
  gp_log(GP_WARN, record->kernel->name, "some of its launches are not counted: %s", why);
  gp_uncounted_of(record, 1, why);
}

static struct gp_clone_tally *tally_of(struct gp_record *record, struct gp_clone_result *result) {
  struct gp_clone_tally *tally = result->latest;
  if (tally && tally->record == record)
    return tally;
  /* A new result has none, and a program of launches that all differ would go through all of them each time. */
  for (tally = tally ? record->tallies : NULL; tally && tally->result != result; tally = tally->next)
    ;
  if (!tally && (tally = calloc(1, sizeof *tally))) {
    *tally = (struct gp_clone_tally){.next = record->tallies, .record = record, .result = result};
    gp_records_lock();
    record->tallies = tally;
    gp_records_unlock();
  }
  return result->latest = tally;
}

/* Counted at each launch, and summed up on the device. */
static void count_directly(struct gp_record *record, const struct gp_launch *launch) {
  const struct gp_launch_key none = {.bytes = 0};
  struct gp_clone_result *result =
      record->direct ? record->direct : (record->direct = make_result(record->kernel, record->device, &none));
  struct gp_clone_tally *tally = result ? tally_of(record, result) : NULL;
  const char *why = !tally ? out_of_memory : count_by_formula(result, launch) ? NULL : run_clone(result, *launch);
  if (why)
    return tell_loss(record, why);
  tally->launches = 1;
}

static struct gp_clone_result *find_result(const struct gp_kernel *kernel, const struct gp_launch_key *key, uint64_t hash) {
  for (struct gp_clone_result *result = buckets[hash % BUCKETS]; result; result = result->chain)
    if (result->hash == hash && is(result, kernel, key))
      return result;
  return NULL;
}

/* The result of this key; for a new key asks the formula, or runs the clone. Null and the reason on failure. */
static struct gp_clone_result *remembered(struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_launch_key *key,
                                          const char **why) {
  const uint64_t hash = gp_launch_key_hash(kernel, key);
  struct gp_clone_result *result = find_result(kernel, key, hash);
  if (result)
    return result;
  result = result_count < RESULTS_MAXIMUM ? make_result(kernel, launch->device, key) : NULL;
  *why = !result ? out_of_memory : count_by_formula(result, launch) ? NULL : run_clone(result, *launch);
  if (*why) {
    if (result)
      free(result->counts);
    free(result);
    return NULL;
  }
  struct gp_clone_result **bucket = &buckets[hash % BUCKETS];
  result->hash = hash;
  result->chain = *bucket;
  *bucket = result;
  result_count++;
  return result;
}

/* A result of a light clone takes memory for good, and may end soon: only what repeats gets one. */
static int is_worth_remembering(const struct gp_kernel *kernel, const struct gp_launch_key *key) {
  const uint64_t hash = gp_launch_key_hash(kernel, key);
  uint64_t *seen = &seen_once[hash % SEEN];
  if (find_result(kernel, key, hash))
    return 1;
  if (light_result_count == LIGHT_RESULTS_MAXIMUM || *seen != hash) {
    *seen = hash;
    return 0;
  }
  light_result_count++;
  return 1;
}

/* Null: such launches do not all have the same counts. */
static struct gp_clone_tally *count(struct gp_record *record, const struct gp_launch *launch, uint64_t latest_write) {
  const char *why = out_of_memory;
  struct gp_clone_result *result = record->remembered; /* most launches repeat the one before */
  struct gp_launch_key key;
  key.bytes = 0;
  if (is_free(record->kernel) || latest_write)
    make_key(&key, record->kernel, launch, latest_write);
  const int is_latest = key.bytes && result && is(result, record->kernel, &key);
  if (latest_write && key.bytes && !is_latest && !is_worth_remembering(record->kernel, &key))
    key.bytes = 0;
  if (key.bytes && !is_latest)
    result = record->remembered = remembered(record->kernel, launch, &key, &why);
  if (!key.bytes || (!result && (result_count == RESULTS_MAXIMUM || why == no_room))) {
    count_directly(record, launch);
    return NULL;
  }
  struct gp_clone_tally *tally = result ? tally_of(record, result) : NULL;
  if (tally)
    tally->launches++;
  else
    tell_loss(record, why);
  return tally;
}

const char *gp_clones_objection(struct gp_kernel *kernel, const struct gp_launch *launch) {
  gp_assert_held(&kernel->lock);
  if (!gp_device()->most_threads || !gp_kernel_has_light_clone(kernel))
    return NULL;
  unsigned *most = &kernel->clone_threads[launch->device];
  if (!*most)
    *most = gp_device()->most_threads(launch, GPUPROF_CLONE_SUFFIX);
  const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  return *most && threads > *most ? "its clone cannot be launched in blocks of this size" : NULL;
}

int gp_clones_launched(struct gp_record *record, const struct gp_launch *launch, struct gp_clone_tally **tally,
                       uint64_t *latest_write) {
  *tally = NULL;
  *latest_write = 0;
  if (!gp_kernel_has_clone(record->kernel))
    return 1;
  if (!is_free(record->kernel) && !gp_memory_latest_write(record->kernel, launch, latest_write))
    *latest_write = 0;
  pthread_mutex_lock(&lock);
  *tally = count(record, launch, *latest_write);
  pthread_mutex_unlock(&lock);
  return *tally != NULL;
}

void gp_clones_repeated(struct gp_clone_tally *tally, uint64_t launches) {
  pthread_mutex_lock(&lock);
  tally->launches += launches;
  pthread_mutex_unlock(&lock);
}

/* ---- Foreseen launches ---- */

struct gp_clone_result *gp_clones_foresee(struct gp_kernel *kernel, const struct gp_launch *launch) {
  const char *why = NULL;
  struct gp_clone_result *result = NULL;
  struct gp_launch_key key;
  if (!gp_kernel_has_clone(kernel))
    return NULL;
  gp_gate_enter(); /* like a launch, since the clone is one: counts read meanwhile would lack a part of its */
  pthread_mutex_lock(&lock);
  make_key(&key, kernel, launch, 0);
  if (is_free(kernel) && key.bytes)
    result = remembered(kernel, launch, &key, &why);
  if (!result && why == no_room && !read_all()) { /* graphs are made seldom */
    release_chunks();
    result = remembered(kernel, launch, &key, &why);
  }
  pthread_mutex_unlock(&lock);
  gp_gate_leave();
  if (!result)
    gp_remark(kernel->name, "its runs in a graph are not counted: its clone would have to run at each of them; compile with "
                            "-fplugin-arg-gpuprof-count=inkernel to count them");
  return result;
}

void gp_clones_happened(struct gp_record *record, struct gp_clone_result *result, uint64_t launches) {
  pthread_mutex_lock(&lock);
  struct gp_clone_tally *tally = tally_of(record, result);
  if (tally)
    tally->launches += launches;
  pthread_mutex_unlock(&lock);
}

/* ---- Reading ---- */

static void add_counts(const struct gp_clone_result *result, uint64_t launches, size_t instance, uint64_t *counts) {
  const uint32_t groups = gp_instance_sheet(&result->kernel->instances[instance])->groups;
  for (uint32_t i = 0; result->counts && result->instance == instance && i < groups; i++)
    counts[i] += launches * result->counts[i];
}

/* Reads the present counts of a result with a possibly running clone. */
static int peek(const struct gp_clone_tally *tally, size_t instance, uint64_t *counts) {
  struct gp_clone_result *result = tally->result, there = *result;
  const size_t bytes = buffer_bytes(result->kernel);
  unsigned char *buffer = malloc(bytes);
  there.counts = calloc(most_groups(result->kernel), sizeof *there.counts);
  int error = buffer && there.counts ? gp_snapshot_read(buffer, result->buffer, bytes) : -1;
  if (!error && !(error = take(&there, buffer)) && there.instance == instance && !there.runs &&
      there.lost == result->lost)
    add_counts(&there, tally->launches, instance, counts);
  free(buffer);
  free(there.counts);
  return error;
}

int gp_clones_read(const struct gp_record *record, size_t instance, uint64_t *counts) {
  if (!record->tallies)
    return 0;
  pthread_mutex_lock(&lock);
  int error = read_all();
  if (!error)
    release_chunks();
  for (const struct gp_clone_tally *tally = record->tallies; tally && !error; tally = tally->next) {
    add_counts(tally->result, tally->launches, instance, counts);
    if (tally->result->buffer)
      error = peek(tally, instance, counts);
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int gp_record_read(const struct gp_record *record, size_t instance, uint64_t *counts) {
  int error = gp_counters_read(record, instance, counts);
  return error ? error : gp_clones_read(record, instance, counts);
}

uint64_t gp_clones_lost(const struct gp_record *record) {
  uint64_t lost = 0;
  pthread_mutex_lock(&lock);
  for (const struct gp_clone_tally *tally = record->tallies; tally; tally = tally->next)
    if (tally->result->lost)
      lost += tally->result->key_bytes ? tally->launches : tally->result->lost;
  pthread_mutex_unlock(&lock);
  return lost;
}

void gp_clones_unit_leaves(void) {
  pthread_mutex_lock(&lock);
  int error = read_all();
  pthread_mutex_unlock(&lock);
  if (error)
    gp_log(GP_DEBUG, "", "what clones of a unit that leaves have counted cannot be read yet: %s", gp_device()->error_text(error));
}

void gp_clones_device_resets(int device) {
  pthread_mutex_lock(&lock);
  if (!read_all()) {
    release_chunks();
  } else {
    gp_log(GP_WARN, "cudaDeviceReset", "what was counted before it could not be read and is missing");
    struct gp_clone_result **link = &unread;
    while (*link)
      if ((*link)->device == device) {
        (*link)->buffer = 0;
        lose(*link);
        *link = (*link)->unread;
      } else {
        link = &(*link)->unread;
      }
    size_t kept = 0;
    for (size_t i = 0; i < chunk_count; i++)
      if (chunks[i].device != device)
        chunks[kept++] = chunks[i];
    chunk_count = kept;
  }
  pthread_mutex_unlock(&lock);
}
