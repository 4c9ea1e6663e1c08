// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/regions.h"

#include "base/device.h"
#include "base/exported.h"
#include "base/immortals.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "base/settings.h"
#include "base/state.h"
#include "core/host_times.h"
#include "core/ranges.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gp_execution {
  struct gp_execution *parent; /* referenced */
  struct gp_context *context;
  int64_t taken; /* references taken by launches and executions within it: by its own thread, without a lock */
  /* Below: guarded by the lock. */
  int64_t references; /* OPEN and those given back, while its region is open; then those left */
  uint64_t ns;
  int timed; /* 1: some launch was timed, -1: the time of one is lost */
};
#define OPEN (INT64_C(1) << 62)

struct frame {
  struct gp_context *context;
  struct gp_execution *execution; /* made by the first launch within it */
  struct gp_host_times *times;    /* null: it counts for the frame around it, or memory is exhausted */
  uint32_t owner; /* number of the innermost frame with a context other than the enclosing one; 0: none */
  unsigned char ignored; /* within `#pragma gpuprof ignore` */
  unsigned char in_step; /* opened by gp_region_step() */
  uint32_t entry_ticks;  /* own cost of its entry, if this execution is measured; else 0 */
};

/* A path taken earlier by this thread. It stays valid: contexts and sites live as long as the process. */
struct step {
  const struct gp_context *around;
  const struct gp_site *site;
  struct gp_context *context;
  struct gp_host_times *times; /* null: memory is exhausted */
};
#define STEPS 64u

/* Keeps rare code out of the path of each region. */
#define COLD __attribute__((noinline))

#define FIRST_FRAMES 32u

struct stack {
  uint32_t number;          /* of the thread, from 1 */
  uint32_t depth, capacity; /* open regions; those beyond the capacity have no frame for lack of memory */
  struct frame *frames;     /* number 0 stands for code outside of all regions */
  uint64_t warmup; /* the setting */
  unsigned samples_left; /* entries that are measured next */
  struct gp_execution *spare; /* freed last, for the next one */
  struct step steps[STEPS];
  struct gp_host_times *times; /* of all paths that this thread took, and of the root */
};

static _Atomic uint32_t threads; /* with a stack, so far */

static struct gp_context root = {.whole = &root, .all_early = 1};
static struct gp_table sites, contexts, counters;
GP_MUTEX(lock, GP_LOCK_REGIONS)
static struct gp_immortals memory = {.lock = &lock}; /* of all three */

/* One pointer in thread memory present from the thread's start. It is accessed without a call; a call would
 * cost as much as the region. */
static __thread struct stack *own_stack __attribute__((tls_model("initial-exec")));
static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

struct gp_context *gp_context_root(void) { return &root; }

size_t gp_contexts_count(void) {
  pthread_mutex_lock(&lock);
  const size_t count = contexts.count;
  pthread_mutex_unlock(&lock);
  return count;
}
void gp_context_lock(void) { pthread_mutex_lock(&lock); }
void gp_context_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- Sites ---- */

static struct gp_site *new_site(const struct gp_description *description, uint64_t hash) {
  struct gp_site *site = gp_immortal(&memory, sizeof *site);
  if (!site)
    return NULL;
  site->description = *description;
  site->ignored = description->kind && !strcmp(description->kind, "ignore");
  site->nvtx.description = description->name;
  gp_table_add(&sites, &site->link, hash);
  return site;
}

static int is_like(const struct gp_site *site, const struct gp_description *d) {
  const struct gp_description *own = &site->description;
  return !site->is_step && own->line == d->line && own->color == d->color && gp_same_text(own->name, d->name) &&
         gp_same_text(own->kind, d->kind) && gp_same_text(own->file, d->file) && gp_same_text(own->phase, d->phase) &&
         gp_same_text(own->category, d->category);
}

static uint64_t hash_of(const struct gp_description *d) {
  const uint64_t place = gp_hash_mix(gp_hash_text(d->file), d->line);
  return gp_hash_mix(gp_hash_mix(gp_hash_text(d->name), place),
                     gp_hash_mix(gp_hash_text(d->phase), gp_hash_text(d->category)));
}

