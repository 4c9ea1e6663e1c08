// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/counters.h"

#include "base/locks.h"
#include "base/log.h"
#include "base/process_calls.h"
#include "core/snapshot.h"
#include "core/time_steps.h"
#include "core/uncounted.h"
#include "core/unlocked_launches.h"

#include <stdlib.h>
#include <string.h>

/* ---- Layout ---- */

/* For a kernel with steps, a control block and the rows of other steps lie behind the slots. */
static size_t slot_words(const struct gp_sheet_kernel *kernel) {
  return (size_t)GPUPROF_COUNTER_SLOTS * kernel->groups;
}
static size_t others_begin(const struct gp_sheet_kernel *kernel) {
  return slot_words(kernel) + sizeof(struct gpuprof_step_control) / sizeof(uint64_t);
}

/* … and behind them the addresses passed to functions of other units. */
static size_t calls_begin(const struct gp_sheet_kernel *kernel) {
  return kernel->stepped_count ? others_begin(kernel) + kernel->stepped_count * kernel->groups
                               : slot_words(kernel);
}

static size_t counter_bytes(const struct gp_sheet_kernel *kernel) {
  return (calls_begin(kernel) + kernel->call_count) * sizeof(uint64_t);
}

size_t gp_count_rows(const struct gp_sheet_kernel *kernel) { return 1 + kernel->stepped_count; }

/* ---- Counters kept on a device: those of records, oldest first ---- */

static struct kept {
  struct gp_record *oldest, *newest;
  _Atomic size_t bytes; /* read without the lock, for an inexact bound */
} kept[GP_DEVICES];
GP_MUTEX(lock, GP_LOCK_COUNTERS)

void gp_counters_lock(void) { pthread_mutex_lock(&lock); }
void gp_counters_unlock(void) { pthread_mutex_unlock(&lock); }

static void keep(struct gp_record *record, size_t bytes) {
  struct kept *k = &kept[record->device];
  pthread_mutex_lock(&lock);
  if (!record->kept_bytes) {
    record->older = k->newest;
    *(k->newest ? &k->newest->newer : &k->oldest) = record;
    k->newest = record;
  }
  record->kept_bytes += bytes;
  k->bytes += bytes;
  pthread_mutex_unlock(&lock);
}

/* The caller holds the lock. */
static void forget(struct gp_record *record) {
  gp_assert_held(&lock);
  struct kept *k = &kept[record->device];
  if (!record->kept_bytes)
    return;
  *(record->older ? &record->older->newer : &k->oldest) = record->newer;
  *(record->newer ? &record->newer->older : &k->newest) = record->older;
  k->bytes -= record->kept_bytes;
  record->kept_bytes = 0;
  record->older = record->newer = NULL;
}

static void bring_home(struct gp_record *spared, size_t bytes_left);

/* Counters of a kernel, or of a function of another unit. Documents read them from now on: they get an address of zeros only. */
static int allocate_for(struct gp_record *record, const struct gp_sheet_kernel *sheet, uint64_t *address,
                        uint64_t *step_id) {
  uint64_t zeros = 0;
  int error = gp_device()->allocate(&zeros, counter_bytes(sheet));
  if (error) { /* releasing others' counters may make room */
    bring_home(record, 0);
    error = gp_device()->allocate(&zeros, counter_bytes(sheet));
  }
  *address = error ? 0 : zeros;
  if (error)
    return error;
  keep(record, counter_bytes(sheet));
  if (sheet->stepped_count) {
    uint64_t control = *address + slot_words(sheet) * sizeof(uint64_t);
    error = gp_time_steps_prepare(record->device, control, (uint32_t)sheet->stepped_count, step_id);
  }
  if (error)
    gp_log(GP_NOTE, record->kernel->name,
           "its steps are counted together, since there is no room for them: %s",
           gp_device()->error_text(error));
  return 0;
}

/* ---- Functions of other units ---- */

/* With more of them, more chains of calls lead to few functions. */
#define CALLEES_MAXIMUM 1024

/* A function calling itself through others counts for its outermost call. */
static const struct gp_callee *around(const struct gp_callee *caller, const char *name) {
  while (caller && (!caller->at.unit || strcmp(gp_instance_sheet(&caller->at)->name, name)))
    caller = caller->caller;
  return caller;
}

static struct gp_callee *callee_of(struct gp_record *record, size_t instance, const struct gp_callee *caller,
                                   size_t call, const char *name) {
  size_t count = 0;
  for (struct gp_callee *c = record->callees; c; c = c->next, count++)
    if (c->instance == instance && c->caller == caller && c->call == call)
      return c;
  struct gp_callee *callee = count < CALLEES_MAXIMUM ? calloc(1, sizeof *callee) : NULL;
  if (!callee)
    return NULL;
  callee->instance = instance;
  callee->caller = caller;
  callee->call = call;
  callee->at = gp_kernels_find_function(name, record->device);
  callee->next = record->callees;
  gp_records_lock();
  record->callees = callee;
  gp_records_unlock();
  return callee;
}

