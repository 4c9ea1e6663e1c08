// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/kernels.h"

#include "base/locks.h"
#include "base/log.h"
#include "core/counters.h"
#include "core/time_steps.h"
#include "core/uncounted.h"
#include "core/unlocked_launches.h"
#include "core/warmup.h"
#include "sheet/modules.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

GP_RWLOCK(table_lock, GP_LOCK_KERNELS)
static struct gp_kernel *buckets[BUCKETS];
static _Atomic(struct gp_kernel *) kernels;
static uint32_t kernel_count; /* guarded by table_lock, as is the next */
static struct gp_table gone;  /* kernels without a host stub, by name */
GP_MUTEX(records_lock, GP_LOCK_RECORDS)
GP_MUTEX(attach_lock, GP_LOCK_ATTACH)

struct gp_kernel *gp_kernels(void) { return atomic_load(&kernels); }

static void init_lock(struct gp_kernel *kernel) {
  pthread_mutex_init(&kernel->lock, NULL);
  pthread_cond_init(&kernel->launched, NULL);
}

static void free_in_child(struct gp_kernel *kernel) {
  init_lock(kernel);
  for (int device = 0; device < GP_DEVICES; device++) { /* of threads of the parent */
    struct gp_target *target = &kernel->targets[device];
    target->launching = target->switching = target->given = 0;
    target->resetting = 0;
  }
}

void gp_kernels_in_child(void) {
  gp_unlocked_launches_in_child();
  for (struct gp_kernel *kernel = gp_kernels(); kernel; kernel = kernel->next)
    free_in_child(kernel);
}

/* Records of the parent stay in memory: their counters are bound until the next launch. */
void gp_kernels_begin_anew(void) {
  for (struct gp_kernel *kernel = gp_kernels(); kernel; kernel = kernel->next) {
    kernel->records = NULL;
    kernel->by_context = kernel->warmups = (struct gp_table){.count = 0};
  }
}

void gp_kernel_lock(struct gp_kernel *kernel) {
  pthread_mutex_lock(&kernel->lock);
  gp_lock_stands_behind(&kernel->lock, GP_LOCK_CUDA_GRAPHS);
}
void gp_kernel_unlock(struct gp_kernel *kernel) { pthread_mutex_unlock(&kernel->lock); }

int gp_kernel_tells(struct gp_kernel *kernel, enum gp_kernel_remark remark, const char *why) {
  gp_assert_held(&kernel->lock);
  const int is_new = kernel->told[remark] != why;
  kernel->told[remark] = why;
  return is_new;
}

void gp_records_lock(void) { pthread_mutex_lock(&records_lock); }
void gp_records_unlock(void) { pthread_mutex_unlock(&records_lock); }

/* ---- Finding kernels ---- */

static size_t place_of(const void *host) {
  uint64_t mixed = ((uint64_t)(uintptr_t)host >> 4) * 0x9e3779b97f4a7c15u;
  return mixed >> 54;
}

static struct gp_kernel **bucket_of(const void *host) { return &buckets[place_of(host)]; }

/* The kernel found last in each bucket, looked at without the lock: kernels live for ever, and one whose module
 * is gone has no host stub. */
static _Atomic(struct gp_kernel *) found_last[BUCKETS];

static struct gp_kernel *find(const void *host) {
  struct gp_kernel *kernel = *bucket_of(host);
  while (kernel && kernel->host != host)
    kernel = kernel->chain;
  return kernel;
}

/* Finds a kernel of the same name and source from a closed library: the library has been opened again. */
static struct gp_kernel *gone_kernel(const char *name, const void *host) {
  struct gp_unit *unit = NULL;
  const size_t units = gp_modules_units_of(host, &unit, 1);
  for (struct gp_link *link = gp_table_first(&gone, gp_hash_text(name)); link; link = gp_table_next(link)) {
    struct gp_kernel *kernel = GP_HOLDER(link, struct gp_kernel, link);
    const struct gp_unit *own = kernel->instance_count ? kernel->instances[0].unit : NULL;
    if (!strcmp(kernel->name, name) && kernel->instance_count < GP_INSTANCES && !own == !units &&
        (!own || !strcmp(own->source, unit->source)))
      return kernel;
  }
  return NULL;
}

