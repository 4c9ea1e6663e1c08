// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_memory.h"

#include "base/demangle.h"
#include "base/log.h"
#include "base/settings.h"
#include "memory/usage.h"

#include <stdlib.h>
#include <string.h>

#define SITES_SHOWN 32u
#define STACKS_MOST 256u

struct writer {
  struct gp_json *json;
  const struct gp_usage_reading *reading;
  const struct gp_stack *stacks[STACKS_MOST]; /* named so far */
  size_t stack_count;
};

/* ---- Rows ---- */

void gp_report_add_memory(struct gp_row *row, const struct gp_context *context) {
  struct gp_usage_region usage;
  if (!gp_usage_of_context(context, &usage))
    return;
  row->memory_usage.allocated_bytes += usage.allocated_bytes;
  row->memory_usage.released_bytes += usage.released_bytes;
  row->memory_usage.allocations += usage.allocations;
  row->memory_usage.releases += usage.releases;
  if (row->memory_usage.peak_bytes < usage.peak_bytes)
    row->memory_usage.peak_bytes = usage.peak_bytes;
}

void gp_report_add_child_memory(struct gp_row *row, const struct gp_row *child) {
  const struct gp_row_memory *usage = &child->memory_usage;
  row->memory_usage.allocated_bytes += usage->allocated_bytes;
  row->memory_usage.released_bytes += usage->released_bytes;
  row->memory_usage.allocations += usage->allocations;
  row->memory_usage.releases += usage->releases;
  if (row->memory_usage.peak_bytes < usage->peak_bytes)
    row->memory_usage.peak_bytes = usage->peak_bytes;
}

static int is_seen(void) { return gp_settings()->memory != GP_MEMORY_NOT_SEEN; }

static void number(struct gp_json *json, const char *key, uint64_t value, int known) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

void gp_report_row_memory(struct gp_json *json, const struct gp_row *row) {
  const struct gp_row_memory *usage = &row->memory_usage;
  const int is_region = is_seen() && !row->in_kernel;
  gp_json_object(json, "memory");
  number(json, "allocated_bytes", usage->allocated_bytes, is_region);
  number(json, "released_bytes", usage->released_bytes, is_region);
  if (is_region)
    gp_json_signed(json, "net_bytes", (int64_t)(usage->allocated_bytes - usage->released_bytes));
  else
    gp_json_null(json, "net_bytes");
  number(json, "allocations", usage->allocations, is_region);
  number(json, "releases", usage->releases, is_region);
  number(json, "peak_bytes", usage->peak_bytes, is_region && usage->allocations + usage->releases);
  gp_json_close_object(json);
}

/* ---- Stacks and regions by name ---- */

static void write_stack_number(struct writer *w, const struct gp_stack *stack) {
  size_t number = 0;
  while (number < w->stack_count && w->stacks[number] != stack)
    number++;
  if (stack && number == STACKS_MOST)
    gp_remark("memory", "callers of some items are null: a report has %u stacks at most", STACKS_MOST);
  if (!stack || number == STACKS_MOST) {
    gp_json_null(w->json, "stack");
    return;
  }
  w->stacks[number] = stack;
  w->stack_count += number == w->stack_count;
  gp_json_unsigned(w->json, "stack", number);
}

static void remark_no_memory(void) {
  gp_remark("memory", "names of regions or stacks are missing, since gpuprof's own memory was exhausted");
}

/* The path of the context's row. */
static char *path_of(const struct gp_context *context) {
  size_t length = 0;
  for (const struct gp_context *c = context; c; c = c->parent)
    length += c->site ? strlen(c->site->description.name) + 1 : 0;
  char *path = length ? malloc(length) : NULL, *at = path ? path + length : NULL;
  if (length && !path)
    remark_no_memory();
  for (const struct gp_context *c = context; at && c; c = c->parent) {
    if (!c->site)
      continue;
    const size_t own = strlen(c->site->description.name);
    at--;
    *at = at == path + length - 1 ? 0 : '/';
    at -= own;
    memcpy(at, c->site->description.name, own);
  }
  return path;
}

static void write_region(struct writer *w, const struct gp_context *context) {
  char *path = path_of(context);
  gp_json_text(w->json, "region", path);
  free(path);
}

static void write_place(struct writer *w, unsigned place) { number(w->json, "device", place, place != GP_USAGE_HOST); }

static void write_origin(struct writer *w, const struct gp_stack *stack, const struct gp_context *context) {
  write_region(w, context);
  write_stack_number(w, stack);
}

