// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Live allocations by address or handle, and sums of them. One lock guards all. Under it the listener runs,
 * which may begin the trace, and no other lock of the runtime is taken but that of messages. */
#include "memory/usage.h"

#include "base/clock.h"
#include "base/immortals.h"
#include "base/locks.h"
#include "base/log.h"
#include "memory/usage_sites.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_MEMORY = 2 }; /* cudaErrorMemoryAllocation, CUDA_ERROR_OUT_OF_MEMORY */
enum where { DEVICE, HOST, NOWHERE };

static const struct {
  const char *name;
  enum gp_usage_space space;
  enum where where;
} kinds[GP_USAGE_KINDS] = {
#define POINTER GP_USAGE_POINTER
#define ARRAY GP_USAGE_ARRAY_HANDLE
#define REGISTERED GP_USAGE_REGISTRATION
#define PHYSICAL GP_USAGE_PHYSICAL_HANDLE
#define GP_USAGE_KIND_ROW(id, name, space, where) {name, space, where},
#include "memory/usage_kinds.inc"
};

/* A live allocation, a mapping of physical memory, or a further handle of it. */
struct gp_usage_block {
  struct gp_link link;
  struct gp_usage_block *next, *previous; /* of all live allocations */
  struct gp_usage_block *target;          /* the physical memory of a mapping or handle; else null */
  struct gp_usage_site *site;             /* null: of a mapping or handle */
  uint64_t address, bytes;
  uint64_t serial; /* of the allocation; of a mapping or handle, its target's */
  uint32_t references; /* handles and mappings */
  uint32_t handles;    /* equal ones that the program holds */
  unsigned char space, device;
};

GP_MUTEX(lock, GP_LOCK_USAGE)
static struct gp_immortals memory = {.lock = &lock};
static struct gp_usage_sites sites = {.memory = &memory};
static struct gp_table blocks;
static struct gp_usage_block *live, *unused;
static struct gp_usage_totals totals;
static uint64_t serial;

const char *gp_usage_kind_name(enum gp_usage_kind kind) { return kinds[kind].name; }
int gp_usage_kind_counts(enum gp_usage_kind kind) { return kinds[kind].where != NOWHERE; }

static uint64_t now(void) {
  const uint64_t start = gp_start_ns(), at = gp_now();
  return at > start ? at - start : 0;
}

/* ---- Blocks ---- */

static uint64_t hash_of(enum gp_usage_space space, uint64_t address) { return gp_hash_mix(address, space); }

static struct gp_usage_block *find(enum gp_usage_space space, uint64_t address) {
  gp_assert_held(&lock);
  for (struct gp_link *link = gp_table_first(&blocks, hash_of(space, address)); link; link = gp_table_next(link)) {
    struct gp_usage_block *block = GP_HOLDER(link, struct gp_usage_block, link);
    if (block->address == address && block->space == space)
      return block;
  }
  return NULL;
}

static struct gp_usage_block *new_block(enum gp_usage_space space, uint64_t address, uint64_t bytes) {
  gp_assert_held(&lock);
  struct gp_usage_block *block = unused;
  if (block)
    unused = block->next;
  else if (!(block = gp_immortal(&memory, sizeof *block))) {
    totals.untracked++;
    return NULL;
  }
  memset(block, 0, sizeof *block);
  block->space = (unsigned char)space;
  block->address = address;
  block->bytes = bytes;
  return block;
}

static void add_to_table(struct gp_usage_block *block) {
  gp_table_add(&blocks, &block->link, hash_of(block->space, block->address));
}

static void free_block(struct gp_usage_block *block) {
  block->serial = 0;
  block->next = unused;
  unused = block;
}

static void link_live(struct gp_usage_block *block) {
  block->next = live;
  if (live)
    live->previous = block;
  live = block;
}

static void unlink_live(struct gp_usage_block *block) {
  *(block->previous ? &block->previous->next : &live) = block->next;
  if (block->next)
    block->next->previous = block->previous;
}

/* ---- Sums ---- */

static struct gp_usage_curve *curve_of(struct gp_usage_place *place) {
  gp_assert_held(&lock);
  if (!place->curve)
    place->curve = gp_immortal(&memory, sizeof *place->curve);
  return place->curve;
}

