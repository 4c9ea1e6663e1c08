// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/addresses.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/settings.h"
#include "clones/footprint.h"
#include "clones/launch_key.h"
#include "clones/pointers_disjoint.h"
#include "clones/sector_table.h"
#include "core/snapshot.h"
#include "gpuprof/abi.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096u
#define KEYS_MAXIMUM 16384u /* remembered launches; the bytes of further new ones stay unknown */
#define PARAMETERS_MAXIMUM_BYTES 32768u /* of a kernel, on any GPU */
#define LEAST_SLOTS 65536u              /* 4 GiB, and 17 MB of device memory */
#define MOST_SLOTS (UINT64_C(1) << 22)  /* 256 GiB, and 1.1 GB */
#define SECONDS 10u /* time limit of finding unique bytes without a request for them */
#define STEPS_OF_LAUNCH (UINT64_C(1) << 20)    /* of an address formula: some tenths of a second */
#define STEPS_BESIDE_CLONE (UINT64_C(1) << 16) /* where a GPU can do the rest */
#define STEPS_OF_ALL (UINT64_C(1) << 22)       /* of those that nobody asked for */

/* The memory footprint of a launch: a function of its key. */
struct footprint {
  struct footprint *next; /* among the unknown ones */
  struct gp_kernel *kernel;
  int device;
  uint32_t grid[3], block[3];
  enum { WAITS, KNOWN, LOST } state;
  uint64_t bytes; /* touched; valid when known */
  uint8_t read[]; /* the argument bytes read by the clone, in the order of the sheet */
};

struct remembered {
  struct remembered *chain; /* of a bucket */
  const struct gp_kernel *kernel;
  struct footprint *footprint;
  uint64_t hash;
  size_t key_bytes;
  uint8_t key[];
};

/* Number of a record's launches with this footprint. */
struct gp_footprints {
  struct gp_footprints *next; /* of the same record */
  const struct remembered *latest;
  struct footprint *footprint;
  uint64_t launches;
};

GP_MUTEX(lock, GP_LOCK_ADDRESSES)
static struct remembered *buckets[BUCKETS];
static struct footprint *waiting;
static size_t key_count;
static uint64_t spent_ns;
static uint64_t steps_left = STEPS_OF_ALL;

/* ---- How a kernel's unique bytes are found ---- */

enum way { NOT_HERE, BY_FREE_CLONE, BY_LIGHT_CLONE, BY_COPY };

static const struct gp_sheet_clone *clone_of(const struct gp_kernel *kernel, size_t instance) {
  return &gp_instance_sheet(&kernel->instances[instance])->addresses;
}

/* A kernel in several modules has one clone in each. The reads of all of them count. */
static enum way clone_way(const struct gp_kernel *kernel) {
  enum way way = kernel->instance_count ? BY_FREE_CLONE : NOT_HERE;
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const enum gp_clone_kind kind = clone_of(kernel, i)->kind;
    if (kind == GP_CLONE_NONE)
      return NOT_HERE;
    if (kind == GP_CLONE_LIGHT)
      way = BY_LIGHT_CLONE;
  }
  return way;
}

/* A clone reading memory must not read memory written by the kernel. */
static const char *objection_to(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  const char *objection = NULL;
  for (size_t i = 0; i < kernel->instance_count && !objection; i++)
    objection = gp_pointers_clone_objection(clone_of(kernel, i), launch);
  return objection;
}

static int device_marks_sectors(void) { return gp_device()->marks_sectors; }

static enum way way_of(const struct gp_kernel *kernel) {
  const struct gp_settings *settings = gp_settings();
  const enum gp_unique unique = settings->unique;
  const enum way clone = clone_way(kernel);
  if (unique == GP_UNIQUE_MARKING)
    return BY_COPY;
  if (unique == GP_UNIQUE_HOST)
    return clone == BY_FREE_CLONE ? clone : NOT_HERE;
  if (unique == GP_UNIQUE_CLONES)
    return clone;
  if (unique == GP_UNIQUE_OFF)
    return NOT_HERE;
  if (device_marks_sectors()) /* unless kernels do not run */
    return settings->counts_only && clone == BY_FREE_CLONE ? clone : NOT_HERE;
  if (unique == GP_UNIQUE_ON)
    return clone ? clone : BY_COPY;
  return unique == GP_UNIQUE_AUTO && clone == BY_FREE_CLONE ? clone : NOT_HERE;
}