/* Without the lock it may miss a site while the table grows. */
static struct gp_site *site_like(const struct gp_description *d, uint64_t hash) {
  for (struct gp_link *link = gp_table_first(&sites, hash); link; link = gp_table_next(link))
    if (is_like(GP_HOLDER(link, struct gp_site, link), d))
      return GP_HOLDER(link, struct gp_site, link);
  return NULL;
}

/* Takes over the description's texts. The caller holds the lock. */
static struct gp_site *own_site(struct gp_description *description) {
  gp_assert_held(&lock);
  const uint64_t hash = hash_of(description);
  struct gp_site *known = site_like(description, hash), *site = known ? known : new_site(description, hash);
  if (known || !site)
    gp_description_free(description);
  return site;
}

/* The runtime's copy of a compiled region's facts: the object with the original may be unloaded. If it is
 * opened again, its regions are the same ones. */
static COLD struct gp_site *make_site(struct gpuprof_region_site *compiled) {
  struct gp_description description;
  pthread_mutex_lock(&lock);
  struct gp_site *site = compiled->runtime;
  const int malformed = !site && gp_describe(compiled->description, strlen(compiled->description), &description);
  if (!site && !malformed && (site = own_site(&description)))
    __atomic_store_n(&compiled->runtime, site, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  if (malformed)
    gp_log(GP_WARN, "", "a region's description is malformed, so it is left out; compile its file again");
  else if (!site)
    gp_log_exhausted("regions");
  return site;
}

static inline struct gp_site *site_of(struct gpuprof_region_site *compiled) {
  struct gp_site *known = __atomic_load_n((struct gp_site **)&compiled->runtime, __ATOMIC_ACQUIRE);
  return known ? known : make_site(compiled);
}

static char *copied(char **end, const char *text) {
  char *start = *end;
  if (!text)
    return NULL;
  *end = stpcpy(start, text) + 1;
  return start;
}

static size_t room_for(const char *text) { return text ? strlen(text) + 1 : 0; }

/* A site with copies of the caller's facts. The caller holds the lock. */
static struct gp_site *make_named_site(const struct gp_description *facts, uint64_t hash) {
  gp_assert_held(&lock);
  struct gp_description own = *facts;
  char *end = gp_immortal(&memory, room_for(facts->name) + room_for(facts->phase) + room_for(facts->category));
  if (!end)
    return NULL;
  own.name = copied(&end, facts->name);
  own.phase = copied(&end, facts->phase);
  own.category = copied(&end, facts->category);
  return new_site(&own, hash);
}

static struct gp_site *named_site(const char *name, const char *phase, const char *category) {
  const struct gp_description facts = {
      .name = name, .kind = "host", .phase = phase, .category = category, .color = GP_NO_COLOR};
  const uint64_t hash = hash_of(&facts);
  struct gp_site *site = site_like(&facts, hash);
  if (site)
    return site;
  pthread_mutex_lock(&lock);
  site = site_like(&facts, hash);
  if (!site)
    site = make_named_site(&facts, hash);
  pthread_mutex_unlock(&lock);
  if (!site)
    gp_log_exhausted(name);
  return site;
}

/* The caller holds the lock. */
static struct gp_site *known_step(int64_t step, uint64_t hash) {
  gp_assert_held(&lock);
  for (struct gp_link *link = gp_table_first(&sites, hash); link; link = gp_table_next(link)) {
    struct gp_site *site = GP_HOLDER(link, struct gp_site, link);
    if (site->is_step && site->step == step)
      return site;
  }
  return NULL;
}

static struct gp_site *make_step_site(int64_t step, uint64_t hash) {
  char name[32];
  snprintf(name, sizeof name, "step_%lld", (long long)step);
  const struct gp_description facts = {.name = name, .kind = "host", .color = GP_NO_COLOR};
  struct gp_site *site = make_named_site(&facts, hash);
  if (!site)
    return NULL;
  site->is_step = 1;
  site->step = step;
  return site;
}

static struct gp_site *step_site(int64_t step) {
  const uint64_t hash = gp_hash_mix((uint64_t)step, 1);
  pthread_mutex_lock(&lock);
  struct gp_site *site = known_step(step, hash);
  if (!site)
    site = make_step_site(step, hash);
  pthread_mutex_unlock(&lock);
  return site;
}

/* ---- Contexts ---- */

static uint64_t hash_of_child(const struct gp_context *parent, const struct gp_site *site, int early) {
  return gp_hash_pointers(parent, (const void *)((uintptr_t)site + (uintptr_t)early)); /* launches have no site */
}

static struct gp_context *find_child(const struct gp_context *parent, const struct gp_site *site, int early) {
  if (site && !atomic_load_explicit(&site->has_paths, memory_order_acquire))
    return NULL; /* of a new site, without a look at the paths of others */
  struct gp_link *link = gp_table_first(&contexts, hash_of_child(parent, site, early));
  for (; link; link = gp_table_next(link)) {
    struct gp_context *child = GP_HOLDER(link, struct gp_context, link);
    if (child->parent == parent && child->site == site && child->early == early)
      return child;
  }
  return NULL;
}

/* `whole`: null if the child is whole itself. */
static struct gp_context *add_child(struct gp_context *parent, struct gp_site *site, int early,
                                    struct gp_context *whole) {
  gp_assert_held(&lock);
  const uint64_t hash = hash_of_child(parent, site, early);
  gp_table_prefetch(&contexts, hash);
  struct gp_context *child = gp_immortal(&memory, sizeof *child);
  if (!child)
    return NULL;
  child->parent = parent;
  child->site = site;
  child->whole = whole ? whole : child;
  child->early = early;
  child->all_early = parent->all_early && (early || (site && site->is_step));
  atomic_store_explicit(parent->last_child ? &parent->last_child->sibling : &parent->children, child, memory_order_release);
  parent->last_child = child;
  gp_table_add(&contexts, &child->link, hash);
  if (site)
    atomic_store_explicit(&site->has_paths, 1, memory_order_release);
  return child;
}

static struct gp_context *find_or_add(struct gp_context *parent, struct gp_site *site, int early,
                                      struct gp_context *whole) {
  struct gp_context *child = find_child(parent, site, early);
  if (child)
    return child;
  pthread_mutex_lock(&lock);
  child = find_child(parent, site, early);
  if (!child && contexts.count < GP_CONTEXTS_MAXIMUM)
    child = add_child(parent, site, early, whole);
  const int full = contexts.count >= GP_CONTEXTS_MAXIMUM;
  pthread_mutex_unlock(&lock);
  if (!child && full)
    gp_log(GP_WARN, "", "more than %u different paths of regions: further ones count for the region around them",
           GP_CONTEXTS_MAXIMUM);
  else if (!child)
    gp_log(GP_WARN, "", "memory is exhausted: further paths of regions count for the region around them");
  return child;
}

/* The context of `site` within `parent`; `parent` itself at the bound of contexts. */
static COLD struct gp_context *child_of(struct gp_context *parent, struct gp_site *site) {
  struct gp_context *child = find_or_add(parent, site, 0, NULL);
  return child ? child : parent;
}

struct gp_context *gp_context_early_launches(struct gp_context *context) {
  struct gp_context *child = find_or_add(context, NULL, 1, context->whole);
  return child ? child : context;
}

/* The context within `around` for an execution of `whole`: a separate one if the execution, or an enclosing
 * one, is early. */
static struct gp_context *apart_of(struct gp_context *around, struct gp_context *whole, int early) {
  if (!early && around == around->whole)
    return whole;
  struct gp_context *apart = find_or_add(around, whole->site, early, whole);
  return apart ? apart : whole;
}

struct gp_context_values *gp_context_own_values(struct gp_context *context) {
  gp_assert_held(&lock);
  if (!context->values)
    context->values = gp_immortal(&memory, sizeof *context->values);
  return context->values;
}

/* ---- Counters of the program ---- */

/* The caller holds the lock. */
static struct gp_user_counter *find_counter(const struct gp_context *context, const char *name, uint64_t hash) {
  gp_assert_held(&lock);
  for (struct gp_link *link = gp_table_first(&counters, hash); link; link = gp_table_next(link)) {
    struct gp_user_counter *counter = GP_HOLDER(link, struct gp_user_counter, link);
    if (counter->context == context && !strcmp(counter->name, name))
      return counter;
  }
  return NULL;
}

static struct gp_user_counter *add_counter(struct gp_context *context, const char *name, uint64_t hash) {
  struct gp_context_values *values = gp_context_own_values(context);
  struct gp_user_counter *counter = values ? gp_immortal(&memory, sizeof *counter + strlen(name) + 1) : NULL;
  if (!counter)
    return NULL;
  strcpy(counter->name, name);
  counter->context = context;
  *(values->last_counter ? &values->last_counter->next : &values->counters) = counter;
  values->last_counter = counter;
  gp_table_add(&counters, &counter->link, hash);
  return counter;
}

void gp_context_count(struct gp_context *context, const char *name, int64_t amount) {
  const uint64_t hash = gp_hash_mix(gp_hash_text(name), (uint64_t)(uintptr_t)context);
  pthread_mutex_lock(&lock);
  struct gp_user_counter *counter = find_counter(context, name, hash);
  if (!counter)
    counter = add_counter(context, name, hash);
  if (counter)
    counter->value = (int64_t)((uint64_t)counter->value + (uint64_t)amount); /* modulo 2^64, as in kernels */
  pthread_mutex_unlock(&lock);
  if (!counter)
    gp_log(GP_WARN, name, "memory is exhausted: it is not counted");
}

size_t gp_regions_longest_search(void) {
  struct gp_table *const tables[] = {&sites, &contexts, &counters};
  size_t longest = 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    const size_t length = gp_table_longest(tables[i]);
    longest = length > longest ? length : longest;
  }
  pthread_mutex_unlock(&lock);
  return longest;
}

