// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/graphs.h"

#include "base/device.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/state.h"
#include "clones/clones.h"
#include "core/gate.h"
#include "core/launch_digest.h"
#include "core/uncounted.h"
#include "cuda/cuda_real.h"
#include "cuda/cupti.h"
#include "cuda/device_cuda.h"
#include "cuda/graph_launches.h"
#include "cuda/siblings.h"
#include "gpuprof/abi.h"
#include "launch/energy_sampler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256u
#define PER_THREAD_STREAM ((void *)2)

enum { NODE_KERNEL = 0, NODE_GRAPH = 4, NODE_ALLOCATION = 10, NODE_FREE = 11, NODE_CONDITIONAL = 13 }; /* cudaGraphNodeType */

struct executable {
  struct executable *chain;
  void *handle;
  int device;
  struct gp_graph_kernel *kernels;
  size_t count;
  struct gp_graph_launches *launches; /* not in the records yet */
  struct gp_kernel **counting;        /* those with counters, each once; null: to be found */
  size_t counting_count;
  int64_t kept; /* allocations that outlive a launch: its allocation nodes less its free nodes */
};

GP_MUTEX(lock, GP_LOCK_CUDA_GRAPHS)
static struct executable *buckets[BUCKETS];

static struct executable **find(void *handle) {
  struct executable **link = &buckets[((uintptr_t)handle >> 4) % BUCKETS];
  while (*link && (*link)->handle != handle)
    link = &(*link)->chain;
  return link;
}

static void forget(struct executable **link) {
  struct executable *gone = *link;
  if (!gone)
    return;
  *link = gone->chain;
  gp_graph_launches_end(&gone->launches);
  free(gone->kernels);
  free(gone->counting);
  free(gone);
}

/* ---- Conditional nodes ---- */

struct condition {
  struct condition *next;
  void *node;
  unsigned count;
  void *bodies[];
};
static struct condition *conditions;

static struct condition **find_condition(const void *node) {
  struct condition **link = &conditions;
  while (*link && (*link)->node != node)
    link = &(*link)->next;
  return link;
}

static void conditional_added(void *node, void *const *bodies, unsigned count) {
  struct condition *fresh = malloc(sizeof *fresh + count * sizeof *bodies);
  if (!fresh)
    return;
  fresh->node = node;
  fresh->count = count;
  memcpy(fresh->bodies, bodies, count * sizeof *bodies);
  pthread_mutex_lock(&lock);
  struct condition **link = find_condition(node), *old = *link;
  fresh->next = old ? old->next : NULL; /* a node at this address has gone meanwhile */
  *link = fresh;
  free(old);
  pthread_mutex_unlock(&lock);
}

/* ---- Contents of a graph ---- */

static void set_entry(struct executable *e, struct gp_graph_kernel entry) {
  gp_graph_launches_end(&e->launches);
  free(e->counting);
  e->counting = NULL;
  for (size_t i = 0; i < e->count; i++)
    if (e->kernels[i].node == entry.node) {
      e->kernels[i] = entry;
      return;
    }
  struct gp_graph_kernel *grown = realloc(e->kernels, (e->count + 1) * sizeof *grown);
  if (!grown)
    return;
  e->kernels = grown;
  grown[e->count++] = entry;
}

/* ---- Arguments of instrumented kernels: those of the kernel, and 0, as a graph's counters are bound at its launches ---- */

enum { EXTRA_END = 0, EXTRA_POINTER = 1, EXTRA_BYTES = 2 }; /* CU_LAUNCH_PARAM_… */

static void *value_of_extra(void **extra, uintptr_t key) {
  while ((uintptr_t)*extra != EXTRA_END && (uintptr_t)*extra != key)
    extra += 2;
  return (uintptr_t)*extra == EXTRA_END ? NULL : extra[1];
}

struct node_arguments {
  uint64_t counters;
  size_t bytes;
  void *extra[5], *memory;
};

/* 0 without memory. */
static int add_to_pointers(struct node_arguments *all, const struct gp_sheet_kernel *sheet, struct gp_cuda_kernel_node *p) {
  void **arguments = all->memory = malloc((sheet->parameters + 1) * sizeof *arguments);
  if (!arguments)
    return 0;
  if (p->arguments)
    memcpy(arguments, p->arguments, sheet->parameters * sizeof *arguments);
  arguments[sheet->parameters] = &all->counters;
  p->arguments = arguments;
  return 1;
}