int gp_addresses_untimed(void) {
  const enum gp_unique unique = gp_settings()->unique;
  return unique == GP_UNIQUE_CLONES || unique == GP_UNIQUE_HOST || unique == GP_UNIQUE_MARKING ||
         (unique == GP_UNIQUE_ON && !device_marks_sectors());
}

int gp_addresses_in_place(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  const enum way way = way_of(kernel);
  return way == BY_COPY ||
         (way == BY_LIGHT_CLONE && gp_settings()->unique == GP_UNIQUE_ON && objection_to(kernel, launch));
}

static void refuse(const struct gp_kernel *kernel, const char *why) {
  gp_remark(kernel->name, "its unique bytes are not known: %s", why);
}

/* For a reason that may hold for each launch. The caller holds the kernel's lock. */
static void refuse_launch(struct gp_kernel *kernel, const char *why) {
  if (gp_kernel_tells(kernel, GP_REMARK_UNIQUE, why))
    refuse(kernel, why);
}

/* ---- Keys ---- */

enum key_kind { ADDRESSES, DISTANCES }; /* keys of different kinds never match */

static const void *argument(const struct gp_launch *launch, const struct gp_sheet_read *read) {
  return (const char *)launch->arguments[read->parameter] + read->offset;
}

#define EACH_READ(kernel, read)                                                                              \
  for (size_t instance_ = 0; instance_ < (kernel)->instance_count; instance_++)                              \
    for (const struct gp_sheet_read *read = clone_of(kernel, instance_)->reads;                              \
         read < clone_of(kernel, instance_)->reads + clone_of(kernel, instance_)->read_count; read++)

/* The argument bytes read by the clone, unchanged. */
static void make_exact_key(struct gp_launch_key *key, const struct gp_kernel *kernel, const struct gp_launch *launch) {
  gp_launch_key_begin(key, ADDRESSES, launch);
  EACH_READ(kernel, read) gp_launch_key_add(key, argument(launch, read), read->bytes);
}

#define BASES_MAXIMUM 64
struct base {
  uint64_t address, start; /* of the allocation */
};

/* A key for clones with addresses summed from a pointer and a function of the other argument bytes. A pointer
 * reaches its own allocation only, as in C++. The footprint in each allocation moves with the pointers into
 * it. The number of sectors stays the same if the pointers keep their distances and the first one keeps its
 * offset in a sector. */
static void make_relative_key(struct gp_launch_key *key, const struct gp_kernel *kernel,
                              const struct gp_launch *launch) {
  enum { BYTES_OF_SECTOR = 32 };
  struct base bases[BASES_MAXIMUM];
  uint32_t count = 0;
  gp_launch_key_begin(key, DISTANCES, launch);
  EACH_READ(kernel, read) {
    if (!read->is_base) {
      gp_launch_key_add(key, argument(launch, read), read->bytes);
      continue;
    }
    struct gp_memory_range memory = {0};
    uint64_t address, first = 0;
    memcpy(&address, argument(launch, read), sizeof address);
    if (count == BASES_MAXIMUM || gp_device()->allocation(address, &memory)) {
      key->bytes = 0;
      return;
    }
    while (first < count && bases[first].start != memory.start)
      first++;
    const uint64_t place = first < count ? address - bases[first].address : address % BYTES_OF_SECTOR;
    bases[count++] = (struct base){address, memory.start};
    gp_launch_key_add(key, &first, sizeof first);
    gp_launch_key_add(key, &place, sizeof place);
  }
  if (!count)
    key->bytes = 0; /* it adds nothing to the exact key */
}

static int is(const struct remembered *r, const struct gp_kernel *kernel, const struct gp_launch_key *key) {
  return r->kernel == kernel && r->key_bytes == key->bytes && !memcmp(r->key, key->data, key->bytes);
}

/* ---- Remembered launches ---- */

static struct remembered *find(const struct gp_kernel *kernel, const struct gp_launch_key *key, uint64_t hash) {
  struct remembered *r = key->bytes ? buckets[hash % BUCKETS] : NULL;
  while (r && !(r->hash == hash && is(r, kernel, key)))
    r = r->chain;
  return r;
}