/* Allocates counters for all functions reached by calls of a kernel's instance, or of a callee. Stores their
 * addresses behind its counters. */
static int allocate_calls(struct gp_record *record, size_t instance, const struct gp_callee *caller,
                          const struct gp_sheet_kernel *sheet, uint64_t counters) {
  int error = 0;
  for (size_t i = 0; i < sheet->call_count && !error; i++) {
    const struct gp_callee *outer = around(caller, sheet->calls[i].name);
    struct gp_callee *callee = outer ? NULL : callee_of(record, instance, caller, i, sheet->calls[i].name);
    if (callee && callee->at.unit && !callee->counters) {
      const struct gp_sheet_kernel *called = gp_instance_sheet(&callee->at);
      error = allocate_for(record, called, &callee->counters, &callee->step_id);
      error = error ? error : allocate_calls(record, instance, callee, called, callee->counters);
    }
    uint64_t address = outer ? outer->counters : callee ? callee->counters : 0;
    if (!error)
      error = gp_device_poke(counters + 8 * (calls_begin(sheet) + i), &address, sizeof address);
    if (!outer && !callee)
      gp_log(GP_WARN, record->kernel->name,
             "some functions of other files that it calls are not counted, since there are too many ways of calls");
  }
  return error;
}

int gp_counters_allocate_instance(struct gp_record *record, size_t i) {
  gp_assert_held(&record->kernel->lock);
  const struct gp_sheet_kernel *sheet = gp_instance_sheet(&record->kernel->instances[i]);
  int error = allocate_for(record, sheet, &record->counters[i], &record->step_ids[i]);
  return error ? error : allocate_calls(record, i, NULL, sheet, record->counters[i]);
}

void gp_counters_allocate(struct gp_record *record) {
  gp_assert_held(&record->kernel->lock);
  const size_t bound = gp_device()->counters_kept;
  record->uncounted = NULL;
  if (bound && atomic_load_explicit(&kept[record->device].bytes, memory_order_relaxed) > bound)
    bring_home(record, bound / 2);
  for (size_t i = 0; i < record->kernel->instance_count; i++) {
    const int has_any = record->counters[i] || gp_instance_is_cloned(&record->kernel->instances[i]);
    int error = has_any ? 0 : gp_counters_allocate_instance(record, i);
    if (!error)
      continue;
    record->uncounted = "the device has no memory for counters";
    gp_log(GP_WARN, record->kernel->name,
           "launches are not counted, since the device has no memory for counters: %s",
           gp_device()->error_text(error));
  }
}

int gp_counters_have_steps(const struct gp_record *record) {
  for (size_t i = 0; i < record->kernel->instance_count; i++)
    if (gp_instance_sheet(&record->kernel->instances[i])->stepped_count)
      return 1;
  for (const struct gp_callee *c = record->callees; c; c = c->next)
    if (c->at.unit && gp_instance_sheet(&c->at)->stepped_count)
      return 1;
  return 0;
}

/* ---- Reading ---- */

static void add_slots(const struct gp_sheet_kernel *kernel, const uint64_t *words, uint64_t *counts) {
  for (size_t slot = 0; slot < GPUPROF_COUNTER_SLOTS; slot++)
    for (uint32_t i = 0; i < kernel->groups; i++)
      counts[i] += words[slot * kernel->groups + i];
  for (size_t i = 0; i < kernel->stepped_count * kernel->groups; i++)
    counts[kernel->groups + i] += words[others_begin(kernel) + i];
}

/* Adds so many words of the device's memory. */
static int add_words(uint64_t address, size_t count, uint64_t *counts) {
  uint64_t few[32], *words = count <= sizeof few / sizeof *few ? few : malloc(count * sizeof *words);
  const int error = words ? gp_snapshot_read(words, address, count * sizeof *words) : -1;
  for (size_t i = 0; !error && i < count; i++)
    counts[i] += words[i];
  if (words != few)
    free(words);
  return error;
}

/* For a device using few slots. */
static int add_used_slots(const struct gp_sheet_kernel *kernel, uint64_t counters, uint64_t *counts) {
  int error = 0;
  uint32_t slot;
  for (uint32_t worker = 0; !error && (slot = gp_device()->slot(worker)) < GPUPROF_COUNTER_SLOTS; worker++)
    error = add_words(counters + (uint64_t)slot * kernel->groups * sizeof *counts, kernel->groups, counts);
  if (!error && kernel->stepped_count)
    error = add_words(counters + others_begin(kernel) * sizeof *counts, kernel->stepped_count * kernel->groups,
                      counts + kernel->groups);
  return error;
}

/* Counts of the counters of a kernel, or of a function of another unit. */
static int read_counts(const struct gp_sheet_kernel *kernel, uint64_t counters, const uint64_t *saved,
                       uint64_t *counts) {
  size_t bytes = gp_count_rows(kernel) * kernel->groups * sizeof *counts;
  if (saved)
    memcpy(counts, saved, bytes);
  else
    memset(counts, 0, bytes);
  if (!counters)
    return 0;
  if (gp_device()->slot)
    return add_used_slots(kernel, counters, counts);
  uint64_t *words = malloc(counter_bytes(kernel));
  if (!words)
    return -1;
  int error = gp_snapshot_read(words, counters, counter_bytes(kernel));
  if (!error)
    add_slots(kernel, words, counts);
  free(words);
  return error;
}