static int add_to_block(struct node_arguments *all, const struct gp_sheet_kernel *sheet, struct gp_cuda_kernel_node *p) {
  const void *block = value_of_extra(p->extra, EXTRA_POINTER);
  const size_t *bytes = value_of_extra(p->extra, EXTRA_BYTES);
  if (!block || !bytes || !(all->memory = calloc(1, sheet->counters_offset + sizeof all->counters)))
    return 0;
  memcpy(all->memory, block, *bytes < sheet->counters_offset ? *bytes : sheet->counters_offset);
  all->bytes = sheet->counters_offset + sizeof all->counters;
  memcpy(all->extra, (void *[]){(void *)EXTRA_POINTER, all->memory, (void *)EXTRA_BYTES, &all->bytes, (void *)EXTRA_END},
         sizeof all->extra);
  p->extra = all->extra;
  return 1;
}

static int add_counters(struct node_arguments *all, const struct gp_kernel *kernel, struct gp_cuda_kernel_node *p) {
  const struct gp_sheet_kernel *sheet = gp_kernel_counters_argument(kernel);
  *all = (struct node_arguments){.counters = 0};
  if (!sheet)
    return 1;
  if (p->extra && !p->arguments)
    return add_to_block(all, sheet, p);
  return (p->arguments || !sheet->parameters) && add_to_pointers(all, sheet, p);
}

/* Null, or the reason why the graph cannot run the instrumented kernel. */
static const char *put_copy(const struct executable *e, void *node, const struct gp_cuda_kernel_node *p,
                            const struct gp_kernel *kernel, const void *stub) {
  struct gp_sibling twin;
  enum gp_sibling_problem problem = gp_sibling_find(stub, GPUPROF_IN_KERNEL_SUFFIX, &twin);
  if (problem == GP_SIBLING_NONE)
    return "its module does not have the copy of it that counts in graphs; compile it again";
  if (problem)
    return gp_sibling_problem_text(problem);
  gp_sibling_take_attributes(&twin);
  struct gp_cuda_kernel_node with_counters = *p;
  struct node_arguments arguments;
  const int refused = !add_counters(&arguments, kernel, &with_counters) ||
                      gp_sibling_into_graph(&twin, e->handle, node, &with_counters);
  free(arguments.memory);
  return refused ? "the driver refused to run its copy with counters in a graph" : NULL;
}

static void count_by_clone(struct gp_graph_kernel *entry, const struct gp_launch *launch) {
  if (entry->conditional)
    entry->why = "it runs in a graph under a condition, so that how often is not known; compile with "
                 "-fplugin-arg-gpuprof-count=inkernel to count it";
  else if (!launch->arguments)
    entry->why = "its arguments in a graph are one block of memory";
  else if (!(entry->result = gp_clones_foresee(entry->kernel, launch)))
    entry->why = "the clone that counts it could not run when the graph was made";
}

static void add_kernel(struct executable *e, void *node, const struct gp_cuda_kernel_node *p,
                       int conditional) {
  struct gp_graph_kernel entry = {.node = node, .conditional = conditional};
  entry.threads = (uint64_t)p->grid.x * p->grid.y * p->grid.z * p->block.x * p->block.y * p->block.z;
  struct gp_launch launch = {.function = p->function,
                             .grid = {p->grid.x, p->grid.y, p->grid.z},
                             .block = {p->block.x, p->block.y, p->block.z},
                             .dynamic_shared_bytes = p->dynamic_shared_bytes,
                             .stream =
                                 PER_THREAD_STREAM, /* a clone waits for nothing, and nothing waits for it */
                             .arguments = p->arguments,
                             .device = e->device};
  const void *stub;
  entry.shape = gp_launch_shape_of(&launch);
  entry.digest = gp_launch_digest_of(&launch);
  entry.kernel = gp_kernel_of(launch.function);
  if (!entry.kernel && (stub = gp_sibling_host(launch.function))) {
    launch.function = stub;
    entry.kernel = gp_kernel_of(stub);
  }
  if (!entry.kernel) {
    const char *name = gp_sibling_name(launch.function);
    snprintf(entry.name, sizeof entry.name, "%s", name ? name : "kernels without a name");
    entry.why = "a library has put it into a graph, compiled without the plugin";
    return set_entry(e, entry);
  }
  gp_kernel_look(entry.kernel, e->device);
  gp_kernel_lock(entry.kernel);
  gp_kernel_ask_resources(entry.kernel, launch.function);
  gp_kernel_unlock(entry.kernel);
  if (gp_settings()->times_only) /* it stays as it is, and its own counters are off */
    entry.why = "this run was for times alone (GPUPROF_TIMES_ONLY)";
  else if (gp_kernel_has_light_clone(entry.kernel) || gp_kernel_has_twin(entry.kernel))
    entry.has_counters = !(entry.why = put_copy(e, node, p, entry.kernel, launch.function));
  else if (gp_kernel_has_clone(entry.kernel))
    count_by_clone(&entry, &launch);
  /* A kernel in several modules may have counters of its own. */
  if (!gp_settings()->times_only && (!entry.kernel->instance_count || gp_kernel_counts_itself(entry.kernel))) {
    entry.has_counters = 1;
    entry.why = NULL;
  }
  set_entry(e, entry);
}