static struct remembered *remember(const struct gp_kernel *kernel, const struct gp_launch_key *key, uint64_t hash,
                                   struct footprint *footprint) {
  struct remembered *r = malloc(sizeof *r + key->bytes);
  if (!r)
    return NULL;
  struct remembered **bucket = &buckets[hash % BUCKETS];
  *r = (struct remembered){*bucket, kernel, footprint, hash, key->bytes};
  memcpy(r->key, key->data, key->bytes);
  key_count++;
  return *bucket = r;
}

static struct footprint *make_footprint(struct gp_kernel *kernel, const struct gp_launch *launch) {
  size_t bytes = 0, done = 0;
  EACH_READ(kernel, read) bytes += read->bytes;
  struct footprint *footprint = calloc(1, sizeof *footprint + bytes);
  if (!footprint)
    return NULL;
  footprint->kernel = kernel;
  footprint->device = launch->device;
  memcpy(footprint->grid, launch->grid, sizeof footprint->grid);
  memcpy(footprint->block, launch->block, sizeof footprint->block);
  EACH_READ(kernel, read) {
    memcpy(footprint->read + done, argument(launch, read), read->bytes);
    done += read->bytes;
  }
  footprint->next = waiting;
  return waiting = footprint;
}

/* Finds or makes the entry of this key or of an equivalent one; null without room. */
static const struct remembered *footprint_of(struct gp_kernel *kernel, const struct gp_launch *launch,
                                             const struct gp_launch_key *exact) {
  const uint64_t hash = gp_launch_key_hash(kernel, exact);
  struct remembered *r = find(kernel, exact, hash);
  if (r || !exact->bytes)
    return r;
  struct gp_launch_key relative;
  make_relative_key(&relative, kernel, launch);
  const uint64_t relative_hash = gp_launch_key_hash(kernel, &relative);
  struct remembered *alike = find(kernel, &relative, relative_hash);
  if (key_count + 2 > KEYS_MAXIMUM)
    return alike;
  struct footprint *footprint = alike ? alike->footprint : make_footprint(kernel, launch);
  if (!footprint)
    return NULL;
  if (!alike && relative.bytes)
    remember(kernel, &relative, relative_hash, footprint);
  return remember(kernel, exact, hash, footprint);
}

static struct gp_footprints *tally_of(struct gp_record *record, struct footprint *footprint) {
  struct gp_footprints *tally = record->footprints;
  while (tally && tally->footprint != footprint)
    tally = tally->next;
  if (!tally && (tally = calloc(1, sizeof *tally))) {
    *tally = (struct gp_footprints){.next = record->footprints, .footprint = footprint};
    gp_records_lock();
    record->footprints = tally;
    gp_records_unlock();
  }
  return tally;
}

/* Null if it is not remembered. */
static struct gp_footprints *note(struct gp_record *record, const struct gp_launch *launch) {
  gp_assert_held(&lock);
  struct gp_footprints *tally = record->latest_footprints; /* most launches repeat the one before */
  struct gp_launch_key key;
  make_exact_key(&key, record->kernel, launch);
  if (!tally || !is(tally->latest, record->kernel, &key)) {
    const struct remembered *r = footprint_of(record->kernel, launch, &key);
    tally = r ? tally_of(record, r->footprint) : NULL;
    if (!tally) {
      refuse(record->kernel, "its launches differ too often; 'gpuprof run --unique' finds them all");
      return NULL;
    }
    tally->latest = r;
    record->latest_footprints = tally;
  }
  tally->launches++;
  return tally;
}

/* ---- Running address clones ---- */

/* The arguments of a launch and the table behind them; null without memory. */
static void **with_table(void **arguments, size_t count, uint64_t *table) {
  void **all = malloc((count + 1) * sizeof *all);
  if (!all)
    return NULL;
  memcpy(all, arguments, count * sizeof *all);
  all[count] = table;
  return all;
}