static void write_frame(struct writer *w, const struct gp_stack_frame *frame, const unsigned *modules) {
  char *demangled = frame->symbol ? gp_demangle(frame->symbol) : NULL;
  gp_json_array(w->json, NULL);
  number(w->json, NULL, frame->module ? modules[frame->module->number] : 0, frame->module != NULL);
  gp_json_unsigned(w->json, NULL, frame->offset);
  gp_json_text(w->json, NULL, demangled ? demangled : frame->symbol);
  gp_json_close_array(w->json);
  free(demangled);
}

/* Modules of the named stacks get numbers in the order of their first use. */
struct module_numbers {
  unsigned *numbers; /* by the module's own number, from 1; 0: not used */
  const struct gp_stack_module **modules;
  unsigned count;
};

static void number_module(struct module_numbers *n, const struct gp_stack_module *module) {
  if (!module || n->numbers[module->number])
    return;
  n->modules[n->count] = module;
  n->numbers[module->number] = ++n->count;
}

static int number_modules(const struct writer *w, struct module_numbers *n) {
  unsigned most = 0;
  for (size_t i = 0; i < w->stack_count; i++)
    for (unsigned f = 0; f < w->stacks[i]->count; f++)
      if (w->stacks[i]->frames[f].module && w->stacks[i]->frames[f].module->number >= most)
        most = w->stacks[i]->frames[f].module->number + 1;
  *n = (struct module_numbers){calloc(most + 1, sizeof *n->numbers), calloc(most + 1, sizeof *n->modules), 0};
  if (!n->numbers || !n->modules)
    return -1;
  for (size_t i = 0; i < w->stack_count; i++)
    for (unsigned f = 0; f < w->stacks[i]->count; f++)
      number_module(n, w->stacks[i]->frames[f].module);
  for (unsigned i = 0; i < most; i++)
    n->numbers[i] -= n->numbers[i] > 0;
  return 0;
}

static void write_modules(struct writer *w, const struct module_numbers *n) {
  gp_json_array(w->json, "modules");
  for (unsigned i = 0; i < n->count; i++) {
    gp_json_compact(w->json, 0);
    gp_json_object(w->json, NULL);
    gp_json_compact(w->json, 1);
    gp_json_text(w->json, "path", n->modules[i]->path);
    gp_json_text(w->json, "build_id", n->modules[i]->build_id[0] ? n->modules[i]->build_id : NULL);
    gp_json_close_object(w->json);
  }
  gp_json_compact(w->json, 0);
  gp_json_close_array(w->json);
}

static void write_stacks(struct writer *w) {
  struct module_numbers n;
  if (number_modules(w, &n)) {
    remark_no_memory();
    w->stack_count = 0;
  }
  gp_json_array(w->json, "stacks");
  for (size_t i = 0; i < w->stack_count; i++) {
    gp_json_compact(w->json, 0);
    gp_json_array(w->json, NULL);
    gp_json_compact(w->json, 1);
    for (unsigned f = 0; f < w->stacks[i]->count; f++)
      write_frame(w, &w->stacks[i]->frames[f], n.numbers);
    gp_json_close_array(w->json);
  }
  gp_json_compact(w->json, 0);
  gp_json_close_array(w->json);
  write_modules(w, &n);
  free(n.numbers);
  free(n.modules);
}

/* ---- Lists: a line an item ---- */

static void open_item(struct writer *w) {
  gp_json_compact(w->json, 0);
  gp_json_object(w->json, NULL);
  gp_json_compact(w->json, 1);
}

static void close_list(struct writer *w) {
  gp_json_compact(w->json, 0);
  gp_json_close_array(w->json);
}

/* Sites with an amount, the largest first. */
struct amount {
  const struct gp_usage_site *site;
  uint64_t bytes, allocations;
};

static int by_bytes(const void *a, const void *b) {
  const struct amount *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? 1 : -1;
  if (x->allocations != y->allocations)
    return x->allocations < y->allocations ? 1 : -1;
  return (x->site < y->site) - (x->site > y->site); /* the newest stand first */
}

static void write_amounts(struct writer *w, const char *key, struct amount *amounts, size_t count, int names_place) {
  qsort(amounts, count, sizeof *amounts, by_bytes);
  gp_json_array(w->json, key);
  for (size_t i = 0; i < count && i < SITES_SHOWN; i++) {
    const struct gp_usage_site *site = amounts[i].site;
    open_item(w);
    gp_json_unsigned(w->json, "bytes", amounts[i].bytes);
    gp_json_unsigned(w->json, "allocations", amounts[i].allocations);
    gp_json_text(w->json, "kind", gp_usage_kind_name(site->kind));
    if (names_place)
      write_place(w, site->place);
    write_origin(w, site->stack, site->context);
    gp_json_close_object(w->json);
  }
  close_list(w);
}