static void add_graph(struct executable *e, void *graph, int conditional);

static void add_node(struct executable *e, void *node, int type, int conditional) {
  const struct gp_cudart *cuda = gp_cuda_real();
  int (*child_of)(void *node, void **graph) = NULL;
  struct gp_cuda_kernel_node parameters;
  const struct condition *condition = type == NODE_CONDITIONAL ? *find_condition(node) : NULL;
  void *child;
  *(void **)&child_of = gp_cuda_symbol("cudaGraphChildGraphNodeGetGraph");
  e->kept += (type == NODE_ALLOCATION) - (type == NODE_FREE);
  if (type == NODE_KERNEL && !cuda->cudaGraphKernelNodeGetParams(node, &parameters))
    add_kernel(e, node, &parameters, conditional);
  else if (type == NODE_GRAPH && child_of && !child_of(node, &child))
    add_graph(e, child, conditional);
  else if (condition)
    for (unsigned i = 0; i < condition->count; i++)
      add_graph(e, condition->bodies[i], 1);
  else if (type == NODE_KERNEL || type == NODE_GRAPH || type == NODE_CONDITIONAL)
    gp_uncounted_launch("graphs", gp_regions_context(),
                        "a node does not show what it launches, which is counted only where kernels have "
                        "counters (-fplugin-arg-gpuprof-count=inkernel)");
}

static void add_graph(struct executable *e, void *graph, int conditional) {
  const struct gp_cudart *cuda = gp_cuda_real();
  size_t count = 0;
  int type;
  if (cuda->cudaGraphGetNodes(graph, NULL, &count) || !count)
    return;
  void **nodes = calloc(count, sizeof *nodes);
  if (!nodes || cuda->cudaGraphGetNodes(graph, nodes, &count))
    count = 0;
  for (size_t i = 0; i < count; i++)
    if (!cuda->cudaGraphNodeGetType(nodes[i], &type))
      add_node(e, nodes[i], type, conditional);
  free(nodes);
}

/* ---- Calls of the program ---- */

/* Errors of gpuprof's own calls must stay invisible to the program. */
static void leave(int mode) { gp_cuda_leave(mode, -1); } /* the last error is asked for in any case */

static int is_wanted(int *device) {
  return gp_state() == GP_ON && gp_device() == &gp_device_cuda && !gp_device()->current(device) &&
         *device >= 0 && *device < GP_DEVICES;
}

/* Clones are launched with the lock held. Who waited at the gate with it would keep launches of graphs from leaving. */
static void lock_inside_gate(void) {
  gp_gate_enter();
  pthread_mutex_lock(&lock);
}

static void unlock_inside_gate(void) {
  pthread_mutex_unlock(&lock);
  gp_gate_leave();
}

static void instantiated(void *executable, void *graph) {
  int device;
  if (!is_wanted(&device))
    return;
  int mode = gp_cuda_enter();
  lock_inside_gate();
  struct executable **link = find(executable), *e;
  forget(link);
  if ((e = calloc(1, sizeof *e))) {
    *e = (struct executable){.chain = *link, .handle = executable, .device = device};
    add_graph(e, graph, 0);
    *link = e;
  }
  unlock_inside_gate();
  leave(mode);
}

static int is_conditional(const struct executable *e, const void *node) {
  for (size_t i = 0; i < e->count; i++)
    if (e->kernels[i].node == node)
      return e->kernels[i].conditional;
  return 0;
}