/* An address clone can run again, so the table begins small. */
static const char *run_clone(struct gp_launch launch, size_t parameters, uint64_t *bytes) {
  const char *why = "there was no device memory left to mark them in";
  uint64_t table, slots = gp_sector_table_slots(launch.device);
  void **arguments = with_table(launch.arguments, parameters, &table);
  launch.arguments = arguments;
  launch.cooperative = 0;
  launch.attribute_count = 0;
  enum gp_sector_table marks = GP_SECTOR_TABLE_FULL;
  for (slots = slots < LEAST_SLOTS ? LEAST_SLOTS : slots; arguments && marks == GP_SECTOR_TABLE_FULL; slots *= 8) {
    if (slots > MOST_SLOTS || gp_sector_table_prepare(launch.device, slots, &table))
      break;
    why = gp_device()->launch_clone(&launch, GPUPROF_ADDRESSES_SUFFIX);
    if (why)
      break;
    marks = gp_sector_table_read(launch.device, bytes);
    why = marks == GP_SECTOR_TABLE_READ   ? NULL
          : marks == GP_SECTOR_TABLE_FULL ? "it touches more than 128 GiB"
                                   : "the device reports an error";
  }
  free(arguments);
  return why;
}

/* The clones of a kernel in several modules have the same parameters. */
static size_t parameters_of(const struct gp_kernel *kernel) { return clone_of(kernel, 0)->parameters; }

static const char *run_clone_alone(const struct gp_kernel *kernel, const struct gp_launch *launch,
                                   uint64_t *bytes) {
  const uint64_t start = gp_now();
  gp_sector_table_lock();
  const char *why = run_clone(*launch, parameters_of(kernel), bytes);
  gp_sector_table_unlock();
  if (!why)
    gp_log(GP_DEBUG, kernel->name, "finding the %llu unique bytes of a launch took %llu us",
           (unsigned long long)*bytes, (unsigned long long)((gp_now() - start) / 1000));
  return why;
}

static void add_launch(struct gp_record *record, uint64_t bytes) {
  gp_records_lock();
  record->unique_bytes += bytes;
  record->unique_launches++;
  gp_records_unlock();
}

static void run_light(struct gp_record *record, const struct gp_launch *launch) {
  uint64_t bytes;
  const char *why = objection_to(record->kernel, launch);
  if (!why)
    why = run_clone_alone(record->kernel, launch, &bytes);
  if (why)
    return refuse(record->kernel, why);
  add_launch(record, bytes);
}

/* Rebuilds the arguments from the bytes read by the clone, each at its offset. Bytes between them are arbitrary. The last
 * argument has room for the longest parameter, since its size is not known. */
static void **rebuild_arguments(const struct footprint *footprint, uint8_t **memory) {
  const size_t count = parameters_of(footprint->kernel);
  size_t *ends = calloc(count + 1, sizeof *ends), all = 0, done = 0;
  void **arguments = calloc(count + 1, sizeof *arguments);
  *memory = NULL;
  if (ends && arguments) {
    EACH_READ(footprint->kernel, read)
    if (ends[read->parameter] < read->offset + read->bytes)
      ends[read->parameter] = read->offset + read->bytes;
    for (size_t i = 0; i < count; i++)
      all += (ends[i] + 15) / 16 * 16;
    *memory = calloc(1, all + PARAMETERS_MAXIMUM_BYTES);
  }
  for (size_t i = 0, at = 0; *memory && i < count; at += (ends[i++] + 15) / 16 * 16)
    arguments[i] = *memory + at;
  if (*memory)
    EACH_READ(footprint->kernel, read) {
      memcpy((uint8_t *)arguments[read->parameter] + read->offset, footprint->read + done, read->bytes);
      done += read->bytes;
    }
  free(ends);
  if (!*memory) {
    free(arguments);
    return NULL;
  }
  return arguments;
}

void gp_addresses_reset_time(void) {
  spent_ns = 0;
  steps_left = STEPS_OF_ALL;
}

/* Null unless all modules have the same one. */
static const struct gp_formula *formula_of(const struct gp_kernel *kernel) {
  const struct gp_formula *formula = clone_of(kernel, 0)->formula;
  for (size_t i = 1; formula && i < kernel->instance_count; i++) {
    const struct gp_formula *other = clone_of(kernel, i)->formula;
    if (!other || !gp_formulas_equal(formula, other))
      return NULL;
  }
  return formula;
}