/* ---- Executions: reference-counted ---- */

/* Times may arrive on threads other than the execution's own: then the lock guards it. */
static int are_shared(void) { return !gp_device()->tells_in_call; }

static void lock_executions(void) {
  if (are_shared())
    pthread_mutex_lock(&lock);
}

static void unlock_executions(void) {
  if (are_shared())
    pthread_mutex_unlock(&lock);
}

static void add_time(struct gp_context *context, uint64_t ns) {
  const int shared = are_shared();
  if (!shared)
    pthread_mutex_lock(&lock);
  struct gp_context_values *values = gp_context_own_values(context);
  if (values)
    gp_distribution_add(&values->time, ns);
  if (!shared)
    pthread_mutex_unlock(&lock);
}

static struct gp_execution *new_execution(struct stack *stack) {
  struct gp_execution *spare = stack->spare;
  stack->spare = NULL;
  return spare ? spare : malloc(sizeof *spare);
}

static void keep_or_free(struct gp_execution *e) {
  if (own_stack && !own_stack->spare)
    own_stack->spare = e;
  else
    free(e);
}

/* The caller has locked executions. */
static void release(struct gp_execution *e) {
  while (e && --e->references == 0) {
    struct gp_execution *parent = e->parent;
    if (e->timed > 0)
      add_time(e->context, e->ns);
    keep_or_free(e);
    e = parent;
  }
}