static _Atomic(gp_usage_listener *) told;
void gp_usage_listen(gp_usage_listener *listener) { atomic_store(&told, listener); }

static void draw(struct gp_usage_place *place, uint64_t ns) {
  struct gp_usage_curve *curve = curve_of(place);
  gp_usage_listener *listener = atomic_load_explicit(&told, memory_order_relaxed);
  if (listener)
    listener((unsigned)(place - totals.places), place->sum.bytes, ns);
  if (curve)
    gp_usage_curve_add(curve, place->sum.bytes, ns);
  else
    totals.undrawn++;
}

/* Null context: none. */
static struct gp_usage_region *region_of(const struct gp_context *context) {
  struct gp_usage_region *region = context ? gp_usage_region_of(&sites, context) : NULL;
  totals.unsummed += context && !region;
  return region;
}

static void note_peak(struct gp_usage_region *region) {
  if (region && region->peak_bytes < totals.devices.bytes)
    region->peak_bytes = totals.devices.bytes;
}

static void add_amount(struct gp_usage_site *site, uint64_t bytes, uint64_t ns) {
  struct gp_usage_place *place = &totals.places[site->place];
  gp_usage_site_changes(site, place);
  gp_usage_site_add(site, bytes);
  gp_usage_level_add(&place->kinds[site->kind], bytes, ns);
  if (kinds[site->kind].where == NOWHERE)
    return;
  place->peak += (uint64_t)gp_usage_level_add(&place->sum, bytes, ns);
  draw(place, ns);
  if (kinds[site->kind].where == HOST)
    return;
  struct gp_usage_region *region = region_of(site->context);
  note_peak(region);
  gp_usage_level_add(&totals.devices, bytes, ns);
  note_peak(region);
  if (region) {
    region->allocated_bytes += bytes;
    region->allocations++;
  }
}

static void subtract_amount(struct gp_usage_site *site, uint64_t bytes, const struct gp_context *here, uint64_t ns) {
  struct gp_usage_place *place = &totals.places[site->place];
  gp_usage_site_changes(site, place);
  site->bytes -= bytes;
  site->allocations--;
  gp_usage_level_subtract(&place->kinds[site->kind], bytes, ns);
  if (kinds[site->kind].where == NOWHERE)
    return;
  gp_usage_level_subtract(&place->sum, bytes, ns);
  draw(place, ns);
  if (kinds[site->kind].where == HOST)
    return;
  struct gp_usage_region *region = region_of(here);
  note_peak(region);
  gp_usage_level_subtract(&totals.devices, bytes, ns);
  if (region) {
    region->released_bytes += bytes;
    region->releases++;
  }
}

/* ---- The end of an allocation ---- */

/* The block is in the table no more. */
static void retire(struct gp_usage_block *block, const struct gp_context *here, uint64_t ns) {
  gp_assert_held(&lock);
  if (!block->site) { /* the parent's */
    free_block(block);
    return;
  }
  subtract_amount(block->site, block->bytes, here, ns);
  gp_usage_large_released(&totals, block->bytes, block->serial);
  unlink_live(block);
  free_block(block);
}

/* One handle or mapping less. */
static void dereference(struct gp_usage_block *block, const struct gp_context *here, uint64_t ns) {
  if (block->references && --block->references)
    return;
  retire(block, here, ns);
}

/* The physical memory of a mapping or handle; null where a reset of the device has ended it. */
static struct gp_usage_block *target_of(const struct gp_usage_block *block) {
  return block->target->serial == block->serial ? block->target : NULL;
}

/* The block has left the table for good. */
static void drop(struct gp_usage_block *block, const struct gp_context *here, uint64_t ns) {
  if (block->target) {
    if (target_of(block))
      dereference(block->target, here, ns);
    free_block(block);
  } else
    dereference(block, here, ns);
}

/* ---- Where ---- */

static int current_device(void) {
  int device = 0;
  return gp_device()->current(&device) || device < 0 || device >= GP_DEVICES ? 0 : device;
}

static unsigned place_of(enum gp_usage_kind kind, int device) { return kinds[kind].where == HOST ? GP_USAGE_HOST : (unsigned)device; }

static const struct gp_context *context_here(void) {
  const struct gp_context *context = gp_regions_context();
  return context ? context->whole : gp_context_root();
}