static int has_clone(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_sheet(&kernel->instances[i])->lacks_address_clone)
      return 0;
  return 1;
}

static const char *compute_bytes(struct footprint *footprint, const struct gp_launch *launch) {
  const int is_asked = gp_settings()->unique != GP_UNIQUE_AUTO;
  const int has_other = has_clone(footprint->kernel) && gp_settings()->unique != GP_UNIQUE_HOST;
  uint64_t steps = has_other ? STEPS_BESIDE_CLONE : STEPS_OF_LAUNCH;
  if (!is_asked && steps > steps_left)
    steps = steps_left;
  const uint64_t before = steps, start = gp_now();
  const char *why = gp_footprint_bytes(formula_of(footprint->kernel), launch, &steps, &footprint->bytes);
  if (!is_asked)
    steps_left -= before - steps;
  gp_log(GP_DEBUG, footprint->kernel->name, "computing the unique bytes of a launch took %llu steps and %llu us: %s",
         (unsigned long long)(before - steps), (unsigned long long)((gp_now() - start) / 1000), why ? why : "found");
  return why;
}

/* On the host if it can, else by the clone. */
static const char *compute_or_run(struct footprint *footprint, const struct gp_launch *launch) {
  const enum gp_unique unique = gp_settings()->unique;
  const char *why = !formula_of(footprint->kernel) ? "the host cannot compute them; compile it with -fplugin-arg-gpuprof-unique=auto"
                    : unique == GP_UNIQUE_CLONES   ? "it has no clone; compile it with -fplugin-arg-gpuprof-unique=auto"
                                                   : compute_bytes(footprint, launch);
  if (!why || unique == GP_UNIQUE_HOST || !has_clone(footprint->kernel))
    return why;
  return run_clone_alone(footprint->kernel, launch, &footprint->bytes);
}

static const char *find_bytes(struct footprint *footprint) {
  if (!footprint->kernel->host)
    return "its module is gone";
  if (gp_settings()->unique == GP_UNIQUE_AUTO && !device_marks_sectors() && spent_ns > SECONDS * UINT64_C(1000000000))
    return "finding those of other kernels has taken 10 s; 'gpuprof run --unique' finds them all";
  uint8_t *memory;
  void **arguments = rebuild_arguments(footprint, &memory);
  struct gp_launch launch = {
      .function = footprint->kernel->host, .arguments = arguments, .device = footprint->device};
  memcpy(launch.grid, footprint->grid, sizeof launch.grid);
  memcpy(launch.block, footprint->block, sizeof launch.block);
  const char *why =
      arguments ? compute_or_run(footprint, &launch) : "memory is exhausted";
  free(arguments);
  free(memory);
  return why;
}

/* The caller holds the lock. */
static void find_waiting(void) {
  gp_assert_held(&lock);
  int here = -1;
  if (!waiting || gp_device()->current(&here))
    return;
  for (; waiting; waiting = waiting->next) {
    struct footprint *footprint = waiting;
    const uint64_t start = gp_now();
    const int elsewhere = footprint->device != here;
    const char *why = elsewhere && gp_device()->select(footprint->device) ? "its device cannot be used"
                                                                          : find_bytes(footprint);
    if (elsewhere)
      gp_device()->select(here);
    footprint->state = why ? LOST : KNOWN;
    if (why)
      refuse(footprint->kernel, why);
    spent_ns += gp_now() - start;
  }
}

/* ---- Marking kernels in the kernel's place ---- */

/* Slots for every block of the device's memory in use, at most half of them taken. A marking kernel does the
 * kernel's work and therefore runs once. */
static uint64_t slots_in_use(void) {
  uint64_t used = 0, slots = LEAST_SLOTS;
  if (gp_device()->memory_in_use && !gp_device()->memory_in_use(&used))
    while (slots < 2 * (used / GPUPROF_UNIQUE_BLOCK_BYTES))
      slots *= 2;
  return slots;
}