static void put_into_bucket(struct gp_kernel *kernel, const void *host) {
  kernel->host = host;
  kernel->chain = *bucket_of(host);
  *bucket_of(host) = kernel;
}

static struct gp_kernel *make(const void *host) {
  const char *name = gp_modules_function_name(host);
  if (!name)
    return NULL;
  struct gp_kernel *again = gone_kernel(name, host);
  if (again) {
    gp_table_remove(&gone, &again->link);
    again->looked = 0;
    put_into_bucket(again, host);
    return again;
  }
  struct gp_kernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel || !(kernel->name = strdup(name))) {
    free(kernel);
    gp_log_exhausted(name);
    return NULL;
  }
  kernel->number = kernel_count++;
  init_lock(kernel);
  put_into_bucket(kernel, host);
  kernel->next = atomic_load(&kernels);
  atomic_store(&kernels, kernel);
  return kernel;
}

static struct gp_kernel *known_kernel(const void *host) {
  struct gp_kernel *kernel = atomic_load_explicit(&found_last[place_of(host)], memory_order_acquire);
  return kernel && atomic_load_explicit(&kernel->host, memory_order_relaxed) == host ? kernel : NULL;
}

static struct gp_kernel *look_up(const void *host) {
  pthread_rwlock_rdlock(&table_lock);
  struct gp_kernel *kernel = find(host);
  pthread_rwlock_unlock(&table_lock);
  if (kernel)
    return kernel;
  pthread_rwlock_wrlock(&table_lock);
  kernel = find(host);
  if (!kernel)
    kernel = make(host);
  pthread_rwlock_unlock(&table_lock);
  return kernel;
}

struct gp_kernel *gp_kernel_of(const void *host) {
  struct gp_kernel *kernel = known_kernel(host);
  if (!kernel && (kernel = look_up(host)))
    atomic_store_explicit(&found_last[place_of(host)], kernel, memory_order_release);
  return kernel;
}

void gp_kernels_forget_function(const void *host) {
  pthread_rwlock_wrlock(&table_lock);
  struct gp_kernel **link = bucket_of(host);
  while (*link && (*link)->host != host)
    link = &(*link)->chain;
  struct gp_kernel *kernel = *link;
  if (kernel)
    *link = kernel->chain;
  pthread_rwlock_unlock(&table_lock);
  if (!kernel)
    return;
  gp_unlocked_launches_stop();
  gp_kernel_lock(kernel);
  kernel->host = NULL;
  for (int device = 0; device < GP_DEVICES; device++) /* the bindings of its counters end with the module */
    kernel->targets[device].record = kernel->twin_targets[device].record = NULL;
  gp_kernel_unlock(kernel);
  pthread_rwlock_wrlock(&table_lock);
  gp_table_add(&gone, &kernel->link, gp_hash_text(kernel->name));
  pthread_rwlock_unlock(&table_lock);
}

void gp_kernels_forget_unit(const struct gp_unit *unit) {
  for (struct gp_kernel *kernel = gp_kernels(); kernel; kernel = kernel->next)
    for (size_t i = 0; i < kernel->instance_count; i++)
      if (kernel->instances[i].unit == unit && kernel->host)
        gp_kernels_forget_function(kernel->host);
}

/* ---- Resources ---- */

void gp_kernel_ask_resources(struct gp_kernel *kernel, const void *function) {
  struct gp_kernel_resources resources;
  if (kernel->asked_resources)
    return;
  kernel->asked_resources = 1;
  if (!gp_device()->resources || gp_device()->resources(function, &resources))
    return;
  gp_records_lock();
  kernel->resources = resources;
  gp_records_unlock();
}