int gp_counters_read(const struct gp_record *record, size_t instance, uint64_t *counts) {
  return read_counts(gp_instance_sheet(&record->kernel->instances[instance]), record->counters[instance],
                     record->saved[instance], counts);
}

int gp_counters_read_callee(const struct gp_callee *callee, uint64_t *counts) {
  return read_counts(gp_instance_sheet(&callee->at), callee->counters, callee->saved, counts);
}

/* ---- Saving ---- */

/* Adds the counters' values to `saved`; on an error both stay unchanged. */
static int save(const struct gp_sheet_kernel *sheet, uint64_t counters, uint64_t **saved) {
  uint64_t *counts = calloc(gp_count_rows(sheet) * sheet->groups, sizeof *counts);
  int error = counts ? read_counts(sheet, counters, *saved, counts) : -1;
  if (error) {
    free(counts);
    return error;
  }
  free(*saved);
  *saved = counts;
  return 0;
}

static int save_at_reset(const struct gp_kernel *kernel, const struct gp_sheet_kernel *sheet, uint64_t *counters,
                         uint64_t **saved) {
  int error = *counters ? save(sheet, *counters, saved) : 0;
  *counters = 0;
  if (error)
    gp_log(GP_WARN, kernel->name, "its counts from before cudaDeviceReset() could not be read and are missing");
  return error;
}

static void mark_saved(struct gp_record *record) {
  gp_process_calls.settle_launches();
  gp_records_lock();
  record->launches_saved = record->launches;
  gp_records_unlock();
  record->reset = 1;
}

void gp_counters_device_resets(struct gp_record *record) {
  gp_assert_held(&record->kernel->lock);
  const struct gp_kernel *kernel = record->kernel;
  int lost = 0;
  gp_process_calls.settle_launches();
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < kernel->instance_count; i++)
    lost |= save_at_reset(kernel, gp_instance_sheet(&kernel->instances[i]), &record->counters[i], &record->saved[i]);
  for (struct gp_callee *c = record->callees; c; c = c->next)
    if (c->at.unit)
      lost |= save_at_reset(kernel, gp_instance_sheet(&c->at), &c->counters, &c->saved);
  forget(record);
  pthread_mutex_unlock(&lock);
  if (lost)
    gp_uncounted_of(record, record->launches - record->launches_saved,
                    "what they counted before cudaDeviceReset() could not be read");
  mark_saved(record);
}

/* ---- Bringing counts home: counters of many paths would fill a device ---- */

static int save_and_release(const struct gp_sheet_kernel *sheet, uint64_t *counters, uint64_t **saved) {
  int error = *counters ? save(sheet, *counters, saved) : 0;
  if (error || !*counters)
    return error;
  gp_device()->release(*counters);
  *counters = 0;
  return 0;
}

/* Returns 0 or a device error. The caller holds the lock, and the kernel's; no launch of the kernel is under way. */
static int bring_record_home(struct gp_record *record) {
  gp_assert_held(&lock);
  int error = 0;
  for (size_t i = 0; i < record->kernel->instance_count && !error; i++)
    error = save_and_release(gp_instance_sheet(&record->kernel->instances[i]), &record->counters[i], &record->saved[i]);
  for (struct gp_callee *c = record->callees; c && !error; c = c->next)
    if (c->at.unit)
      error = save_and_release(gp_instance_sheet(&c->at), &c->counters, &c->saved);
  if (!error)
    forget(record);
  mark_saved(record); /* also after an error: freed counters are allocated anew, the others stay */
  return error;
}

/* Reads and releases the oldest counters of the record's device until `bytes_left` are kept there. The caller
 * holds the lock of the record's kernel; kernels being launched by others are skipped. */
static void bring_home(struct gp_record *spared, size_t bytes_left) {
  gp_assert_held(&spared->kernel->lock);
  struct kept *k = &kept[spared->device];
  gp_unlocked_launches_stop();
  pthread_mutex_lock(&lock);
  int error = 0;
  for (struct gp_record *record = k->oldest, *newer; record && k->bytes > bytes_left && !error; record = newer) {
    struct gp_kernel *kernel = record->kernel;
    newer = record->newer;
    if (record == spared || (kernel != spared->kernel && pthread_mutex_trylock(&kernel->lock)))
      continue;
    if (!gp_kernel_is_launching(kernel, record->device)) {
      gp_kernel_turn_off(kernel, record);
      error = gp_device()->synchronize();
      error = error ? error : bring_record_home(record);
    }
    if (kernel != spared->kernel)
      pthread_mutex_unlock(&kernel->lock);
  }
  pthread_mutex_unlock(&lock);
}

size_t gp_counters_kept(int device) {
  pthread_mutex_lock(&lock);
  const size_t bytes = kept[device].bytes;
  pthread_mutex_unlock(&lock);
  return bytes;
}
