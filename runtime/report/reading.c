// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reading.h"

#include "base/device.h"
#include "base/log.h"
#include "base/process_calls.h"
#include "base/settings.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "core/counters.h"
#include "core/snapshot.h"

#include <stdatomic.h>
#include <string.h>

/* Bytes of counts that a record had in the latest reading. */
static _Atomic size_t bytes_of_record = 256;

static size_t room_for(size_t count) { return count + count / 8 + 16; }

static void *grow(struct gp_reading *reading, void *array, size_t count, size_t *room, size_t bytes) {
  if (count < *room)
    return array;
  *room *= 2;
  return gp_scratch_grow(reading->memory, array, count * bytes, *room * bytes);
}

/* ---- Records ---- */

static size_t counts_bytes(const struct gp_kernel_instance *instance) {
  const struct gp_sheet_kernel *sheet = gp_instance_sheet(instance);
  return gp_count_rows(sheet) * sheet->groups * sizeof(uint64_t);
}

/* `amount` of a part of `of` threads or launches, for all of them. */
static uint64_t scaled(uint64_t amount, uint64_t of, uint64_t all) {
  return of ? (uint64_t)((long double)amount * (long double)all / (long double)of + 0.5L) : amount;
}

/* Launches of plain kernels are taken to do as much as counted ones, thread by thread. */
static void estimate_counts(const struct gp_record *record, uint64_t *counts, size_t bytes) {
  for (size_t i = 0; record->plain_launches && i < bytes / sizeof *counts; i++)
    counts[i] = scaled(counts[i], record->threads - record->plain_threads, record->threads);
}

/* Launches of twins are taken to last as long as those of plain kernels. */
static void estimate_time(struct gp_record *record) {
  const uint64_t timed = record->time.count, all = timed + record->untimed_launches;
  if (!timed || !record->untimed_launches)
    return;
  record->time.total = scaled(record->time.total, timed, all);
  record->time.count = all;
}

/* Nothing is used of a partly readable record: the counts of some instances would pass for all. */
static int read_counts(struct gp_reading *reading, struct gp_record_reading *r) {
  const struct gp_kernel *kernel = r->record.kernel;
  r->instance_count = kernel->instance_count;
  for (size_t i = 0; i < r->instance_count; i++) {
    const size_t bytes = counts_bytes(&kernel->instances[i]);
    if (!(r->counts[i] = gp_scratch_get(reading->memory, bytes)))
      return -1;
    reading->counts_bytes += bytes;
    if (!r->error)
      r->error = gp_record_read(&r->record, i, r->counts[i]);
  }
  for (size_t i = 0; i < r->instance_count; i++)
    if (r->error)
      memset(r->counts[i], 0, counts_bytes(&kernel->instances[i]));
    else
      estimate_counts(&r->record, r->counts[i], counts_bytes(&kernel->instances[i]));
  return 0;
}

static int read_callees(struct gp_reading *reading, struct gp_record_reading *r) {
  size_t count = 0;
  for (const struct gp_callee *callee = r->record.callees; callee; callee = callee->next)
    count++;
  if (!count)
    return 0;
  r->callees = gp_scratch_get(reading->memory, (count + 1) * sizeof *r->callees);
  struct gp_callee_reading *at = r->callees;
  for (const struct gp_callee *callee = r->record.callees; at && callee; callee = callee->next, at++) {
    at->callee = callee;
    if (!callee->at.unit)
      continue;
    uint64_t *counts = gp_scratch_get(reading->memory, counts_bytes(&callee->at));
    if (!counts)
      return -1;
    at->error = gp_counters_read_callee(callee, counts);
    estimate_counts(&r->record, counts, counts_bytes(&callee->at));
    at->counts = counts;
  }
  return r->callees ? 0 : -1;
}