static const struct gp_stack *stack_here(const void *caller) {
  static pthread_once_t prepared = PTHREAD_ONCE_INIT;
  if (gp_settings()->memory != GP_MEMORY_STACKS)
    return NULL;
  pthread_once(&prepared, gp_stacks_prepare);
  return gp_stack_here(caller);
}

/* The null stream and that of its number are never captured. */
static int is_captured(void *stream) {
  const uintptr_t number = (uintptr_t)stream;
  return stream != GP_USAGE_NO_STREAM && number > 1 && gp_device()->capturing && gp_device()->capturing(stream);
}

static void document_changes(void) {
  gp_report_needed();
  if (gp_ended())
    gp_changes_remain();
}

/* ---- Allocations ---- */

/* Facts found before the lock is taken. */
struct moment {
  const struct gp_stack *stack;
  const struct gp_context *context;
  uint64_t ns;
  int device;
};

static struct moment moment_here(const void *caller) {
  const int device = current_device();
  return (struct moment){.stack = stack_here(caller), .context = context_here(), .ns = now(), .device = device};
}

static void add_block(struct gp_usage_block *block, struct gp_usage_site *site, const struct moment *at) {
  block->site = site;
  block->serial = ++serial;
  block->device = (unsigned char)at->device;
  block->references = block->handles = 1;
  add_to_table(block);
  link_live(block);
  add_amount(site, block->bytes, at->ns);
  if (gp_usage_kind_counts(site->kind))
    gp_usage_add_large(&totals, &(struct gp_usage_large){site, block->bytes, at->ns, block->serial, 1});
}

/* The address was handed out again: somebody released it in a way that was not seen. */
static void replace(enum gp_usage_space space, uint64_t address, const struct moment *at) {
  struct gp_usage_block *old = find(space, address);
  if (!old)
    return;
  totals.replaced++;
  gp_table_remove(&blocks, &old->link);
  drop(old, NULL, at->ns);
}

static void add(const struct gp_usage_request *request, enum gp_usage_kind kind, uint64_t bytes, const struct moment *at) {
  const struct gp_usage_site facts = {.stack = at->stack, .context = at->context, .kind = kind, .place = place_of(kind, at->device)};
  const enum gp_usage_space space = kinds[kind].space;
  pthread_mutex_lock(&lock);
  replace(space, request->address, at);
  struct gp_usage_site *site = gp_usage_site_of(&sites, &facts);
  struct gp_usage_block *block = site ? new_block(space, request->address, bytes) : NULL;
  totals.untracked += !site;
  totals.unsized += !bytes;
  if (kind == GP_USAGE_GRAPH) {
    totals.graph_allocations++;
    totals.graph_bytes += bytes;
  }
  if (block)
    add_block(block, site, at);
  pthread_mutex_unlock(&lock);
}

/* Memory of other processes: the device may know its size. */
static uint64_t bytes_of(const struct gp_usage_request *request) {
  struct gp_memory_range range = {0};
  if (request->bytes || request->kind != GP_USAGE_IMPORTED || gp_device()->allocation(request->address, &range))
    return request->bytes;
  return range.bytes;
}

static void seen(const struct gp_usage_request *request) {
  const struct moment at = moment_here(request->caller);
  const enum gp_usage_kind kind = is_captured(request->stream) ? GP_USAGE_GRAPH : request->kind;
  add(request, kind, bytes_of(request), &at);
}

/* ---- Refused allocations ---- */

/* Keeps the largest sites at a place, in descending order. The caller holds the lock. */
static void name_live(struct gp_usage_failure *failure) {
  for (const struct gp_usage_site *site = sites.first; site; site = site->next) {
    size_t at = GP_USAGE_LIVE;
    if (site->place != failure->place || !site->bytes || !gp_usage_kind_counts(site->kind))
      continue;
    while (at && (!failure->live[at - 1].site || failure->live[at - 1].bytes < site->bytes)) {
      if (at < GP_USAGE_LIVE)
        failure->live[at] = failure->live[at - 1];
      at--;
    }
    if (at < GP_USAGE_LIVE) {
      failure->live[at].site = site;
      failure->live[at].bytes = site->bytes;
      failure->live[at].allocations = site->allocations;
    }
  }
}

