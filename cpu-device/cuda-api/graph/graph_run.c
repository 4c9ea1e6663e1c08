// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Runs graphs. Launches go through the core: each replay counts for the region launching the graph. */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/graph.h"
#include "engine/entries.h"
#include "launch/launch_hook.h"
#include "memory/memory.h"

#include <stdlib.h>

enum { CONDITION_IF, CONDITION_WHILE, CONDITION_SWITCH };

static int do_launch(void *closure) { return gp_work_do(closure); }

static int run_kernel(const struct gp_work *work, void *stream) {
  const struct gp_kernel_work *k = &work->kernel;
  const struct gp_cuda_launch_attribute cluster = {
      .id = GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER, .value.dimension = {k->cluster.x, k->cluster.y, k->cluster.z}};
  const struct gp_launch launch = {.function = k->function,
                                   .grid = {k->grid.x, k->grid.y, k->grid.z},
                                   .block = {k->block.x, k->block.y, k->block.z},
                                   .dynamic_shared_bytes = k->dynamic_shared_bytes,
                                   .stream = stream,
                                   .arguments = k->arguments,
                                   .cooperative = k->cooperative,
                                   .attributes = &cluster,
                                   .attribute_count = k->cluster.x ? 1 : 0};
  return gp_launch(launch, do_launch, (void *)work);
}

static int run_graph_of_node(struct gp_graph *graph, void *stream) {
  int error;
  size_t *order = gp_graph_order(graph, &error);
  error = order ? gp_graph_run(graph, order, stream) : error;
  free(order);
  return error;
}

/* As on a GPU, a kernel of its body ends a loop. */
static int run_loop(const struct gp_condition_work *work, void *stream) {
  int error = 0;
  while (!error && atomic_load(&work->condition->value) && !gp_cpu_broken())
    error = run_graph_of_node(work->bodies[0], stream);
  return error;
}

static int run_condition(const struct gp_condition_work *work, void *stream) {
  unsigned value = atomic_load(&work->condition->value);
  if (work->type == CONDITION_WHILE)
    return run_loop(work, stream);
  unsigned body = work->type == CONDITION_SWITCH ? value : !value;
  return body < work->size ? run_graph_of_node(work->bodies[body], stream) : 0;
}

/* A node's memory has its address from the start; allocation and release only switch the permission to use
 * it.
 */
static int do_memory(const struct gp_work *work) {
  if (work->kind == GP_WORK_FREE)
    return gp_graph_memory_set(work->memory.pointer, false) ? 0
                                                            : gp_memory_release(work->memory.pointer, false);
  return gp_graph_memory_set(work->memory.pointer, true) ? 0 : GP_ERROR_INVALID_VALUE;
}

static int run_node(const struct gp_node *node, void *stream) {
  const struct gp_work *work = &node->work;
  int before = gp_cpu_device_set(work->device), error;
  if (work->kind == GP_WORK_KERNEL)
    error = run_kernel(work, stream);
  else if (work->kind == GP_WORK_GRAPH)
    error = run_graph_of_node(work->graph, stream);
  else if (work->kind == GP_WORK_CONDITION)
    error = run_condition(&work->condition, stream);
  else if (work->kind == GP_WORK_ALLOCATE || work->kind == GP_WORK_FREE)
    error = do_memory(work);
  else
    error = gp_work_do(work);
  gp_cpu_device_set(before);
  return error;
}

/* ---- Conditions ---------------------------------------------------------------------------------------- */

/* Conditions of the running graphs, latest first. A kernel names one by its handle; copies of a graph share
 * handles. */
GP_MUTEX(conditions_lock, GP_LOCK_GRAPH_CONDITIONS)
static struct gp_condition *running;

static void start_conditions(struct gp_graph *graph) {
  pthread_mutex_lock(&conditions_lock);
  for (struct gp_condition *c = graph->conditions; c; c = c->next) {
    if (c->assigns_default)
      atomic_store(&c->value, c->default_value);
    c->next_running = running;
    running = c;
  }
  pthread_mutex_unlock(&conditions_lock);
}

static void end_conditions(struct gp_graph *graph) {
  pthread_mutex_lock(&conditions_lock);
  for (struct gp_condition *c = graph->conditions; c; c = c->next) {
    struct gp_condition **link = &running;
    while (*link && *link != c)
      link = &(*link)->next_running;
    if (*link)
      *link = c->next_running;
  }
  pthread_mutex_unlock(&conditions_lock);
}

void __gpuprof_cpu_graph_condition(uint64_t handle, uint32_t value) {
  pthread_mutex_lock(&conditions_lock);
  for (struct gp_condition *c = running; c; c = c->next_running)
    if (c->handle == handle) {
      atomic_store(&c->value, value);
      break;
    }
  pthread_mutex_unlock(&conditions_lock);
}