/* ---- Instances ---- */

/* References to the replaced unit refer to this one from now on; their sheets are equal. */
static void take_over(struct gp_unit *unit) {
  gp_counters_lock();
  struct gp_unit *old = unit->replaces;
  for (struct gp_kernel *kernel = old ? gp_kernels() : NULL; kernel; kernel = kernel->next) {
    for (size_t i = 0; i < kernel->instance_count; i++)
      if (kernel->instances[i].unit == old)
        kernel->instances[i].unit = unit;
    for (struct gp_record *record = kernel->records; record; record = record->next)
      for (struct gp_callee *callee = record->callees; callee; callee = callee->next)
        if (callee->at.unit == old)
          callee->at.unit = unit;
  }
  unit->replaces = NULL;
  if (old)
    old->replaced = 1;
  gp_counters_unlock();
}

static int attach(struct gp_unit *unit, int device) {
  pthread_mutex_lock(&attach_lock);
  const int error = gp_unit_attach(unit, device);
  pthread_mutex_unlock(&attach_lock);
  if (!error)
    take_over(unit);
  return error;
}

static void add_copy(struct gp_kernel *kernel, struct gp_unit *unit) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (kernel->instances[i].unit == unit)
      return;
  const uint32_t count = (uint32_t)unit->sheet->kernel_count;
  const uint32_t first = atomic_load_explicit(&unit->next_in_sheet, memory_order_relaxed);
  for (uint32_t i = 0; i < count; i++) { /* kernels mostly come in the order of the sheet */
    const uint32_t at = (first + i) % count;
    if (!strcmp(unit->sheet->kernels[at].name, kernel->name)) {
      atomic_store_explicit(&unit->next_in_sheet, at + 1, memory_order_relaxed);
      kernel->instances[kernel->instance_count++] = (struct gp_kernel_instance){unit, at};
      return;
    }
  }
}

static void look_for_instances(struct gp_kernel *kernel, int device) {
  struct gp_unit *units[GP_INSTANCES];
  size_t count = gp_modules_units_of(kernel->host, units, GP_INSTANCES);
  if (count > GP_INSTANCES) {
    gp_log(GP_WARN, kernel->name, "it is in more than %d modules: launches of the others are not counted", GP_INSTANCES);
    count = GP_INSTANCES;
  }
  for (size_t i = 0; i < count; i++)
    if (!attach(units[i], device) && kernel->instance_count < GP_INSTANCES)
      add_copy(kernel, units[i]);
  kernel->looked |= 1u << device;
  kernel->unit_count = count;
  if (!kernel->instance_count)
    kernel->uncounted = count ? "its file's cost sheet does not have it: '#pragma gpuprof ignore' or an option leaves it out"
                              : "its file was compiled without the gpuprof plugin";
}

/* ---- Functions of other units ---- */

struct gp_kernel_instance gp_kernels_find_function(const char *name, int device) {
  struct gp_kernel_instance found = {.unit = NULL};
  for (struct gp_unit *unit = gp_units(); unit && !found.unit; unit = unit->next) {
    const uint32_t count = attach(unit, device) ? 0 : (uint32_t)unit->sheet->kernel_count;
    for (uint32_t i = 0; i < count; i++)
      if (unit->sheet->kernels[i].is_function && !strcmp(unit->sheet->kernels[i].name, name)) {
        found = (struct gp_kernel_instance){unit, i};
        break;
      }
  }
  return found;
}

static uint64_t hash_of_record(const struct gp_context *context, int device) {
  return gp_hash_mix((uint64_t)(uintptr_t)context, (uint64_t)device);
}

static struct gp_record *find_record(struct gp_kernel *kernel, const struct gp_context *context, int device) {
  struct gp_link *link = gp_table_first(&kernel->by_context, hash_of_record(context, device));
  for (; link; link = gp_table_next(link)) {
    struct gp_record *record = GP_HOLDER(link, struct gp_record, link);
    if (record->context == context && record->device == device)
      return record;
  }
  return NULL;
}

