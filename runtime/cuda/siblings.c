// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/siblings.h"

#include "base/locks.h"
#include "cuda/cuda_real.h"
#include "cuda/recent_twins.h"
#include "exports/function_settings.h"
#include "sheet/modules.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ATTRIBUTE_MOST_THREADS 0         /* CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK */
#define LAUNCH_BESIDE_END 6 /* CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */
#define ATTRIBUTE_DYNAMIC_SHARED_BYTES 8 /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct node_parameters {
  void *function;
  unsigned grid[3], block[3], dynamic_shared_bytes;
  void **arguments, **extra;
  void *kernel, *context;
};

static struct {
  int (*function_of)(void **function, const void *host);
  int (*module_of)(void **module, void *function);
  int (*find_function)(void **function, void *module, const char *name);
  int (*set_attribute)(void *function, int attribute, int value);
  int (*attribute)(int *value, int attribute, void *function);
  int (*launch_cooperative)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                            void *stream, void **arguments);
  int (*blocks)(int *blocks, void *function, int block_size, size_t dynamic_shared_bytes, unsigned flags);
  int (*kernel_of)(void **kernel, const void *host);
  int (*function_name)(const char **name, const void *function);
  int (*kernel_name)(const char **name, const void *kernel);
  int (*set_node)(void *executable, void *node, const struct node_parameters *parameters);
  int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                void *stream, void **arguments, void **extra);
  int (*launch_by)(const struct gp_cuda_driver_launch *configuration, void *function, void **arguments, void **extra);
} driver;

static const struct {
  const char *name;
  void *slot;
} names[] = {
    {"cudaGetFuncBySymbol", &driver.function_of},
    {"cuFuncGetModule", &driver.module_of},
    {"cuModuleGetFunction", &driver.find_function},
    {"cuFuncSetAttribute", &driver.set_attribute},
    {"cuFuncGetAttribute", &driver.attribute},
    {"cuLaunchKernel", &driver.launch},
    /* The following ones are missing in older versions. */
    {"cuLaunchCooperativeKernel", &driver.launch_cooperative},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", &driver.blocks},
    {"cudaGetKernel", &driver.kernel_of},
    {"cuFuncGetName", &driver.function_name},
    {"cuKernelGetName", &driver.kernel_name},
    {"cuGraphExecKernelNodeSetParams_v2", &driver.set_node},
    {"cuLaunchKernelEx", &driver.launch_by},
};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static int usable;
static void load(void) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    *(void **)names[i].slot = gp_cuda_symbol(names[i].name);
  usable = driver.function_of && driver.module_of && driver.find_function && driver.set_attribute &&
           driver.attribute && driver.launch;
}

/* ---- Siblings found ---- */

/* CUfunction_attribute: the settable ones with an effect on a launch. */
static const int settable[] = {
    ATTRIBUTE_DYNAMIC_SHARED_BYTES, /* the first: gp_sibling_take_attributes_for() */
    9,          /* preferred share of shared memory */
    11, 12, 13, /* required size of clusters */
    14,         /* clusters of any size */
};
#define SETTABLE (sizeof settable / sizeof *settable)

/* Siblings found: a search by name in each launch would cost more than the rest of the launch. */
#define FOUND 256u
static struct found {
  struct gp_sibling sibling;
  uint64_t modules_left;
  int attributes[SETTABLE]; /* of the sibling */
  int knows_attributes;
  uint64_t settings; /* gp_function_settings() when they were taken */
} found[FOUND];
GP_MUTEX(known_lock, GP_LOCK_SIBLINGS)

/* Most suffixes differ in length. */
static struct found *slot_of(const void *original, const char *suffix) {
  return &found[(((uintptr_t)original >> 4) + 11 * strlen(suffix)) % FOUND];
}

static int is_found(const struct found *slot, const void *original, const char *suffix) {
  return slot->sibling.original == original && slot->modules_left == gp_modules_left() && !strcmp(slot->sibling.suffix, suffix);
}

void gp_siblings_forget(void) {
  pthread_mutex_lock(&known_lock);
  memset(found, 0, sizeof found);
  pthread_mutex_unlock(&known_lock);
  gp_recent_twins_forget();
}

static int recall(const void *original, const char *suffix, struct gp_sibling *sibling) {
  pthread_mutex_lock(&known_lock);
  const struct found *slot = slot_of(original, suffix);
  const int known = is_found(slot, original, suffix);
  if (known)
    *sibling = slot->sibling;
  pthread_mutex_unlock(&known_lock);
  return known;
}