int gp_graph_run(struct gp_graph *graph, const size_t *order, void *stream) {
  int error = 0;
  start_conditions(graph);
  for (size_t i = 0; i < graph->count && !error && !gp_cpu_broken(); i++) {
    const struct gp_node *node = graph->nodes[order[i]];
    if (!node->disabled)
      error = run_node(node, stream);
  }
  end_conditions(graph);
  return error;
}

/* ---- Memory of graphs ---------------------------------------------------------------------------------- */

struct memory {
  struct memory *next;
  void *pointer;
  size_t bytes;
  int device;
  bool used, claimed;
};

GP_MUTEX(lock, GP_LOCK_GRAPH_MEMORY)
static struct memory *memories;
static struct {
  uint64_t used, most_used, reserved, most_reserved;
} totals[GP_CPU_DEVICES];

enum { USED, MOST_USED, RESERVED, MOST_RESERVED };

void *gp_graph_memory_reserve(size_t bytes, int device) {
  struct memory *memory = calloc(1, sizeof *memory);
  int before = gp_cpu_device_set(device);
  uint64_t address = memory ? gp_arena_allocate(bytes, GP_MEMORY_DEVICE) : 0;
  gp_cpu_device_set(before);
  if (!address) {
    free(memory);
    return NULL;
  }
  *memory = (struct memory){.pointer = (void *)address, .bytes = bytes, .device = device};
  pthread_mutex_lock(&lock);
  memory->next = memories;
  memories = memory;
  pthread_mutex_unlock(&lock);
  return memory->pointer;
}

static struct memory *find_locked(const void *pointer) {
  struct memory *memory = memories;
  while (memory && memory->pointer != pointer)
    memory = memory->next;
  return memory;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

bool gp_graph_memory_set(void *pointer, bool used) {
  pthread_mutex_lock(&lock);
  struct memory *memory = find_locked(pointer);
  if (memory && memory->used != used) {
    memory->used = used;
    uint64_t *now = &totals[memory->device].used;
    *now = used ? *now + memory->bytes : *now - memory->bytes;
    totals[memory->device].most_used = larger(totals[memory->device].most_used, *now);
    totals[memory->device].reserved = larger(totals[memory->device].reserved, *now);
    totals[memory->device].most_reserved =
        larger(totals[memory->device].most_reserved, totals[memory->device].reserved);
  }
  pthread_mutex_unlock(&lock);
  return memory != NULL;
}

bool gp_graph_memory_is_used(const void *pointer) {
  pthread_mutex_lock(&lock);
  const struct memory *memory = find_locked(pointer);
  bool used = memory && memory->used;
  pthread_mutex_unlock(&lock);
  return used;
}

bool gp_graph_memory_is(const void *pointer) {
  pthread_mutex_lock(&lock);
  bool known = find_locked(pointer) != NULL;
  pthread_mutex_unlock(&lock);
  return known;
}

int gp_graph_memory_free(void *pointer) {
  if (!gp_graph_memory_is(pointer))
    return gp_memory_release(pointer, false);
  return gp_graph_memory_is_used(pointer) && gp_graph_memory_set(pointer, false) ? 0 : GP_ERROR_INVALID_VALUE;
}

void gp_graph_memory_claim(const void *pointer, bool claimed) {
  pthread_mutex_lock(&lock);
  struct memory *memory = find_locked(pointer);
  if (memory)
    memory->claimed = claimed;
  pthread_mutex_unlock(&lock);
}

bool gp_graph_memory_is_claimed(const void *pointer) {
  pthread_mutex_lock(&lock);
  const struct memory *memory = find_locked(pointer);
  bool claimed = memory && memory->claimed;
  pthread_mutex_unlock(&lock);
  return claimed;
}

uint64_t gp_graph_memory_bytes(int device, int attribute) {
  pthread_mutex_lock(&lock);
  const uint64_t values[] = {[USED] = totals[device].used,
                             [MOST_USED] = totals[device].most_used,
                             [RESERVED] = totals[device].reserved,
                             [MOST_RESERVED] = totals[device].most_reserved};
  pthread_mutex_unlock(&lock);
  return values[attribute];
}

void gp_graph_memory_reset(int device, int attribute) {
  pthread_mutex_lock(&lock);
  if (attribute == MOST_USED)
    totals[device].most_used = totals[device].used;
  else
    totals[device].most_reserved = totals[device].reserved;
  pthread_mutex_unlock(&lock);
}

void gp_graph_memory_trim(int device) {
  pthread_mutex_lock(&lock);
  totals[device].reserved = totals[device].used;
  pthread_mutex_unlock(&lock);
}