/* Makes the executions of frame number `owner` and of the owners around it, unless a launch has made them. */
static struct gp_execution *make_executions(struct stack *stack, uint32_t owner) {
  struct gp_execution *parent = NULL;
  for (uint32_t i = 1; i <= owner; i++) {
    struct frame *frame = &stack->frames[i];
    if (frame->owner != i)
      continue;
    if (!frame->execution && (frame->execution = new_execution(stack))) {
      *frame->execution = (struct gp_execution){.parent = parent, .context = frame->context, .references = OPEN};
      if (parent)
        parent->taken++;
    }
    if (frame->execution)
      parent = frame->execution;
  }
  return parent;
}

/* Its region ends. The caller has locked executions. */
static void close_execution(struct gp_execution *e) {
  e->references += e->taken + 1 - OPEN; /* and that of the region */
  release(e);
}

static int is_warmup(const struct gp_execution *e) {
  return gp_same_text(e->context->site->description.phase, "warmup");
}

void gp_execution_launch_done(struct gp_execution *execution, uint64_t ns, int timed) {
  if (!execution)
    return;
  lock_executions();
  for (struct gp_execution *e = execution; e; e = e->parent) {
    e->ns += ns;
    if (!timed || e->timed < 0)
      e->timed = -1;
    else
      e->timed = 1;
    if (is_warmup(e)) /* not added to the execution around it */
      break;
  }
  release(execution);
  unlock_executions();
}

/* ---- The stack ---- */

/* ---- Host times ---- */

