#include "regions.h"

#include "cuda/nvtx.h"
#include "log.h"
#include "runtime.h"
#include "settings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gp_execution {
  struct gp_execution *parent; /* referenced */
  struct gp_context *context;
  uint64_t ns;
  uint32_t references;
  int timed; /* 1: some launch was timed, -1: the time of one is lost */
};

struct frame {
  struct gp_context *context;
  struct gp_execution *execution; /* made by the first launch within it */
  int ignored; /* within `#pragma gpuprof ignore` */
  int in_step; /* opened by gp_region_step() */
};

/* A path that this thread took before: contexts and sites live as long as the process, so that it stays true. */
struct step {
  const struct gp_context *around;
  const struct gp_site *site;
  struct gp_context *context;
};
#define STEPS 64u

struct stack {
  uint32_t depth; /* open regions; those beyond GP_DEPTH_MAXIMUM have no frame */
  uint64_t warmup; /* the setting */
  struct step steps[STEPS];
  struct frame frames[GP_DEPTH_MAXIMUM];
};

static struct gp_context root = {.whole = &root, .all_early = 1};
static uint32_t context_count;
static struct gp_site *sites;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One pointer in the memory that every thread has from its start: without a call, which costs as much as the region. */
static __thread struct stack *own_stack __attribute__((tls_model("initial-exec")));
static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

struct gp_context *gp_context_root(void) { return &root; }
void gp_context_lock(void) { pthread_mutex_lock(&lock); }
void gp_context_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- Sites ---- */

static struct gp_site *new_site(const struct gp_description *description) {
  struct gp_site *site = calloc(1, sizeof *site);
  if (!site)
    return NULL;
  site->description = *description;
  site->ignored = description->kind && !strcmp(description->kind, "ignore");
  site->nvtx.description = description->name;
  site->next = sites;
  sites = site;
  return site;
}

