#include "graphs.h"

#include "clones.h"
#include "cuda_real.h"
#include "device.h"
#include "log.h"
#include "runtime.h"
#include "siblings.h"

#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 256u
#define PER_THREAD_STREAM ((void *)2)

enum { NODE_KERNEL = 0, NODE_GRAPH = 4, NODE_CONDITIONAL = 13 }; /* cudaGraphNodeType */

/* A kernel in a graph, and what a clone has counted of it. */
struct entry {
  void *node;
  struct gp_kernel *kernel;
  struct gp_clone_result *result;
};

struct executable {
  struct executable *chain;
  void *handle;
  int device;
  struct entry *entries;
  size_t count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
  free(gone->entries);
  free(gone);
}

/* ---- What is in a graph ---- */

static void set_entry(struct executable *e, struct entry entry) {
  for (size_t i = 0; i < e->count; i++)
    if (e->entries[i].node == entry.node) {
      e->entries[i] = entry;
      return;
    }
  struct entry *grown = realloc(e->entries, (e->count + 1) * sizeof *grown);
  if (!grown)
    return;
  e->entries = grown;
  grown[e->count++] = entry;
}

static void add_kernel(struct executable *e, void *node, const struct gp_cuda_kernel_node *p) {
  struct entry entry = {.node = node};
  const struct gp_launch launch = {
      .function = p->function,
      .grid = {p->grid.x, p->grid.y, p->grid.z},
      .block = {p->block.x, p->block.y, p->block.z},
      .dynamic_shared_bytes = p->dynamic_shared_bytes,
      .stream = PER_THREAD_STREAM, /* a clone waits for nothing, and none waits for it */
      .arguments = p->arguments,
      .device = e->device};
  struct gp_launch found = launch;
  entry.kernel = gp_kernel_of(launch.function);
  if (!entry.kernel && (found.function = gp_sibling_host(launch.function)))
    entry.kernel = gp_kernel_of(found.function);
  if (!entry.kernel)
    return;
  gp_kernel_look(entry.kernel, e->device);
  if (p->arguments)
    entry.result = gp_clones_foresee(entry.kernel, &found);
  else if (gp_kernel_is_cloned(entry.kernel))
    gp_remark(entry.kernel->name,
              "its runs in a graph are not counted: its arguments there are one block of memory");
  set_entry(e, entry);
}

static void add_graph(struct executable *e, void *graph) {
  const struct gp_cudart *cuda = gp_cuda_real();
  int (*child_of)(void *node, void **graph) = NULL;
  size_t count = 0;
  *(void **)&child_of = gp_cuda_symbol("cudaGraphChildGraphNodeGetGraph");
  if (cuda->cudaGraphGetNodes(graph, NULL, &count) || !count)
    return;
  void **nodes = calloc(count, sizeof *nodes);
  if (!nodes || cuda->cudaGraphGetNodes(graph, nodes, &count))
    count = 0;
  for (size_t i = 0; i < count; i++) {
    struct gp_cuda_kernel_node parameters;
    void *child;
    int type;
    if (cuda->cudaGraphNodeGetType(nodes[i], &type))
      continue;
    if (type == NODE_KERNEL && !cuda->cudaGraphKernelNodeGetParams(nodes[i], &parameters))
      add_kernel(e, nodes[i], &parameters);
    else if (type == NODE_GRAPH && child_of && !child_of(nodes[i], &child))
      add_graph(e, child);
    else if (type == NODE_KERNEL || type == NODE_GRAPH || type == NODE_CONDITIONAL)
      gp_remark(
          "graphs",
          "what runs in a graph under a condition, or in a node that does not show what it launches, is not "
          "counted where clones count it; compile with -fplugin-arg-gpuprof-count=inkernel to count it");
  }
  free(nodes);
}

/* ---- What the program does ---- */

/* Errors of our own calls must not be seen by the program. */
static int enter(void) {
  int mode = GP_CUDA_CAPTURE_MODE_RELAXED;
  gp_cuda_real()->cudaThreadExchangeStreamCaptureMode(&mode);
  return mode;
}
static void leave(int mode) {
  gp_cuda_real()->cudaGetLastError();
  gp_cuda_real()->cudaThreadExchangeStreamCaptureMode(&mode);
}

static int is_wanted(int *device) {
  return gp_state() == GP_ON && gp_device() == &gp_device_cuda && !gp_device()->current(device) &&
         *device >= 0 && *device < GP_DEVICES;
}

void gp_graphs_instantiated(void *executable, void *graph) {
  int device;
  if (!is_wanted(&device))
    return;
  int mode = enter();
  pthread_mutex_lock(&lock);
  struct executable **link = find(executable), *e;
  forget(link);
  if ((e = calloc(1, sizeof *e))) {
    *e = (struct executable){.chain = *link, .handle = executable, .device = device};
    add_graph(e, graph);
    *link = e;
  }
  pthread_mutex_unlock(&lock);
  leave(mode);
}

void gp_graphs_kernel_changed(void *executable, void *node, const struct gp_cuda_kernel_node *parameters) {
  pthread_mutex_lock(&lock);
  struct executable *e = *find(executable);
  if (e) {
    int mode = enter();
    add_kernel(e, node, parameters);
    leave(mode);
  }
  pthread_mutex_unlock(&lock);
}

void gp_graphs_launched(void *executable, void *stream) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_context() : NULL;
  if (!context || gp_device()->capturing(stream))
    return;
  pthread_mutex_lock(&lock);
  const struct executable *e = *find(executable);
  for (size_t i = 0; e && i < e->count; i++) {
    struct gp_record *record =
        e->entries[i].result ? gp_kernel_record(e->entries[i].kernel, context, e->device) : NULL;
    if (record)
      gp_clones_happened(record, e->entries[i].result);
  }
  pthread_mutex_unlock(&lock);
  if (e && e->count) {
    gp_device_in_use();
    gp_touch();
  }
}

void gp_graphs_destroyed(void *executable) {
  pthread_mutex_lock(&lock);
  forget(find(executable));
  pthread_mutex_unlock(&lock);
}