static void exhausted(const struct gp_usage_request *request) {
  const struct moment at = moment_here(request->caller);
  struct gp_usage_failure failure = {.function = request->function,
                                     .stack = at.stack,
                                     .context = at.context,
                                     .kind = request->kind,
                                     .place = place_of(request->kind, at.device),
                                     .bytes = request->bytes,
                                     .ns = at.ns};
  if (failure.place != GP_USAGE_HOST && gp_device()->memory_in_use && gp_device()->memory_in_use(&failure.used_bytes))
    failure.used_bytes = 0;
  pthread_mutex_lock(&lock);
  failure.live_bytes = totals.places[failure.place].sum.bytes;
  if (totals.exhausted < GP_USAGE_FAILURES) {
    name_live(&failure);
    totals.failures[totals.exhausted] = failure;
  }
  totals.exhausted++;
  pthread_mutex_unlock(&lock);
}

static void refused(void) {
  pthread_mutex_lock(&lock);
  totals.refused++;
  pthread_mutex_unlock(&lock);
}

void gp_usage_requested(const struct gp_usage_request *request, int error) {
  const int errno_before = errno;
  document_changes();
  if (!error && request->address)
    seen(request);
  else if (error == OUT_OF_MEMORY)
    exhausted(request);
  else if (error)
    refused();
  errno = errno_before;
}

/* ---- Releases ---- */

/* Memory of a graph is allocated again whenever the graph runs: its address stays known. */
static int is_of_graph(const struct gp_usage_block *block) { return block && block->site && block->site->kind == GP_USAGE_GRAPH; }

/* The caller holds the lock. */
static void begin_release(struct gp_usage_release *release, enum gp_usage_space space, uint64_t address) {
  struct gp_usage_block *block = find(space, address);
  release->in_graph |= is_of_graph(block);
  if (release->in_graph || !block)
    return;
  release->block = block;
  if (!--block->handles)
    gp_table_remove(&blocks, &block->link);
}

struct gp_usage_release gp_usage_release_begin(enum gp_usage_space space, void *stream, uint64_t address) {
  const int errno_before = errno;
  struct gp_usage_release release = {.is_seen = address != 0, .in_graph = address && is_captured(stream)};
  if (release.is_seen) {
    pthread_mutex_lock(&lock);
    begin_release(&release, space, address);
    pthread_mutex_unlock(&lock);
  }
  errno = errno_before;
  return release;
}

static void end_release(const struct gp_usage_release *release, int error, const struct gp_context *here, uint64_t ns) {
  gp_assert_held(&lock);
  if (error)
    totals.refused_releases++;
  if (error && release->block) {
    if (!release->block->handles++)
      add_to_table(release->block);
  } else if (!error && release->block)
    drop(release->block, here, ns);
  else if (!error && release->in_graph)
    totals.graph_releases++;
  else if (!error)
    totals.unknown_releases++;
}

void gp_usage_release_end(const struct gp_usage_release *release, int error) {
  if (!release->is_seen)
    return;
  const int errno_before = errno;
  const struct gp_context *here = context_here();
  const uint64_t ns = now();
  document_changes();
  pthread_mutex_lock(&lock);
  end_release(release, error, here, ns);
  pthread_mutex_unlock(&lock);
  errno = errno_before;
}

/* ---- Physical memory ---- */

static struct gp_usage_block *physical(uint64_t handle) {
  struct gp_usage_block *block = find(GP_USAGE_PHYSICAL_HANDLE, handle);
  return block && block->target ? target_of(block) : block;
}

static void refer(struct gp_usage_block *target, enum gp_usage_space space, uint64_t address, uint64_t bytes) {
  struct gp_usage_block *block = target ? new_block(space, address, bytes) : NULL;
  if (!block)
    return;
  block->target = target;
  block->serial = target->serial;
  block->handles = 1;
  target->references++;
  add_to_table(block);
}

void gp_usage_mapped(uint64_t address, uint64_t bytes, uint64_t handle) {
  pthread_mutex_lock(&lock);
  refer(physical(handle), GP_USAGE_MAPPING, address, bytes);
  pthread_mutex_unlock(&lock);
}