static void remember(const struct gp_sibling *sibling) {
  pthread_mutex_lock(&known_lock);
  *slot_of(sibling->original, sibling->suffix) = (struct found){.sibling = *sibling, .modules_left = gp_modules_left()};
  pthread_mutex_unlock(&known_lock);
}

int gp_sibling_known(const void *host, const char *suffix, struct gp_sibling *sibling) {
  void *original;
  pthread_once(&loaded, load);
  return usable && !driver.function_of(&original, host) && recall(original, suffix, sibling);
}

static enum gp_sibling_problem look_up(const char *plain, const char *suffix, struct gp_sibling *sibling) {
  char name[4096];
  void *module;
  if (!plain || driver.module_of(&module, sibling->original))
    return GP_SIBLING_MODULE;
  if (snprintf(name, sizeof name, "%s%s", plain, suffix) >= (int)sizeof name ||
      driver.find_function(&sibling->function, module, name))
    return GP_SIBLING_NONE;
  return GP_SIBLING_FOUND;
}

enum gp_sibling_problem gp_sibling_find(const void *host, const char *suffix, struct gp_sibling *sibling) {
  void *original;
  pthread_once(&loaded, load);
  if (!usable)
    return GP_SIBLING_DRIVER;
  if (driver.function_of(&original, host))
    return GP_SIBLING_MODULE;
  if (recall(original, suffix, sibling))
    return GP_SIBLING_FOUND;
  sibling->original = original;
  sibling->suffix = suffix;
  const enum gp_sibling_problem problem = look_up(gp_modules_function_name(host), suffix, sibling);
  if (!problem)
    remember(sibling);
  return problem;
}

static void take_attribute(const struct gp_sibling *sibling, size_t i, int *last, int knows_last) {
  int wanted, there;
  if (driver.attribute(&wanted, settable[i], sibling->original) || (knows_last && wanted == *last))
    return;
  if (driver.attribute(&there, settable[i], sibling->function) || wanted != there)
    driver.set_attribute(sibling->function, settable[i], wanted);
  *last = wanted;
}

/* The caller holds the lock. */
static struct found *own_slot(const struct gp_sibling *sibling) {
  struct found *slot = slot_of(sibling->original, sibling->suffix);
  return slot->sibling.function == sibling->function ? slot : NULL;
}

/* A copy, since the driver is not called with the lock held. */
static struct found known_of(const struct gp_sibling *sibling) {
  struct found copy = {.knows_attributes = 0};
  pthread_mutex_lock(&known_lock);
  const struct found *slot = own_slot(sibling);
  if (slot)
    copy = *slot;
  pthread_mutex_unlock(&known_lock);
  return copy;
}

static void keep(const struct gp_sibling *sibling, const struct found *known) {
  pthread_mutex_lock(&known_lock);
  struct found *slot = own_slot(sibling);
  if (slot)
    *slot = *known;
  pthread_mutex_unlock(&known_lock);
}

static void take_attributes(const struct gp_sibling *sibling, struct found *known) {
  known->settings = gp_function_settings();
  for (size_t i = 0; i < SETTABLE; i++)
    take_attribute(sibling, i, &known->attributes[i], known->knows_attributes);
  known->knows_attributes = 1;
  keep(sibling, known);
}

void gp_sibling_take_attributes(const struct gp_sibling *sibling) {
  struct found known = known_of(sibling);
  take_attributes(sibling, &known);
}

/* The program may have set one by a function that gpuprof does not export: those without which a launch fails are asked for. */
static int is_needed(size_t i, const struct gp_launch *launch) {
  return settable[i] == ATTRIBUTE_DYNAMIC_SHARED_BYTES ? launch->dynamic_shared_bytes > 0 : launch->attribute_count > 0;
}

static void take_needed(const struct gp_sibling *sibling, const struct gp_launch *launch, struct found *known) {
  for (size_t i = 0; i < SETTABLE; i++)
    if (is_needed(i, launch))
      take_attribute(sibling, i, &known->attributes[i], 1);
  keep(sibling, known);
}

int gp_sibling_take_attributes_for(const struct gp_sibling *sibling, const struct gp_launch *launch) {
  struct found known = known_of(sibling);
  if (!known.knows_attributes || known.settings != gp_function_settings())
    take_attributes(sibling, &known);
  else if (launch->dynamic_shared_bytes || launch->attribute_count)
    take_needed(sibling, launch, &known);
  return known.attributes[0];
}

/* ---- Handles ---- */

struct search {
  const void *handle, *host;
  size_t modules; /* modules registered at the time */
};