/* Those of a thread that has ended, or new ones. The caller holds the lock. */
static struct gp_host_times *free_times(struct gp_context *context) {
  gp_assert_held(&lock);
  struct gp_host_times *first = atomic_load_explicit(&context->host_times, memory_order_relaxed), *times = first;
  while (times && atomic_load_explicit(&times->owner, memory_order_relaxed))
    times = times->next;
  if (times || !(times = gp_immortal(&memory, sizeof *times)))
    return times;
  times->next = first;
  atomic_store_explicit(&context->host_times, times, memory_order_release);
  return times;
}

static COLD struct gp_host_times *take_times(struct stack *stack, struct gp_context *context) {
  pthread_mutex_lock(&lock);
  struct gp_host_times *times = free_times(context);
  if (times) {
    atomic_store_explicit(&times->owner, stack->number, memory_order_relaxed);
    times->next_of_owner = stack->times;
    stack->times = times;
  }
  pthread_mutex_unlock(&lock);
  return times;
}

/* The calling thread's times of the path; null when memory is exhausted. */
static struct gp_host_times *times_of(struct stack *stack, struct gp_context *context) {
  struct gp_host_times *times = atomic_load_explicit(&context->host_times, memory_order_acquire);
  while (times && atomic_load_explicit(&times->owner, memory_order_relaxed) != stack->number)
    times = times->next;
  return times ? times : take_times(stack, context);
}

/* An ending thread leaves its times to others. */
static void leave_times(const struct stack *stack) {
  pthread_mutex_lock(&lock);
  for (struct gp_host_times *times = stack->times; times; times = times->next_of_owner)
    atomic_store_explicit(&times->owner, 0, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
}

uint32_t gp_regions_threads(void) { return threads; }

static uint32_t frames_of(const struct stack *stack) {
  return stack->depth < stack->capacity ? stack->depth : stack->capacity;
}

static COLD void grow(struct stack *stack) {
  const uint32_t capacity = 2 * stack->capacity;
  struct frame *grown = realloc(stack->frames, (capacity + 1) * sizeof *grown);
  if (!grown) {
    gp_log(GP_WARN, "", "memory is exhausted: regions that are opened more than %u deep count for the region around them",
           stack->capacity);
    return;
  }
  stack->frames = grown;
  stack->capacity = capacity;
}

/* True if there is a frame for one more region. A region without a frame counts for the enclosing region, as
 * do all regions within it. */
static inline int has_room(struct stack *stack) {
  if (stack->depth == stack->capacity)
    grow(stack);
  return stack->depth < stack->capacity;
}

/* Own cost of an execution: entry and exit. One path lets the next entries be measured at one of these many executions.
 * The first of them is no sample: the code that measures is not in the processor's caches. */
#define SAMPLED_EXECUTIONS 1024u
#define FIRST_SAMPLED 16u
#define SAMPLES_TOGETHER 8u
#define NO_SAMPLE UINT32_MAX

static COLD void sample_entry(struct stack *stack, struct frame *frame, uint64_t start) {
  const uint64_t ticks = gp_ticks() - start;
  const int is_first = stack->samples_left-- > SAMPLES_TOGETHER;
  frame->entry_ticks = is_first ? NO_SAMPLE : ticks && ticks < NO_SAMPLE ? (uint32_t)ticks : 1;
}

static COLD void sample_exit(const struct frame *frame, uint64_t start) {
  const uint64_t ticks = gp_ticks() - start;
  if (frame->entry_ticks != NO_SAMPLE)
    gp_own_cost_sample(GP_OWN_REGION, frame->entry_ticks + ticks);
}

/* Closes every region above `depth`. */
static void pop_to(struct stack *stack, uint32_t depth) {
  const uint64_t start = stack->frames[frames_of(stack)].entry_ticks ? gp_ticks() : 0, now = gp_host_clock();
  for (; stack->depth > depth; stack->depth--) {
    if (stack->depth > stack->capacity)
      continue;
    if (gp_ranges_wanted())
      gp_range_pop();
    struct frame *frame = &stack->frames[stack->depth];
    if (frame->times)
      gp_host_times_close(frame->times, frame->context, now);
    if (frame->execution) {
      lock_executions();
      close_execution(frame->execution);
      unlock_executions();
    }
    if (start && frame->entry_ticks)
      sample_exit(frame, start);
  }
}

static void thread_ends(void *value) {
  struct stack *stack = value;
  if (gp_state() != GP_OFF)
    pop_to(stack, 0);
  leave_times(stack);
  own_stack = NULL;
  free(stack->spare);
  free(stack->frames);
  free(stack);
}

static int has_stack_key; /* without it the stacks of ending threads are not freed */
static void make_stack_key(void) { has_stack_key = !pthread_key_create(&stack_key, thread_ends); }

static COLD struct stack *make_stack(void) {
  pthread_once(&stack_key_made, make_stack_key);
  struct stack *stack = calloc(1, sizeof *stack);
  struct frame *frames = malloc((FIRST_FRAMES + 1) * sizeof *frames);
  if (!stack || !frames) {
    free(stack);
    free(frames);
    gp_log_exhausted("regions");
    return NULL;
  }
  stack->number = 1 + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed);
  frames[0] = (struct frame){.context = &root, .times = times_of(stack, &root)};
  stack->frames = frames;
  stack->capacity = FIRST_FRAMES;
  stack->warmup = gp_settings()->warmup;
  if (has_stack_key)
    pthread_setspecific(stack_key, stack);
  own_stack = stack;
  return stack;
}