static int copy_hardware(struct gp_reading *reading, struct gp_record *copy) {
  if (!copy->hardware)
    return 0;
  const struct gp_hardware_sum *original = copy->hardware;
  copy->hardware = gp_scratch_grow(reading->memory, original, sizeof *original, sizeof *original);
  return copy->hardware ? 0 : -1;
}

static int copy_shapes(struct gp_reading *reading, struct gp_record *copy) {
  const struct gp_launch_shapes *original = copy->shapes;
  if (!original)
    return 0;
  const size_t bytes = sizeof *original + original->count * sizeof *original->shapes;
  copy->shapes = gp_scratch_grow(reading->memory, original, bytes, bytes);
  return copy->shapes ? 0 : -1;
}

/* Called with the lock held that keeps the record's counts in place. */
static int read_record(struct gp_reading *reading, struct gp_record_reading *r) {
  gp_records_lock();
  r->record = *r->original;
  int result = copy_hardware(reading, &r->record) || copy_shapes(reading, &r->record);
  gp_records_unlock();
  if (result)
    return -1;
  estimate_time(&r->record);
  gp_addresses_add(&r->record);
  r->lost = r->record.tallies ? gp_clones_lost(&r->record) : 0;
  r->early = r->record.warmup && gp_warmup_leaves_out(r->original);
  return read_counts(reading, r) || read_callees(reading, r) ? -1 : 0;
}

static struct gp_record_reading *add_record(struct gp_reading *reading) {
  reading->records = grow(reading, reading->records, reading->record_count, &reading->record_room, sizeof *reading->records);
  return reading->records ? &reading->records[reading->record_count++] : NULL;
}

static int read_records(struct gp_reading *reading, const struct gp_context *context, size_t at) {
  gp_records_lock();
  const struct gp_record *first = context->records;
  gp_records_unlock();
  size_t place = 0;
  for (const struct gp_record *record = first; record; record = record->next_in_context) {
    struct gp_record_reading *r = add_record(reading);
    if (!r)
      return -1;
    r->original = record;
    r->place = place++;
    gp_counters_lock();
    const int result = read_record(reading, r);
    gp_counters_unlock();
    if (result)
      return -1;
  }
  reading->contexts[at].record_count = place;
  return 0;
}

/* ---- Contexts ---- */

/* The caller holds the lock of contexts. */
static struct gp_context_values *copy_values(struct gp_reading *reading, const struct gp_context_values *values) {
  struct gp_context_values *copy = gp_scratch_grow(reading->memory, values, sizeof *values, sizeof *values);
  struct gp_user_counter **link = copy ? &copy->counters : NULL;
  for (const struct gp_user_counter *counter = values->counters; link && counter; counter = counter->next) {
    const size_t bytes = sizeof *counter + strlen(counter->name) + 1;
    struct gp_user_counter *own = gp_scratch_grow(reading->memory, counter, bytes, bytes);
    *link = own;
    link = own ? &own->next : NULL;
  }
  return link ? copy : NULL;
}

static int read_values(struct gp_reading *reading, struct gp_context *context, size_t at) {
  gp_context_lock();
  const struct gp_context_values *values = context->values;
  struct gp_context_values *copy = values ? copy_values(reading, values) : NULL;
  gp_context_unlock();
  reading->contexts[at].values = copy;
  return values && !copy ? -1 : 0;
}

static struct gp_context_reading *add_context(struct gp_reading *reading) {
  reading->contexts = grow(reading, reading->contexts, reading->context_count, &reading->context_room, sizeof *reading->contexts);
  return reading->contexts ? &reading->contexts[reading->context_count++] : NULL;
}

static int read_context(struct gp_reading *reading, struct gp_context *context, struct gp_warmup around);

/* The context number `at` is directly around it. */
static int read_within(struct gp_reading *reading, struct gp_context *context, struct gp_warmup around, size_t at) {
  const size_t own = reading->context_count;
  if (read_context(reading, context, around))
    return -1;
  gp_host_take_off(&reading->contexts[at].host, &reading->contexts[own].host);
  return 0;
}