static int is_handle_of(const void *handle, const void *host) {
  void *function;
  return (!driver.function_of(&function, host) && function == handle) ||
         (driver.kernel_of && !driver.kernel_of(&function, host) && function == handle);
}

static int look_in(struct gp_module *module, void *closure) {
  struct search *search = closure;
  for (const struct gp_function *f = module->functions; f && !search->host; f = f->next)
    if (is_handle_of(search->handle, f->host))
      search->host = f->host;
  return search->host != NULL;
}

static int count_module(struct gp_module *module, void *count) {
  (void)module;
  ++*(size_t *)count;
  return 0;
}

/* Recent results, including failures: the search tests every kernel of the program. */
#define KNOWN 256u
static struct search known[KNOWN];

const void *gp_sibling_host(const void *handle) {
  struct search search = {handle, NULL, 0}, *slot = &known[((uintptr_t)handle >> 4) % KNOWN];
  pthread_once(&loaded, load);
  if (!usable || !handle)
    return NULL;
  gp_modules_each(count_module, &search.modules);
  pthread_mutex_lock(&known_lock);
  const struct search found = *slot;
  pthread_mutex_unlock(&known_lock);
  if (found.handle == handle && found.modules == search.modules && (!found.host || is_handle_of(handle, found.host)))
    return found.host;
  gp_modules_each(look_in, &search);
  pthread_mutex_lock(&known_lock);
  *slot = search;
  pthread_mutex_unlock(&known_lock);
  return search.host;
}

const char *gp_sibling_name(const void *handle) {
  int (*name_of[2])(const char **name, const void *handle) = {driver.function_name, driver.kernel_name};
  const char *name = NULL;
  for (int i = 0; i < 2 && usable; i++)
    if (name_of[i] && !name_of[i](&name, handle) && name)
      return name;
  return NULL;
}

const char *gp_sibling_problem_text(enum gp_sibling_problem problem) {
  return problem == GP_SIBLING_DRIVER ? "the driver is older than CUDA 11"
                                      : "the driver does not know its module";
}

unsigned gp_sibling_most_threads(const struct gp_sibling *sibling) {
  int threads;
  return driver.attribute(&threads, ATTRIBUTE_MOST_THREADS, sibling->function) || threads < 0 ? 0 : (unsigned)threads;
}

int gp_sibling_blocks(const struct gp_sibling *sibling, int block_size, size_t dynamic_shared_bytes, unsigned flags) {
  int blocks;
  return !driver.blocks || driver.blocks(&blocks, sibling->function, block_size, dynamic_shared_bytes, flags) ? -1 : blocks;
}

int gp_sibling_launch_in_place(const struct gp_sibling *sibling, const struct gp_launch *l) {
  const unsigned shared = (unsigned)l->dynamic_shared_bytes;
  if (!l->cooperative)
    return driver.launch(sibling->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], shared,
                         l->stream, l->arguments, NULL);
  return driver.launch_cooperative ? driver.launch_cooperative(sibling->function, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                                                               l->block[1], l->block[2], shared, l->stream, l->arguments)
                                   : -1;
}

/* Saves 1.1 us of the stream (H200). */
static int launch_beside_end(const struct gp_sibling *sibling, const struct gp_launch *l) {
  struct gp_cuda_launch_attribute beside = {.id = LAUNCH_BESIDE_END, .value = {.integer = 1}};
  const struct gp_cuda_driver_launch configuration = {.grid = {l->grid[0], l->grid[1], l->grid[2]},
                                                      .block = {l->block[0], l->block[1], l->block[2]},
                                                      .stream = l->stream,
                                                      .attributes = &beside,
                                                      .attribute_count = 1};
  return driver.launch_by(&configuration, sibling->function, l->arguments, NULL);
}

int gp_sibling_launch(const struct gp_sibling *sibling, const struct gp_launch *l) {
  if (l->overlaps && driver.launch_by && !launch_beside_end(sibling, l))
    return 0;
  return driver.launch(sibling->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], 0,
                       l->stream, l->arguments, NULL);
}

int gp_sibling_into_graph(const struct gp_sibling *sibling, void *executable, void *node,
                          const struct gp_cuda_kernel_node *p) {
  const struct node_parameters parameters = {.function = sibling->function,
                                             .grid = {p->grid.x, p->grid.y, p->grid.z},
                                             .block = {p->block.x, p->block.y, p->block.z},
                                             .dynamic_shared_bytes = p->dynamic_shared_bytes,
                                             .arguments = p->arguments,
                                             .extra = p->extra};
  return driver.set_node ? driver.set_node(executable, node, &parameters) : -1;
}