static _Atomic size_t record_count;

size_t gp_records_count(void) { return atomic_load_explicit(&record_count, memory_order_relaxed); }

static struct gp_record *record_of(struct gp_kernel *kernel, struct gp_context *context, int device) {
  struct gp_record *record = find_record(kernel, context, device);
  if (record && record->reset) {
    record->reset = 0;
    gp_counters_allocate(record);
  }
  if (record || !(record = calloc(1, sizeof *record)))
    return record;
  record->kernel = kernel;
  record->context = context;
  record->device = device;
  record->warmup = gp_warmup_tally(kernel, context, device);
  gp_counters_allocate(record);
  gp_table_add(&kernel->by_context, &record->link, hash_of_record(context, device));
  gp_records_lock();
  record->next = kernel->records;
  kernel->records = record;
  record->next_in_context = context->records;
  context->records = record;
  gp_records_unlock();
  atomic_fetch_add_explicit(&record_count, 1, memory_order_relaxed);
  return record;
}

void gp_kernel_find_instances(struct gp_kernel *kernel, int device) {
  gp_assert_held(&kernel->lock);
  const size_t known = kernel->instance_count;
  if (kernel->looked & 1u << device)
    return;
  look_for_instances(kernel, device);
  for (struct gp_record *record = kernel->records; record && kernel->instance_count > known; record = record->next)
    record->reset = 1; /* it has no counters for the new ones yet */
}

void gp_kernel_look(struct gp_kernel *kernel, int device) {
  gp_kernel_lock(kernel);
  gp_kernel_find_instances(kernel, device);
  gp_kernel_unlock(kernel);
}

struct gp_record *gp_kernel_record_locked(struct gp_kernel *kernel, struct gp_context *context, int device) {
  gp_assert_held(&kernel->lock);
  gp_kernel_find_instances(kernel, device);
  return record_of(kernel, context, device);
}

struct gp_record *gp_kernel_record(struct gp_kernel *kernel, struct gp_context *context, int device) {
  gp_kernel_look(kernel, device);
  gp_kernel_lock(kernel);
  struct gp_record *record = record_of(kernel, context, device);
  gp_kernel_unlock(kernel);
  return record;
}

/* Selects the counter bases to bind: those of instrumented kernels, or of the instrumented twins of cloned
 * kernels. */
enum bases { OF_KERNELS, OF_TWINS };

static void store_bases(const struct gp_kernel *kernel, const struct gp_record *record, int device, void *stream,
                        enum bases bases) {
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_kernel_instance *instance = &kernel->instances[i];
    if (!instance->unit->host || !instance->unit->counters[device] ||
        gp_instance_is_cloned(instance) != (bases == OF_TWINS))
      continue;
    int error = gp_device()->store_ordered(instance->unit->counters[device] + 8u * instance->index,
                                           record ? record->counters[i] : 0, stream);
    if (error)
      gp_log(GP_WARN, kernel->name, "its counts may stand under the wrong region, since the device refused a store: %s",
             gp_device()->error_text(error));
  }
}

static struct gp_target *target_of(struct gp_kernel *kernel, int device, enum bases bases) {
  return bases == OF_TWINS ? &kernel->twin_targets[device] : &kernel->targets[device];
}

static int share_counters(const struct gp_kernel *kernel, int a, int b) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (kernel->instances[i].unit->counters[a] && kernel->instances[i].unit->counters[a] == kernel->instances[i].unit->counters[b])
      return 1;
  return 0;
}

/* Emulated devices share the program's memory: a binding for one device ends the bindings for the others. Their launches
 * end within their calls. */
static void forget_others(struct gp_kernel *kernel, int device, enum bases bases) {
  for (int other = 0; other < GP_DEVICES; other++) {
    struct gp_target *target = target_of(kernel, other, bases);
    if (other != device && target->record && share_counters(kernel, other, device))
      target->record = NULL;
  }
}