/* The runtime's copy of a compiled region's facts: the object that holds the original may be unloaded. */
static struct gp_site *make_site(struct gpuprof_region_site *compiled) {
  pthread_mutex_lock(&lock);
  struct gp_site *site = compiled->runtime;
  struct gp_description description;
  if (!site && !gp_describe(compiled->description, strlen(compiled->description), &description) &&
      (site = new_site(&description)))
    __atomic_store_n(&compiled->runtime, site, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  if (!site)
    gp_log(GP_WARN, "", "a region's description is malformed, so it is left out; compile its file again");
  return site;
}

static inline struct gp_site *site_of(struct gpuprof_region_site *compiled) {
  struct gp_site *known = __atomic_load_n((struct gp_site **)&compiled->runtime, __ATOMIC_ACQUIRE);
  return known ? known : make_site(compiled);
}

static int same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static int is_site(const struct gp_site *site, const char *name, const char *phase, const char *category) {
  const struct gp_description *d = &site->description;
  return !d->file && same(d->name, name) && same(d->phase, phase) && same(d->category, category);
}

static struct gp_site *make_named_site(const char *name, const char *phase, const char *category) {
  struct gp_description description = {.name = strdup(name),
                                       .kind = "host",
                                       .phase = phase ? strdup(phase) : NULL,
                                       .category = category ? strdup(category) : NULL,
                                       .color = GP_NO_COLOR};
  return description.name ? new_site(&description) : NULL;
}

static struct gp_site *named_site(const char *name, const char *phase, const char *category) {
  pthread_mutex_lock(&lock);
  struct gp_site *site = sites;
  while (site && !is_site(site, name, phase, category))
    site = site->next;
  if (!site)
    site = make_named_site(name, phase, category);
  pthread_mutex_unlock(&lock);
  return site;
}

static int is_step(const struct gp_site *site, const char *name) {
  return site->is_step && !strcmp(site->description.name, name);
}

static struct gp_site *step_site(int64_t step) {
  char name[32];
  snprintf(name, sizeof name, "step_%lld", (long long)step);
  pthread_mutex_lock(&lock);
  struct gp_site *site = sites;
  while (site && !is_step(site, name))
    site = site->next;
  if (!site && (site = make_named_site(name, NULL, NULL))) {
    site->is_step = 1;
    site->step = step;
  }
  pthread_mutex_unlock(&lock);
  return site;
}

/* ---- Contexts ---- */

static struct gp_context *find_child(struct gp_context *parent, const struct gp_site *site, int early) {
  struct gp_context *child = atomic_load_explicit(&parent->children, memory_order_acquire);
  while (child && (child->site != site || child->early != early))
    child = atomic_load_explicit(&child->sibling, memory_order_acquire);
  return child;
}

/* `whole`: null where the child is one. */
static struct gp_context *add_child(struct gp_context *parent, const struct gp_site *site, int early,
                                    struct gp_context *whole) {
  struct gp_context *child = calloc(1, sizeof *child);
  if (!child)
    return NULL;
  child->parent = parent;
  child->site = site;
  child->whole = whole ? whole : child;
  child->early = early;
  child->all_early = parent->all_early && (early || (site && site->is_step));
  _Atomic(struct gp_context *) *end = &parent->children;
  for (struct gp_context *c; (c = atomic_load(end));)
    end = &c->sibling;
  atomic_store_explicit(end, child, memory_order_release);
  context_count++;
  return child;
}

static struct gp_context *find_or_add(struct gp_context *parent, const struct gp_site *site, int early,
                                      struct gp_context *whole) {
  struct gp_context *child = find_child(parent, site, early);
  if (child)
    return child;
  pthread_mutex_lock(&lock);
  child = find_child(parent, site, early);
  if (!child && context_count < GP_CONTEXTS_MAXIMUM)
    child = add_child(parent, site, early, whole);
  pthread_mutex_unlock(&lock);
  return child;
}

/* The context of `site` within `parent`; `parent` itself where the bound is reached. */
static struct gp_context *child_of(struct gp_context *parent, const struct gp_site *site) {
  struct gp_context *child = find_or_add(parent, site, 0, NULL);
  if (child)
    return child;
  gp_log(GP_WARN, site->description.name,
         "more than %u different paths of regions: further ones count for the region around them",
         GP_CONTEXTS_MAXIMUM);
  return parent;
}

struct gp_context *gp_context_early_launches(struct gp_context *context) {
  struct gp_context *child = find_or_add(context, NULL, 1, context->whole);
  return child ? child : context;
}

/* The context within `around` of an execution of `whole`: one apart if the execution is early, or stands in one that is. */
static struct gp_context *apart_of(struct gp_context *around, struct gp_context *whole, int early) {
  if (!early && around == around->whole)
    return whole;
  struct gp_context *apart = find_or_add(around, whole->site, early, whole);
  return apart ? apart : whole;
}

void gp_context_count(struct gp_context *context, const char *name, int64_t amount) {
  pthread_mutex_lock(&lock);
  struct gp_user_counter **end = &context->counters;
  while (*end && strcmp((*end)->name, name))
    end = &(*end)->next;
  if (!*end && (*end = calloc(1, sizeof **end + strlen(name) + 1)))
    strcpy((*end)->name, name);
  if (*end)
    (*end)->value += amount;
  pthread_mutex_unlock(&lock);
}

/* ---- Executions: reference-counted under the lock ---- */

static void release(struct gp_execution *e) {
  while (e && --e->references == 0) {
    struct gp_execution *parent = e->parent;
    if (e->timed > 0)
      gp_distribution_add(&e->context->time, e->ns);
    free(e);
    e = parent;
  }
}

static void make_executions(struct stack *stack, uint32_t depth) {
  struct gp_execution *parent = NULL;
  for (uint32_t i = 0; i < depth; i++) {
    struct frame *frame = &stack->frames[i];
    if (!frame->execution && (frame->execution = calloc(1, sizeof *frame->execution))) {
      *frame->execution = (struct gp_execution){.parent = parent, .context = frame->context, .references = 1};
      if (parent)
        parent->references++;
    }
    if (frame->execution)
      parent = frame->execution;
  }
}

static int is_warmup(const struct gp_execution *e) {
  return same(e->context->site->description.phase, "warmup");
}

void gp_execution_launch_done(struct gp_execution *execution, uint64_t ns, int timed) {
  if (!execution)
    return;
  pthread_mutex_lock(&lock);
  for (struct gp_execution *e = execution; e; e = e->parent) {
    e->ns += ns;
    if (!timed || e->timed < 0)
      e->timed = -1;
    else
      e->timed = 1;
    if (is_warmup(e)) /* kept out of what is around */
      break;
  }
  release(execution);
  pthread_mutex_unlock(&lock);
}

/* ---- The stack ---- */

static uint32_t frames_of(const struct stack *stack) {
  return stack->depth < GP_DEPTH_MAXIMUM ? stack->depth : GP_DEPTH_MAXIMUM;
}

/* Closes every region above `depth`. */
static void pop_to(struct stack *stack, uint32_t depth) {
  for (; stack->depth > depth; stack->depth--) {
    if (stack->depth > GP_DEPTH_MAXIMUM)
      continue;
    if (gp_nvtx_wanted())
      gp_nvtx_pop();
    struct frame *frame = &stack->frames[stack->depth - 1];
    if (frame->execution) {
      pthread_mutex_lock(&lock);
      release(frame->execution);
      pthread_mutex_unlock(&lock);
    }
  }
}

static void thread_ends(void *value) {
  struct stack *stack = value;
  if (gp_state() != GP_OFF)
    pop_to(stack, 0);
  own_stack = NULL;
  free(stack);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, thread_ends); }