static int read_context(struct gp_reading *reading, struct gp_context *context, struct gp_warmup around) {
  const struct gp_warmup warmup = gp_warmup_of(context, around);
  const size_t at = reading->context_count;
  struct gp_context_reading *c = add_context(reading);
  if (!c)
    return -1;
  *c = (struct gp_context_reading){.context = context,
                                   .warmup = warmup,
                                   .executions = gp_warmup_executions(context),
                                   .energy = gp_energy_of(context),
                                   .first_record = reading->record_count};
  if (gp_host_read(reading->memory, context, reading->host_now, reading->tick_ns, &c->host) || read_values(reading, context, at) ||
      read_records(reading, context, at))
    return -1;
  for (struct gp_context *child = context->children; child; child = child->sibling)
    if (read_within(reading, child, warmup, at))
      return -1;
  reading->contexts[at].end = reading->context_count;
  return 0;
}

int gp_reading_prepare(struct gp_reading *reading, struct gp_scratch *memory) {
  *reading = (struct gp_reading){.memory = memory,
                                 .context_room = room_for(gp_contexts_count() + 1), /* the root */
                                 .record_room = room_for(gp_records_count()),
                                 .tick_ns = gp_ticks_ns()};
  reading->contexts = gp_scratch_get(memory, reading->context_room * sizeof *reading->contexts);
  reading->records = gp_scratch_get(memory, reading->record_room * sizeof *reading->records);
  gp_scratch_reserve(memory, reading->record_room * bytes_of_record);
  return reading->contexts && reading->records ? 0 : -1;
}

int gp_reading_begin(struct gp_reading *reading) {
  gp_process_calls.settle_launches();
  reading->host_now = gp_host_clock();
  reading->step_error = gp_time_steps_read(&reading->steps);
  reading->fault = gp_snapshot_fault();
  if (gp_uncounted_entries_begin(&reading->uncounted) || read_context(reading, gp_context_root(), (struct gp_warmup){0}))
    return -1;
  if (reading->record_count)
    bytes_of_record = reading->counts_bytes / reading->record_count;
  return 0;
}

void gp_reading_end(struct gp_reading *reading) {
  gp_uncounted_entries_end(&reading->uncounted);
  gp_time_steps_free(&reading->steps);
}

/* ---- Samples ---- */

/* Some of many values are kept by chance: later ones may have replaced them meanwhile. */
static void keep_within(struct gp_distribution *d) {
  for (uint32_t i = 0; i < d->kept; i++)
    d->samples[i] = d->samples[i] < d->minimum ? d->minimum : d->samples[i] > d->maximum ? d->maximum : d->samples[i];
}

/* `copy` is an earlier copy of `now`. The caller holds the lock of `now`. */
static int copy_samples(struct gp_reading *reading, struct gp_distribution *copy, const struct gp_distribution *now) {
  const size_t bytes = copy->kept * sizeof *copy->samples;
  copy->samples = gp_scratch_grow(reading->memory, now->samples, bytes, bytes);
  copy->capacity = copy->kept;
  if (copy->samples && now->count != copy->count && copy->kept == GP_SAMPLES)
    keep_within(copy);
  return copy->samples ? 0 : -1;
}

int gp_reading_samples(struct gp_reading *reading, struct gp_record_reading *record) {
  if (record->has_other_times)
    return 0;
  gp_records_lock();
  const int result = copy_samples(reading, &record->record.time, &record->original->time);
  gp_records_unlock();
  return result;
}

int gp_reading_value_samples(struct gp_reading *reading, const struct gp_context_reading *context) {
  if (context->has_other_times)
    return 0;
  gp_context_lock();
  const int result = copy_samples(reading, &context->values->time, &context->context->values->time);
  gp_context_unlock();
  return result;
}

void gp_reading_warn(const struct gp_record *record, int error) {
  gp_log(GP_WARN, record->kernel->name, "its counts are missing, since they could not be read from the device: %s",
         gp_device()->error_text(error));
}