static int is_launching(struct gp_kernel *kernel, int device) {
  for (int other = 0; other < GP_DEVICES; other++)
    if (kernel->targets[other].launching && (other == device || share_counters(kernel, other, device)))
      return 1;
  return 0;
}

/* Launches in the driver's call count for the record that was bound when they entered it: a switch waits for them, and lets no
 * further ones begin. Returns 1 if it has waited; the lock was free meanwhile, and anything may have changed. */
static int wait_for_turn(struct gp_kernel *kernel, const struct gp_record *record, int device) {
  struct gp_target *target = &kernel->targets[device];
  const int switches = record != target->record;
  if (switches ? !is_launching(kernel, device) : !target->switching)
    return 0;
  target->switching += (unsigned)switches;
  pthread_cond_wait(&kernel->launched, &kernel->lock);
  if (switches && target->switching && !--target->switching)
    pthread_cond_broadcast(&kernel->launched);
  return 1;
}

static void switch_to(struct gp_kernel *kernel, struct gp_record *record, int device, void *stream, enum bases bases) {
  struct gp_target *target = target_of(kernel, device, bases);
  assert(!target->launching);
  gp_stream_order_before_switch(&target->order, stream); /* launches elsewhere may still be counting for the old record */
  forget_others(kernel, device, bases);
  store_bases(kernel, record, device, stream, bases);
  gp_stream_order_switched(&target->order, stream);
  target->record = record;
}

void gp_kernel_turn_off(struct gp_kernel *kernel, const struct gp_record *record) {
  gp_assert_held(&kernel->lock);
  assert(!gp_kernel_is_launching(kernel, record->device));
  for (enum bases bases = OF_KERNELS; bases <= OF_TWINS; bases++)
    if (target_of(kernel, record->device, bases)->record == record)
      switch_to(kernel, NULL, record->device, NULL, bases);
}

static void bind_target(struct gp_kernel *kernel, struct gp_record *record, int device, void *stream, enum bases bases) {
  struct gp_target *target = target_of(kernel, device, bases);
  if (record != target->record)
    switch_to(kernel, record, device, stream, bases);
  if (record)
    gp_stream_order_before_launch(&target->order, stream);
}

struct gp_record *gp_kernel_bind_counters(struct gp_kernel *kernel, struct gp_context *context, int device, void *stream) {
  gp_assert_held(&kernel->lock);
  if (context)
    gp_kernel_find_instances(kernel, device);
  struct gp_record *record;
  do
    record = context ? record_of(kernel, context, device) : NULL;
  while (!gp_kernel_is_cloned(kernel) && wait_for_turn(kernel, record, device));
  if (gp_kernel_is_cloned(kernel))
    return record; /* it has no counters to point anywhere */
  bind_target(kernel, record, device, stream, OF_KERNELS);
  if (record && gp_counters_have_steps(record))
    gp_time_steps_before_launch(device);
  return record;
}

struct gp_record *gp_kernel_bind_nothing(struct gp_kernel *kernel, struct gp_context *context, int device, void *stream) {
  struct gp_record *record = gp_kernel_record_locked(kernel, context, device);
  if (!gp_kernel_counts_itself(kernel))
    return record;
  while (wait_for_turn(kernel, NULL, device))
    ;
  bind_target(kernel, NULL, device, stream, OF_KERNELS);
  return record;
}

int gp_kernel_allocate_instrumented(struct gp_record *record) {
  struct gp_kernel *kernel = record->kernel;
  gp_assert_held(&kernel->lock);
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_sheet(&kernel->instances[i])->clone.kind == GP_CLONE_LIGHT && !record->counters[i]) {
      int error = gp_counters_allocate_instance(record, i);
      if (error)
        return error;
    }
  return 0;
}

int gp_kernel_bind_instrumented(struct gp_kernel *kernel, struct gp_record *record, int device, void *stream) {
  gp_assert_held(&kernel->lock);
  const int error = record ? gp_kernel_allocate_instrumented(record) : 0;
  if (!error)
    bind_target(kernel, record, device, stream, OF_TWINS);
  return error;
}