static COLD void take_step(struct stack *stack, struct step *step, struct gp_context *around, struct gp_site *site) {
  struct gp_context *context = child_of(around, site);
  *step = (struct step){around, site, context, context == around ? NULL : times_of(stack, context)};
}

/* child_of() and times_of() with a memory. */
static inline const struct step *step_into(struct stack *stack, struct gp_context *around, struct gp_site *site) {
  uintptr_t mixed = ((uintptr_t)around >> 4) + ((uintptr_t)site >> 4) * 5;
  struct step *step = &stack->steps[(mixed ^ (mixed >> 6)) % STEPS];
  if (step->around != around || step->site != site)
    take_step(stack, step, around, site);
  return step;
}

static COLD void show(struct gp_site *site, uint64_t execution) {
  const struct gp_description *d = &site->description;
  gp_range_push(&site->nvtx, d->name, d->color == GP_NO_COLOR ? 0 : d->color, d->category, execution);
}

/* Steps are left out together with their region. */
static COLD struct gp_context *enter_apart(struct gp_context *around, struct gp_context *whole, int early) {
  struct gp_context *context = apart_of(around, whole, early && !whole->site->is_step);
  if (context == whole)
    return whole;
  atomic_fetch_add_explicit(&whole->apart, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&context->entered, 1, memory_order_relaxed);
  return context;
}

/* Recursion deeper than the maximum depth of paths. Returns 0. */
static COLD int too_deep(struct gp_site *site) {
  if (!atomic_exchange_explicit(&site->told_deep, 1, memory_order_relaxed))
    gp_log(GP_WARN, site->description.name, "more than %u regions are open at once: deeper ones count for the region around them",
           GP_DEPTH_MAXIMUM);
  return 0;
}

/* The frame of a region that counts for the enclosing one. */
static struct frame frame_within(const struct frame *below, int ignored) {
  return (struct frame){.context = below->context, .owner = below->owner, .ignored = ignored || below->ignored};
}

static inline struct frame own_frame(struct stack *stack, const struct step *step, const struct frame *below, uint64_t execution) {
  struct frame frame = {.context = step->context, .times = step->times, .owner = stack->depth + 1, .ignored = below->ignored};
  if (stack->warmup) {
    frame.context = enter_apart(below->context, step->context, execution < stack->warmup);
    if (frame.context != step->context)
      frame.times = times_of(stack, frame.context);
  }
  return frame;
}

static uint32_t push(struct gp_site *site) {
  struct stack *stack = own_stack ? own_stack : make_stack();
  if (!stack || !site)
    return 0;
  const uint64_t start = stack->samples_left ? gp_ticks() : 0;
  gp_report_changed();
  if (!has_room(stack))
    return ++stack->depth;
  const struct frame *below = &stack->frames[stack->depth];
  struct frame *frame = &stack->frames[stack->depth + 1];
  struct gp_context *whole = below->context->whole;
  const int fits = !site->ignored && (stack->depth < GP_DEPTH_MAXIMUM || too_deep(site));
  const struct step *step = fits ? step_into(stack, whole, site) : NULL;
  uint64_t execution = 0;
  if (step && step->context != whole) {
    execution = atomic_fetch_add_explicit(&step->context->entered, 1, memory_order_relaxed);
    *frame = own_frame(stack, step, below, execution);
    if (execution % SAMPLED_EXECUTIONS == FIRST_SAMPLED)
      stack->samples_left = SAMPLES_TOGETHER + 1;
  } else {
    *frame = frame_within(below, site->ignored);
  }
  if (gp_ranges_wanted())
    show(site, execution);
  if (frame->times)
    gp_host_times_open(frame->times, gp_host_clock());
  if (start)
    sample_entry(stack, frame, start);
  return ++stack->depth;
}