static void kernel_changed(void *executable, void *node, const struct gp_cuda_kernel_node *parameters) {
  lock_inside_gate();
  struct executable *e = *find(executable);
  if (e) {
    int mode = gp_cuda_enter();
    add_kernel(e, node, parameters, is_conditional(e, node));
    leave(mode);
  }
  unlock_inside_gate();
}

static void destroyed(void *executable) {
  pthread_mutex_lock(&lock);
  forget(find(executable));
  pthread_mutex_unlock(&lock);
}

/* ---- Launches ---- */

static int is_listed(const struct executable *e, const struct gp_kernel *kernel) {
  for (size_t i = 0; i < e->counting_count; i++)
    if (e->counting[i] == kernel)
      return 1;
  return 0;
}

/* Without memory they go to the counters bound last. */
static void find_counting(struct executable *e) {
  if (e->counting || !(e->counting = malloc((e->count + 1) * sizeof *e->counting)))
    return;
  e->counting_count = 0;
  for (size_t i = 0; i < e->count; i++)
    if (e->kernels[i].has_counters && !is_listed(e, e->kernels[i].kernel))
      e->counting[e->counting_count++] = e->kernels[i].kernel;
}

/* Binds the counters of the graph's kernels to the context, or switches them off, until they are unlocked.
 * The graph lock is held: with it, only this thread holds several kernels' locks. */
static void aim_kernels(struct executable *e, struct gp_context *context, void *stream) {
  find_counting(e);
  for (size_t i = 0; e->counting && i < e->counting_count; i++) {
    struct gp_kernel *kernel = e->counting[i];
    gp_kernel_lock(kernel);
    struct gp_record *record = gp_kernel_bind_counters(kernel, context, e->device, stream);
    if (gp_kernel_has_light_clone(kernel) && gp_kernel_bind_instrumented(kernel, record, e->device, stream) && record)
      gp_uncounted_of(record, 1, "the device has no memory left to count in");
  }
}

static void unlock_kernels(const struct executable *e, void *stream) {
  for (size_t i = 0; e->counting && i < e->counting_count; i++) {
    gp_kernel_launched(e->counting[i], e->device, stream);
    gp_kernel_unlock(e->counting[i]);
  }
}

/* CUDA refuses a launch of a graph whose memory of the launch before is not freed, and CUPTI of CUDA 13.0 ends the process there
 * if it keeps a record of the graph. */
static int launch_driver(const struct executable *e, int (*launch)(void *closure), void *closure) {
  if (!e || e->kept <= 0)
    return launch(closure);
  gp_cupti_keep_graphs(0);
  const int error = launch(closure);
  gp_cupti_keep_graphs(1);
  return error;
}

/* A graph launched in an ignored statement. */
static void list_ignored(const struct executable *e) {
  for (size_t i = 0; i < e->count; i++)
    gp_uncounted_ignored(e->kernels[i].kernel ? e->kernels[i].kernel->name : e->kernels[i].name);
}

/* Like a launch of a kernel, it and its counts belong to one moment. */
static int launch_behind_gate(void *executable, void *stream, int (*launch)(void *closure), void *closure) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_context() : NULL;
  pthread_mutex_lock(&lock);
  struct executable *e = *find(executable);
  if (e)
    aim_kernels(e, context, stream);
  const int error = launch_driver(e, launch, closure);
  if (e)
    unlock_kernels(e, stream);
  if (e && !error && context)
    gp_graph_launches_add(&e->launches, e->kernels, e->count, context, e->device);
  else if (e && !error)
    list_ignored(e);
  pthread_mutex_unlock(&lock);
  if (e && e->count) {
    gp_device_in_use();
    gp_energy_begin();
    gp_report_changed();
  }
  return error;
}

static int launch_graph(void *executable, void *stream, int (*launch)(void *closure), void *closure) {
  if (gp_state() == GP_OFF || gp_device() != &gp_device_cuda || gp_device()->capturing(stream))
    return launch(closure);
  gp_gate_enter();
  const int error = launch_behind_gate(executable, stream, launch, closure);
  gp_gate_leave();
  return error;
}

const struct gp_graph_functions gp_cuda_graphs = {
    .instantiated = instantiated,
    .kernel_changed = kernel_changed,
    .destroyed = destroyed,
    .conditional = conditional_added,
    .launch = launch_graph,
};