static void write_at_peak(struct writer *w, unsigned place, struct amount *room) {
  size_t count = 0;
  for (size_t i = 0; i < w->reading->site_count; i++) {
    const struct gp_usage_site *site = &w->reading->sites[i];
    if (site->place == place && gp_usage_kind_counts(site->kind) && site->peak_allocations)
      room[count++] = (struct amount){site, site->peak_bytes, site->peak_allocations};
  }
  write_amounts(w, "at_peak", room, count, 0);
}

static void write_leaks(struct writer *w, int complete, struct amount *room) {
  uint64_t bytes = 0, allocations = 0;
  size_t count = 0;
  for (size_t i = 0; i < w->reading->site_count; i++) {
    const struct gp_usage_site *site = &w->reading->sites[i];
    if (!gp_usage_kind_counts(site->kind) || !site->allocations)
      continue;
    room[count++] = (struct amount){site, site->bytes, site->allocations};
    bytes += site->bytes;
    allocations += site->allocations;
  }
  number(w->json, "leaked_bytes", bytes, complete);
  number(w->json, "leaked_allocations", allocations, complete);
  if (complete)
    write_amounts(w, "leaks", room, count, 1);
  else {
    gp_json_null(w->json, "leaks");
    gp_remark("memory.leaks", "null while the program runs: what it holds now is in end_bytes");
  }
}

static void write_largest(struct writer *w) {
  const struct gp_usage_totals *totals = &w->reading->totals;
  gp_json_array(w->json, "largest");
  for (size_t i = 0; i < totals->large_count; i++) {
    const struct gp_usage_large *large = &totals->largest[i];
    open_item(w);
    gp_json_unsigned(w->json, "bytes", large->bytes);
    gp_json_text(w->json, "kind", gp_usage_kind_name(large->site->kind));
    write_place(w, large->site->place);
    gp_json_unsigned(w->json, "time_ns", large->ns);
    gp_json_boolean(w->json, "released", !large->is_alive);
    write_origin(w, large->site->stack, large->site->context);
    gp_json_close_object(w->json);
  }
  close_list(w);
}

/* ---- Places ---- */

static void write_level(struct writer *w, const struct gp_usage_level *level) {
  struct gp_json *json = w->json;
  gp_json_unsigned(json, "peak_bytes", level->peak_bytes);
  number(json, "peak_time_ns", level->peak_ns, level->peak_bytes > 0);
  gp_json_unsigned(json, "average_bytes", gp_usage_level_average(level, w->reading->ns));
  gp_json_unsigned(json, "end_bytes", level->bytes);
  gp_json_unsigned(json, "allocated_bytes", level->allocated_bytes);
  gp_json_unsigned(json, "allocations", level->allocations);
  gp_json_unsigned(json, "releases", level->releases);
}

static void write_kinds(struct writer *w, const struct gp_usage_place *place) {
  gp_json_object(w->json, "kinds");
  for (unsigned kind = 0; kind < GP_USAGE_KINDS; kind++) {
    if (!place->kinds[kind].allocations)
      continue;
    gp_json_compact(w->json, 0);
    gp_json_object(w->json, gp_usage_kind_name((enum gp_usage_kind)kind));
    gp_json_compact(w->json, 1);
    write_level(w, &place->kinds[kind]);
    gp_json_close_object(w->json);
  }
  gp_json_compact(w->json, 0);
  gp_json_close_object(w->json);
}

static void write_curve(struct writer *w, const struct gp_usage_curve *curve) {
  gp_json_object(w->json, "curve");
  gp_json_compact(w->json, 1);
  gp_json_unsigned(w->json, "width_ns", curve ? curve->width_ns : 0);
  gp_json_array(w->json, "most_bytes");
  for (size_t i = 0; curve && i < curve->count; i++)
    gp_json_unsigned(w->json, NULL, curve->points[i].most);
  gp_json_close_array(w->json);
  gp_json_array(w->json, "last_bytes");
  for (size_t i = 0; curve && i < curve->count; i++)
    gp_json_unsigned(w->json, NULL, curve->points[i].last);
  gp_json_close_array(w->json);
  gp_json_close_object(w->json);
  gp_json_compact(w->json, 0);
}