static struct stack *make_stack(void) {
  pthread_once(&stack_key_made, make_stack_key);
  own_stack = calloc(1, sizeof *own_stack);
  if (!own_stack)
    return NULL;
  pthread_setspecific(stack_key, own_stack);
  own_stack->warmup = gp_settings()->warmup;
  return own_stack;
}

/* child_of(), remembered. */
static inline struct gp_context *step_into(struct stack *stack, struct gp_context *around, const struct gp_site *site) {
  uintptr_t mixed = ((uintptr_t)around >> 4) + ((uintptr_t)site >> 4) * 5;
  struct step *step = &stack->steps[(mixed ^ (mixed >> 6)) % STEPS];
  if (step->around != around || step->site != site)
    *step = (struct step){around, site, child_of(around, site)};
  return step->context;
}

static void show(struct gp_site *site, uint64_t execution) {
  const struct gp_description *d = &site->description;
  gp_nvtx_push(&site->nvtx, d->name, d->color == GP_NO_COLOR ? 0 : d->color, d->category, execution);
}

/* Steps are left out with the region that they divide. */
static struct gp_context *enter_apart(struct gp_context *around, struct gp_context *whole, int early) {
  struct gp_context *context = apart_of(around, whole, early && !whole->site->is_step);
  if (context == whole)
    return whole;
  atomic_fetch_add_explicit(&whole->apart, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&context->entered, 1, memory_order_relaxed);
  return context;
}

static uint32_t push(struct gp_site *site) {
  struct stack *stack = own_stack ? own_stack : make_stack();
  if (!stack || !site)
    return 0;
  gp_touch();
  if (stack->depth >= GP_DEPTH_MAXIMUM) {
    gp_log(GP_WARN, site->description.name, "more than %u regions are open at once: deeper ones count for the region "
                                            "around them", GP_DEPTH_MAXIMUM);
    return ++stack->depth;
  }
  const struct frame *below = stack->depth ? &stack->frames[stack->depth - 1] : NULL;
  struct gp_context *around = below ? below->context : &root;
  struct gp_context *context = site->ignored ? around : step_into(stack, around->whole, site);
  uint64_t execution = 0;
  if (context->site == site) { /* else the bound was reached: this is the region around */
    execution = atomic_fetch_add_explicit(&context->entered, 1, memory_order_relaxed);
    if (stack->warmup)
      context = enter_apart(around, context, execution < stack->warmup);
  }
  stack->frames[stack->depth] =
      (struct frame){.context = context, .ignored = site->ignored || (below && below->ignored)};
  if (gp_nvtx_wanted())
    show(site, execution);
  return ++stack->depth;
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
  if (gp_state() != GP_ON || !stack || !stack->depth || stack->depth > GP_DEPTH_MAXIMUM)
    return;
  if (stack->frames[stack->depth - 1].in_step)
    pop_to(stack, stack->depth - 1);
  if (stack->depth < GP_DEPTH_MAXIMUM && push(step_site(step)))
    stack->frames[stack->depth - 1].in_step = 1;
}

struct gp_here gp_regions_here(void) {
  struct stack *stack = own_stack;
  uint32_t depth = stack ? frames_of(stack) : 0;
  if (!depth)
    return (struct gp_here){.context = &root};
  struct frame *top = &stack->frames[depth - 1];
  if (top->ignored)
    return (struct gp_here){.context = top->context, .ignored = 1};
  pthread_mutex_lock(&lock);
  make_executions(stack, depth);
  if (top->execution)
    top->execution->references++;
  pthread_mutex_unlock(&lock);
  return (struct gp_here){.context = top->context, .execution = top->execution};
}

struct gp_context *gp_regions_context(void) {
  uint32_t depth = own_stack ? frames_of(own_stack) : 0;
  return depth ? gp_regions_counted() : &root;
}

struct gp_context *gp_regions_counted(void) {
  uint32_t depth = own_stack ? frames_of(own_stack) : 0;
  return depth && !own_stack->frames[depth - 1].ignored ? own_stack->frames[depth - 1].context : NULL;
}