void gp_usage_unmapped(uint64_t address, uint64_t bytes) {
  const struct gp_context *here = context_here();
  const uint64_t end = address + bytes, ns = now();
  struct gp_usage_block *block;
  pthread_mutex_lock(&lock);
  while (address < end && (block = find(GP_USAGE_MAPPING, address)) && block->bytes) {
    address += block->bytes;
    gp_table_remove(&blocks, &block->link);
    drop(block, here, ns);
  }
  pthread_mutex_unlock(&lock);
}

/* The driver may return the handle that the program has already. */
void gp_usage_retained(uint64_t handle, uint64_t address) {
  pthread_mutex_lock(&lock);
  const struct gp_usage_block *mapping = find(GP_USAGE_MAPPING, address);
  struct gp_usage_block *known = find(GP_USAGE_PHYSICAL_HANDLE, handle);
  if (known) {
    known->handles++;
    known->references++;
  } else if (mapping)
    refer(target_of(mapping), GP_USAGE_PHYSICAL_HANDLE, handle, mapping->target->bytes);
  pthread_mutex_unlock(&lock);
}

/* ---- The end of a device, and of a process's memory ---- */

void gp_usage_device_reset(int device) {
  const uint64_t ns = now();
  if (device < 0 || device >= GP_DEVICES)
    return;
  pthread_mutex_lock(&lock);
  for (struct gp_usage_block *block = live, *next; block; block = next) {
    next = block->next;
    if (block->device != device)
      continue;
    gp_table_remove(&blocks, &block->link);
    totals.reset_releases++;
    retire(block, NULL, ns);
  }
  pthread_mutex_unlock(&lock);
}

void gp_usage_before_fork(void) { gp_stacks_before_fork(); }

void gp_usage_in_child(void) {
  gp_stacks_in_child();
  pthread_mutex_lock(&lock);
  for (struct gp_usage_block *block = live; block; block = block->next)
    block->site = NULL;
  live = NULL;
  sites = (struct gp_usage_sites){.memory = &memory};
  totals = (struct gp_usage_totals){0};
  pthread_mutex_unlock(&lock);
}

/* ---- Reading ---- */

static size_t count_sites(void) {
  pthread_mutex_lock(&lock);
  const size_t count = sites.count;
  pthread_mutex_unlock(&lock);
  return count;
}

static void read_places(struct gp_usage_reading *reading) {
  for (unsigned i = 0; i < GP_USAGE_PLACES; i++)
    if (totals.places[i].curve) {
      reading->curves[i] = *totals.places[i].curve;
      gp_usage_curve_add(&reading->curves[i], totals.places[i].sum.bytes, reading->ns);
      reading->totals.places[i].curve = &reading->curves[i];
    }
}

/* A site changed after the peak has what it had at the peak; every other one has it still. */
static void read_site(struct gp_usage_site *copy, const struct gp_usage_site *site) {
  *copy = *site;
  gp_usage_site_changes(copy, &totals.places[site->place]);
}

int gp_usage_read(struct gp_usage_reading *reading) {
  const size_t room = count_sites();
  *reading = (struct gp_usage_reading){.sites = calloc(room + 1, sizeof *reading->sites),
                                       .curves = calloc(GP_USAGE_PLACES, sizeof *reading->curves)};
  if (!reading->sites || !reading->curves)
    return -1;
  pthread_mutex_lock(&lock);
  reading->ns = now();
  reading->totals = totals;
  read_places(reading);
  /* Sites are added in front: of more than there is room for, the newest are left out. */
  size_t skipped = sites.count - room;
  for (const struct gp_usage_site *site = sites.first; site; site = site->next)
    if (skipped)
      skipped--;
    else
      read_site(&reading->sites[reading->site_count++], site);
  pthread_mutex_unlock(&lock);
  return 0;
}

void gp_usage_reading_free(struct gp_usage_reading *reading) {
  free(reading->sites);
  free(reading->curves);
}

int gp_usage_of_context(const struct gp_context *context, struct gp_usage_region *region) {
  pthread_mutex_lock(&lock);
  const struct gp_usage_region *found = gp_usage_find_region(&sites, context);
  if (found)
    *region = *found;
  pthread_mutex_unlock(&lock);
  return found != NULL;
}