static const char *run_marking(struct gp_record *record, struct gp_launch launch, int *error) {
  uint64_t table, bytes;
  const size_t parameters = gp_instance_sheet(&record->kernel->instances[0])->parameters;
  void **arguments = with_table(launch.arguments, parameters, &table);
  launch.arguments = arguments;
  const char *why = !arguments || gp_sector_table_prepare(launch.device, slots_in_use(), &table)
                        ? "there was no device memory left to mark them in"
                        : gp_device()->launch_instrumented(&launch, GPUPROF_UNIQUE_SUFFIX, error);
  free(arguments);
  if (why || *error)
    return why;
  switch (gp_sector_table_read(launch.device, &bytes)) { /* the program's next call reports an error of the kernel */
  case GP_SECTOR_TABLE_READ:
    add_launch(record, bytes);
    break;
  case GP_SECTOR_TABLE_FULL:
    refuse(record->kernel, "it touched more memory than the device has in use (host or managed memory)");
    break;
  case GP_SECTOR_TABLE_ERROR:
    break;
  }
  return NULL;
}

/* ---- Launches ---- */

int gp_addresses_launch_marking(struct gp_record *record, const struct gp_launch *launch, int *error) {
  const struct gp_kernel *kernel = record->kernel;
  const char *why = NULL;
  for (size_t i = 0; i < kernel->instance_count && !why; i++)
    if (!gp_instance_sheet(&kernel->instances[i])->has_marking_kernel)
      why = "it has no copy that marks them; compile it with -fplugin-arg-gpuprof-unique=on (a kernel that "
            "reaches global memory by inline PTX or by copies past the registers has none)";
  if (!kernel->instance_count)
    why = "it was compiled without the plugin";
  *error = 0;
  if (!why) {
    gp_sector_table_lock();
    why = run_marking(record, *launch, error);
    gp_sector_table_unlock();
  }
  if (why)
    refuse(kernel, why);
  return why != NULL;
}

/* Nothing finds the launch's unique bytes. */
static void tell_unknown(struct gp_record *record) {
  if (device_marks_sectors() && gp_settings()->counts_only &&
      gp_settings()->unique != GP_UNIQUE_OFF && !gp_settings()->unique_file)
    refuse_launch(record->kernel, "with GPUPROF_COUNTS_ONLY=1 no kernel runs, and no clone for the CPU device finds them; compile it with "
                           "-fplugin-arg-gpuprof-unique=on (if they depend on memory, run the kernels)");
  if (!device_marks_sectors() && gp_settings()->unique == GP_UNIQUE_AUTO &&
      !gp_settings()->unique_file)
    refuse_launch(record->kernel,
           clone_way(record->kernel)
               ? "they depend on memory; 'gpuprof run --unique' finds them, or the CPU device (GPUPROF_DEVICE=cpu)"
               : "compile it with -fplugin-arg-gpuprof-unique=auto; if they depend on memory, with unique=on for "
                 "'gpuprof run --unique', or run on the CPU device (GPUPROF_DEVICE=cpu)");
}

int gp_addresses_launched(struct gp_record *record, const struct gp_launch *launch, struct gp_footprints **tally) {
  const enum way way = way_of(record->kernel);
  *tally = NULL;
  if (way == BY_LIGHT_CLONE && !gp_addresses_in_place(record->kernel, launch))
    run_light(record, launch);
  if (way == NOT_HERE)
    tell_unknown(record);
  if (way != BY_FREE_CLONE)
    return way == NOT_HERE;
  pthread_mutex_lock(&lock);
  *tally = note(record, launch);
  pthread_mutex_unlock(&lock);
  return *tally != NULL;
}

void gp_addresses_repeated(struct gp_footprints *tally, uint64_t launches) {
  pthread_mutex_lock(&lock);
  tally->launches += launches;
  pthread_mutex_unlock(&lock);
}

/* ---- Results ---- */

void gp_addresses_add(struct gp_record *copy) {
  if (!copy->footprints)
    return;
  pthread_mutex_lock(&lock);
  if (!gp_snapshot_is_passing())
    find_waiting();
  for (const struct gp_footprints *tally = copy->footprints; tally; tally = tally->next)
    if (tally->footprint->state == KNOWN) {
      copy->unique_bytes += tally->launches * tally->footprint->bytes;
      copy->unique_launches += tally->launches;
    }
  pthread_mutex_unlock(&lock);
}

void gp_addresses_find_all(void) {
  pthread_mutex_lock(&lock);
  find_waiting();
  pthread_mutex_unlock(&lock);
}