/* What the device says by itself: memory used by anyone, gpuprof, the driver and other processes included. */
static void write_physical(struct writer *w, unsigned place, int asks_device) {
  uint64_t used = 0;
  int here = 0, known = 0;
  struct gp_pool_usage pool = {0};
  int pool_known = 0;
  if (place != GP_USAGE_HOST && asks_device && !gp_device()->current(&here) && !gp_device()->select((int)place)) {
    known = gp_device()->memory_in_use && !gp_device()->memory_in_use(&used);
    pool_known = w->reading->totals.places[place].kinds[GP_USAGE_POOL].allocations && gp_device()->pool &&
                 !gp_device()->pool((int)place, &pool);
    gp_device()->select(here);
  }
  number(w->json, "used_bytes", used, known);
  gp_json_object(w->json, "default_pool");
  number(w->json, "reserved_bytes", pool.reserved_bytes, pool_known);
  number(w->json, "reserved_peak_bytes", pool.reserved_peak_bytes, pool_known);
  number(w->json, "used_bytes", pool.used_bytes, pool_known);
  number(w->json, "used_peak_bytes", pool.used_peak_bytes, pool_known);
  gp_json_close_object(w->json);
}

static int is_used(const struct gp_usage_place *place) {
  for (unsigned kind = 0; kind < GP_USAGE_KINDS; kind++)
    if (place->kinds[kind].allocations)
      return 1;
  return 0;
}

static void write_places(struct writer *w, int asks_device, struct amount *room) {
  gp_json_array(w->json, "places");
  for (unsigned i = 0; i < GP_USAGE_PLACES; i++) {
    const struct gp_usage_place *place = &w->reading->totals.places[i];
    if (!is_used(place))
      continue;
    gp_json_object(w->json, NULL);
    write_place(w, i);
    write_level(w, &place->sum);
    write_physical(w, i, asks_device);
    write_kinds(w, place);
    write_at_peak(w, i, room);
    write_curve(w, place->curve);
    gp_json_close_object(w->json);
  }
  gp_json_close_array(w->json);
}

/* ---- Exhaustion ---- */

static void write_failure(struct writer *w, const struct gp_usage_failure *f) {
  open_item(w);
  gp_json_text(w->json, "function", f->function);
  gp_json_unsigned(w->json, "bytes", f->bytes);
  gp_json_text(w->json, "kind", gp_usage_kind_name(f->kind));
  write_place(w, f->place);
  gp_json_unsigned(w->json, "time_ns", f->ns);
  gp_json_unsigned(w->json, "held_bytes", f->live_bytes);
  number(w->json, "used_bytes", f->used_bytes, f->used_bytes > 0);
  write_origin(w, f->stack, f->context);
  gp_json_array(w->json, "held");
  for (size_t i = 0; i < GP_USAGE_LIVE && f->live[i].site; i++) {
    gp_json_object(w->json, NULL);
    gp_json_unsigned(w->json, "bytes", f->live[i].bytes);
    gp_json_unsigned(w->json, "allocations", f->live[i].allocations);
    gp_json_text(w->json, "kind", gp_usage_kind_name(f->live[i].site->kind));
    write_origin(w, f->live[i].site->stack, f->live[i].site->context);
    gp_json_close_object(w->json);
  }
  gp_json_close_array(w->json);
  gp_json_close_object(w->json);
}

static void write_exhaustion(struct writer *w) {
  const struct gp_usage_totals *totals = &w->reading->totals;
  gp_json_object(w->json, "exhausted");
  gp_json_unsigned(w->json, "allocations", totals->exhausted);
  gp_json_array(w->json, "first");
  for (size_t i = 0; i < totals->exhausted && i < GP_USAGE_FAILURES; i++)
    write_failure(w, &totals->failures[i]);
  close_list(w);
  gp_json_close_object(w->json);
}

/* ---- Remarks ---- */

static void remark_exhaustion(const struct gp_usage_totals *totals) {
  if (!totals->exhausted)
    return;
  const struct gp_usage_failure *f = &totals->failures[0];
  char *region = path_of(f->context);
  gp_remark("memory", "memory ran out: %s%s%s%s of %llu bytes failed while the program held %llu bytes there; 'gpuprof report --memory' "
                      "shows who held them",
            f->function, region ? " in region '" : "", region ? region : "", region ? "'" : "", (unsigned long long)f->bytes,
            (unsigned long long)f->live_bytes);
  free(region);
}

/* The library of PyTorch's caching allocator. */
static int is_of_torch(const struct gp_stack *stack) {
  for (unsigned i = 0; stack && i < stack->count; i++)
    if (stack->frames[i].module && strstr(stack->frames[i].module->path, "/libc10_cuda."))
      return 1;
  return 0;
}