struct gp_record *gp_kernel_give_counters(struct gp_kernel *kernel, struct gp_context *context, int device) {
  gp_assert_held(&kernel->lock);
  while (kernel->targets[device].resetting)
    pthread_cond_wait(&kernel->launched, &kernel->lock);
  struct gp_record *record = gp_kernel_record_locked(kernel, context, device);
  if (record && gp_counters_have_steps(record))
    gp_time_steps_before_launch(device);
  return record;
}

static unsigned *launches_under_way(struct gp_kernel *kernel, int device, int given) {
  struct gp_target *target = &kernel->targets[device];
  return given ? &target->given : &target->launching;
}

void gp_kernel_let_launch(struct gp_kernel *kernel, int device, int given) {
  gp_assert_held(&kernel->lock);
  ++*launches_under_way(kernel, device, given);
  gp_kernel_unlock(kernel);
}

void gp_kernel_has_launched(struct gp_kernel *kernel, int device, int given) {
  gp_kernel_lock(kernel);
  unsigned *launching = launches_under_way(kernel, device, given);
  if (*launching && !--*launching) /* 0 in a child that was forked by a signal handler meanwhile */
    pthread_cond_broadcast(&kernel->launched);
}

int gp_kernel_is_launching(const struct gp_kernel *kernel, int device) {
  gp_assert_held(&kernel->lock);
  return kernel->targets[device].launching > 0 || kernel->targets[device].given > 0 || gp_unlocked_launches_run(kernel);
}

void gp_kernel_launched(struct gp_kernel *kernel, int device, void *stream) {
  gp_assert_held(&kernel->lock);
  for (enum bases bases = OF_KERNELS; bases <= OF_TWINS; bases++)
    if (target_of(kernel, device, bases)->record)
      gp_stream_order_launched(&target_of(kernel, device, bases)->order, stream);
}

/* ---- The end of a device's memory ---- */

/* Returns 1 if it has waited. */
static int wait_for_given(struct gp_kernel *kernel, int device) {
  struct gp_target *target = &kernel->targets[device];
  if (!target->given)
    return 0;
  target->resetting = 1;
  pthread_cond_wait(&kernel->launched, &kernel->lock);
  return 1;
}

static void end_waits(struct gp_kernel *kernel, int device) {
  if (kernel->targets[device].resetting)
    pthread_cond_broadcast(&kernel->launched);
  kernel->targets[device].resetting = 0;
}

static void reset_target(struct gp_kernel *kernel, int device, enum bases bases) {
  struct gp_target *target = target_of(kernel, device, bases);
  while (bases == OF_KERNELS && (wait_for_turn(kernel, NULL, device) || wait_for_given(kernel, device)))
    ;
  if (target->record)
    switch_to(kernel, NULL, device, NULL, bases);
  gp_stream_order_device_resets(&target->order);
}

void gp_kernels_device_resets(int device) {
  assert(device >= 0 && device < GP_DEVICES);
  gp_unlocked_launches_stop();
  gp_unlocked_launches_await();
  for (struct gp_kernel *kernel = gp_kernels(); kernel; kernel = kernel->next) {
    gp_kernel_lock(kernel);
    for (enum bases bases = OF_KERNELS; bases <= OF_TWINS; bases++)
      reset_target(kernel, device, bases);
    for (struct gp_record *record = kernel->records; record; record = record->next)
      if (record->device == device)
        gp_counters_device_resets(record);
    end_waits(kernel, device);
    kernel->looked &= ~(1u << device);
    gp_kernel_unlock(kernel);
  }
  gp_time_steps_device_resets(device);
  pthread_mutex_lock(&attach_lock);
  for (struct gp_unit *unit = gp_units(); unit; unit = unit->next)
    unit->counters[device] = 0;
  pthread_mutex_unlock(&attach_lock);
}