/* ---- Forked children ---- */

/* The region is open in the child, too: one execution of it. */
static void open_again(struct stack *stack, uint32_t number) {
  struct frame *frame = &stack->frames[number];
  const struct frame *below = &stack->frames[number - 1];
  struct gp_context *whole = below->context->whole, *context = whole;
  frame->execution = NULL;
  frame->times = NULL;
  if (frame->owner == number)
    context = child_of(whole, frame->context->whole->site);
  if (context == whole) {
    frame->context = below->context;
    return;
  }
  atomic_fetch_add_explicit(&context->entered, 1, memory_order_relaxed);
  frame->context = stack->warmup ? enter_apart(below->context, context, 1) : context;
  if ((frame->times = times_of(stack, frame->context)))
    gp_host_times_open(frame->times, gp_host_clock());
}

void gp_regions_begin_anew(void) {
  struct stack *stack = own_stack;
  root = (struct gp_context){.whole = &root, .all_early = 1};
  contexts = counters = (struct gp_table){.count = 0};
  threads = stack != NULL;
  if (!stack)
    return;
  stack->number = 1;
  memset(stack->steps, 0, sizeof stack->steps);
  stack->spare = NULL;
  stack->times = NULL;
  stack->frames[0].times = times_of(stack, &root);
  for (uint32_t i = 1; i <= frames_of(stack); i++)
    open_again(stack, i);
}

GP_EXPORT uint32_t __gpuprof_region_enter(struct gpuprof_region_site *site) {
  return gp_state() == GP_ON ? push(site_of(site)) : 0;
}

GP_EXPORT void __gpuprof_region_exit(uint32_t token) {
  if (token && own_stack && own_stack->depth >= token && gp_state() != GP_OFF)
    pop_to(own_stack, token - 1);
}

uint32_t gp_region_open(const char *name, const char *phase, const char *category) {
  return gp_state() == GP_ON ? push(named_site(name, phase, category)) : 0;
}

void gp_region_step(int64_t step) {
  struct stack *stack = own_stack;
  if (gp_state() != GP_ON || !stack || !stack->depth || stack->depth > stack->capacity)
    return;
  if (stack->frames[stack->depth].in_step)
    pop_to(stack, stack->depth - 1);
  const uint32_t depth = push(step_site(step));
  if (depth && depth <= stack->capacity)
    stack->frames[depth].in_step = 1;
}

void gp_regions_wait(uint64_t ns) {
  struct stack *stack = own_stack ? own_stack : make_stack();
  const struct frame *frame = stack ? &stack->frames[stack->frames[frames_of(stack)].owner] : NULL;
  if (frame && frame->times)
    gp_host_times_wait(frame->times, ns);
}

struct gp_here gp_regions_here(void) {
  struct stack *stack = own_stack;
  uint32_t depth = stack ? frames_of(stack) : 0;
  if (!depth)
    return (struct gp_here){.context = &root};
  const struct frame *top = &stack->frames[depth];
  if (top->ignored)
    return (struct gp_here){.context = top->context, .ignored = 1};
  struct gp_execution *known = stack->frames[top->owner].execution;
  struct gp_execution *execution = known || !top->owner ? known : make_executions(stack, top->owner);
  if (execution)
    execution->taken++;
  return (struct gp_here){.context = top->context, .execution = execution};
}

struct gp_context *gp_regions_context(void) {
  uint32_t depth = own_stack ? frames_of(own_stack) : 0;
  return depth ? gp_regions_counted() : &root;
}

struct gp_context *gp_regions_around_ignored(void) {
  uint32_t depth = own_stack ? frames_of(own_stack) : 0;
  return depth && own_stack->frames[depth].ignored ? own_stack->frames[depth].context : NULL;
}

struct gp_context *gp_regions_counted(void) {
  uint32_t depth = own_stack ? frames_of(own_stack) : 0;
  return depth && !own_stack->frames[depth].ignored ? own_stack->frames[depth].context : NULL;
}