static void remark_segments(const struct gp_usage_reading *reading) {
  uint64_t segments = 0;
  for (size_t i = 0; i < reading->site_count; i++)
    if (is_of_torch(reading->sites[i].stack))
      segments += reading->sites[i].all_allocations;
  if (segments)
    gp_remark("memory", "%llu allocations are segments of PyTorch's allocator: what it hands out of them, to which tensors, is not seen",
              (unsigned long long)segments);
}

static void remark_on(const struct gp_usage_reading *reading) {
  const struct gp_usage_totals *totals = &reading->totals;
  remark_exhaustion(totals);
  remark_segments(reading);
  if (totals->unknown_releases)
    gp_remark("memory", "%llu releases were of addresses whose allocation was not seen, as by a library that does not call libgpuprof",
              (unsigned long long)totals->unknown_releases);
  if (totals->replaced)
    gp_remark("memory", "%llu addresses were handed out again although their release was not seen: it is taken for done",
              (unsigned long long)totals->replaced);
  if (totals->unsized)
    gp_remark("memory", "%llu allocations have a size that gpuprof does not know: they stand with 0 bytes",
              (unsigned long long)totals->unsized);
  if (totals->untracked)
    gp_remark("memory", "%llu allocations are missing, since gpuprof's own memory was exhausted", (unsigned long long)totals->untracked);
  if (totals->unsummed)
    gp_remark("memory", "%llu changes are missing in the sums of regions, since gpuprof's own memory was exhausted",
              (unsigned long long)totals->unsummed);
  if (totals->undrawn)
    gp_remark("memory", "%llu changes are missing in 'curve', since gpuprof's own memory was exhausted", (unsigned long long)totals->undrawn);
  if (totals->graph_allocations)
    gp_remark("memory", "%llu allocations are nodes of graphs, which allocate when the graph runs: they are in 'graphs', not in the sums",
              (unsigned long long)totals->graph_allocations);
}

/* ---- All of it ---- */

static void write_counts(struct writer *w) {
  const struct gp_usage_totals *t = &w->reading->totals;
  gp_json_unsigned(w->json, "unknown_releases", t->unknown_releases);
  gp_json_unsigned(w->json, "refused_releases", t->refused_releases);
  gp_json_unsigned(w->json, "refused_allocations", t->refused);
  gp_json_unsigned(w->json, "reset_releases", t->reset_releases);
  gp_json_unsigned(w->json, "unsized_allocations", t->unsized);
  gp_json_object(w->json, "graphs");
  gp_json_unsigned(w->json, "allocations", t->graph_allocations);
  gp_json_unsigned(w->json, "bytes", t->graph_bytes);
  gp_json_unsigned(w->json, "releases", t->graph_releases);
  gp_json_close_object(w->json);
}

static int was_asked_for(const struct gp_usage_totals *totals) {
  for (unsigned i = 0; i < GP_USAGE_PLACES; i++)
    if (is_used(&totals->places[i]))
      return 1;
  return totals->exhausted || totals->refused || totals->refused_releases || totals->unknown_releases;
}

static void write_seen(struct writer *w, int complete, int asks_device, struct amount *room) {
  write_level(w, &w->reading->totals.devices);
  write_leaks(w, complete, room);
  if (!was_asked_for(&w->reading->totals))
    return;
  write_exhaustion(w);
  write_counts(w);
  write_largest(w);
  write_places(w, asks_device, room);
  write_stacks(w);
}

static void write_nothing(struct gp_json *json) {
  gp_json_null(json, "peak_bytes");
  gp_json_null(json, "leaks");
}

static int write_reading(struct gp_json *json, const struct gp_usage_reading *reading, int complete, int asks_device) {
  struct writer *w = calloc(1, sizeof *w);
  struct amount *room = calloc(reading->site_count + 1, sizeof *room);
  if (w && room) {
    w->json = json;
    w->reading = reading;
    write_seen(w, complete, asks_device, room);
  }
  const int done = w && room;
  free(w);
  free(room);
  return done ? 0 : -1;
}

void gp_report_memory(struct gp_json *json, int complete, int asks_device) {
  struct gp_usage_reading reading = {0};
  if (asks_device && gp_settings()->memory == GP_MEMORY_STACKS)
    gp_demangle_prepare();
  gp_json_object(json, "memory");
  if (!is_seen()) {
    write_nothing(json);
    gp_remark("memory", "null: GPUPROF_MEMORY is off");
  } else if (gp_usage_read(&reading) || write_reading(json, &reading, complete, asks_device)) {
    write_nothing(json);
    gp_remark("memory", "null: gpuprof's own memory was exhausted");
  } else
    remark_on(&reading);
  gp_usage_reading_free(&reading);
  gp_json_close_object(json);
}
