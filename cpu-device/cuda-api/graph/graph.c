// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/errors.h"
#include "cuda-api/graph/graph.h"
#include "cuda-api/graph/objects.h"
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* values of `magic` during their life */
enum { NODE = 0x6770636e, GRAPH = 0x67706367, EXECUTABLE = 0x67706378 };

/* A handle is null or was made here; its first word shows its kind. */
bool gp_node_is(const void *handle) { return handle && ((const struct gp_node *)handle)->magic == NODE; }
bool gp_graph_is(const void *handle) { return handle && ((const struct gp_graph *)handle)->magic == GRAPH; }
bool gp_executable_is(const void *handle) {
  return handle && ((const struct gp_executable *)handle)->magic == EXECUTABLE;
}

struct gp_graph *gp_graph_create(void) {
  struct gp_graph *graph = calloc(1, sizeof *graph);
  if (graph)
    graph->magic = GRAPH;
  return graph;
}

static void destroy_node(struct gp_node *node) {
  gp_work_release(&node->work);
  node->magic = 0;
  free(node);
}

void gp_graph_destroy(struct gp_graph *graph) {
  for (size_t i = 0; i < graph->count; i++)
    destroy_node(graph->nodes[i]);
  while (graph->conditions) {
    struct gp_condition *next = graph->conditions->next;
    free(graph->conditions);
    graph->conditions = next;
  }
  gp_references_drop(graph->objects);
  free(graph->nodes);
  free(graph->edges);
  graph->magic = 0;
  free(graph);
}

/* ---- Nodes and edges ----------------------------------------------------------------------------------- */

static bool make_room(struct gp_graph *graph) {
  if (graph->count < graph->capacity)
    return true;
  size_t capacity = graph->capacity ? 2 * graph->capacity : 16;
  struct gp_node **nodes = realloc(graph->nodes, capacity * sizeof *nodes);
  if (!nodes)
    return false;
  graph->nodes = nodes;
  graph->capacity = capacity;
  return true;
}

/* Adds a node without checks of its work. */
static struct gp_node *append(struct gp_graph *graph, const struct gp_work *work) {
  struct gp_node *node = make_room(graph) ? calloc(1, sizeof *node) : NULL;
  if (!node)
    return NULL;
  if (!gp_work_keep(&node->work, work)) {
    gp_work_release(&node->work);
    free(node);
    return NULL;
  }
  node->magic = NODE;
  node->graph = graph;
  node->place = graph->count;
  graph->nodes[graph->count++] = node;
  if (work->kind == GP_WORK_ALLOCATE || work->kind == GP_WORK_FREE)
    graph->has_memory = true;
  return node;
}

bool gp_graph_has_edge(const struct gp_graph *graph, const struct gp_node *from, const struct gp_node *to) {
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from == from && graph->edges[i].to == to)
      return true;
  return false;
}

static int append_edge(struct gp_graph *graph, struct gp_node *from, struct gp_node *to) {
  if (graph->edge_count == graph->edge_capacity) {
    size_t capacity = graph->edge_capacity ? 2 * graph->edge_capacity : 16;
    struct gp_edge *edges = realloc(graph->edges, capacity * sizeof *edges);
    if (!edges)
      return GP_ERROR_MEMORY_ALLOCATION;
    graph->edges = edges;
    graph->edge_capacity = capacity;
  }
  graph->edges[graph->edge_count++] = (struct gp_edge){from, to};
  return 0;
}

int gp_graph_connect(struct gp_graph *graph, struct gp_node *from, struct gp_node *to) {
  if (!gp_node_is(from) || !gp_node_is(to) || from->graph != graph || to->graph != graph || from == to ||
      gp_graph_has_edge(graph, from, to))
    return GP_ERROR_INVALID_VALUE;
  return append_edge(graph, from, to);
}

int gp_graph_disconnect(struct gp_graph *graph, struct gp_node *from, struct gp_node *to) {
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from == from && graph->edges[i].to == to) {
      graph->edge_count--;
      memmove(graph->edges + i, graph->edges + i + 1, (graph->edge_count - i) * sizeof *graph->edges);
      return 0;
    }
  return GP_ERROR_INVALID_VALUE;
}

static int check_dependencies(const struct gp_graph *graph, struct gp_node *const *after, size_t count) {
  if (count && !after)
    return GP_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++) {
    if (!gp_node_is(after[i]) || after[i]->graph != graph)
      return GP_ERROR_INVALID_VALUE;
    for (size_t j = 0; j < i; j++)
      if (after[i] == after[j])
        return GP_ERROR_INVALID_VALUE;
  }
  return 0;
}

int gp_graph_add(struct gp_graph *graph, struct gp_node *const *after, size_t count,
                 const struct gp_work *work, struct gp_node **result) {
  int error = check_dependencies(graph, after, count);
  if (!error)
    error = gp_work_check(work);
  if (error)
    return error;
  struct gp_node *node = append(graph, work);
  if (!node)
    return GP_ERROR_MEMORY_ALLOCATION;
  for (size_t i = 0; i < count && !error; i++)
    error = append_edge(graph, after[i], node);
  *result = node;
  return error;
}

void gp_graph_remove(struct gp_node *node) {
  struct gp_graph *graph = node->graph;
  size_t kept = 0;
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from != node && graph->edges[i].to != node)
      graph->edges[kept++] = graph->edges[i];
  graph->edge_count = kept;
  graph->count--;
  for (size_t i = node->place; i < graph->count; i++) {
    graph->nodes[i] = graph->nodes[i + 1];
    graph->nodes[i]->place = i;
  }
  destroy_node(node);
}

/* ---- Copies -------------------------------------------------------------------------------------------- */

struct gp_node *gp_graph_node_of(const struct gp_graph *graph, const struct gp_node *original) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i]->original == original)
      return graph->nodes[i];
  return NULL;
}

static bool copy_conditions(struct gp_graph *copy, const struct gp_graph *graph) {
  for (const struct gp_condition *c = graph->conditions; c; c = c->next) {
    struct gp_condition *fresh = malloc(sizeof *fresh);
    if (!fresh)
      return false;
    *fresh = (struct gp_condition){.next = copy->conditions,
                                   .handle = c->handle,
                                   .value = c->value,
                                   .default_value = c->default_value,
                                   .assigns_default = c->assigns_default};
    copy->conditions = fresh;
  }
  return true;
}

/* A conditional node asks the condition of its own copy of the graph. */
static void bind_condition(struct gp_graph *copy, struct gp_condition_work *work) {
  for (struct gp_condition *c = copy->conditions; c; c = c->next)
    if (work->condition && c->handle == work->condition->handle) {
      work->condition = c;
      return;
    }
}

struct gp_graph *gp_graph_copy(const struct gp_graph *graph) {
  struct gp_graph *copy = gp_graph_create();
  bool whole = copy && copy_conditions(copy, graph);
  for (size_t i = 0; i < graph->count && whole; i++) {
    struct gp_node *node = append(copy, &graph->nodes[i]->work);
    whole = node != NULL;
    if (!node)
      break;
    node->original = graph->nodes[i];
    node->disabled = graph->nodes[i]->disabled;
    memcpy(node->attributes, graph->nodes[i]->attributes, sizeof node->attributes);
    if (node->work.kind == GP_WORK_CONDITION)
      bind_condition(copy, &node->work.condition);
  }
  for (size_t i = 0; i < graph->edge_count && whole; i++)
    whole =
        !append_edge(copy, copy->nodes[graph->edges[i].from->place], copy->nodes[graph->edges[i].to->place]);
  if (whole) {
    copy->original = graph;
    copy->objects = gp_references_copy(graph->objects);
    return copy;
  }
  if (copy)
    gp_graph_destroy(copy);
  return NULL;
}

/* ---- Order --------------------------------------------------------------------------------------------- */

/* Kahn's algorithm; among the ready nodes, the one added first goes first. */
size_t *gp_graph_order(const struct gp_graph *graph, int *error) {
  *error = GP_ERROR_MEMORY_ALLOCATION;
  size_t *order = malloc((graph->count + 1) * sizeof *order), done = 0;
  size_t *waits = calloc(graph->count + 1, sizeof *waits), *first = calloc(graph->count + 2, sizeof *first);
  size_t *targets = malloc((graph->edge_count + 1) * sizeof *targets);
  bool *taken = calloc(graph->count + 1, sizeof *taken);
  if (order && waits && first && targets && taken) {
    for (size_t i = 0; i < graph->edge_count; i++) {
      waits[graph->edges[i].to->place]++;
      first[graph->edges[i].from->place + 1]++;
    }
    for (size_t i = 0; i < graph->count; i++)
      first[i + 1] += first[i];
    size_t *fill = calloc(graph->count + 1, sizeof *fill);
    for (size_t i = 0; fill && i < graph->edge_count; i++) {
      size_t from = graph->edges[i].from->place;
      targets[first[from] + fill[from]++] = graph->edges[i].to->place;
    }
    /* Nodes usually follow their predecessors: one round suffices. */
    for (size_t before = SIZE_MAX; fill && done < graph->count && before != done;) {
      before = done;
      for (size_t i = 0; i < graph->count; i++) {
        if (taken[i] || waits[i])
          continue;
        taken[i] = true;
        order[done++] = i;
        for (size_t t = first[i]; t < first[i + 1]; t++)
          waits[targets[t]]--;
      }
    }
    if (fill && done < graph->count)
      *error = GP_ERROR_INVALID_VALUE;
    free(fill);
  }
  free(waits);
  free(first);
  free(targets);
  free(taken);
  if (done == graph->count && order) {
    *error = 0;
    return order;
  }
  free(order);
  return NULL;
}

/* ---- Executables --------------------------------------------------------------------------------------- */

static void claim_memory(const struct gp_executable *executable, bool claimed) {
  for (size_t i = 0; executable->graph && i < executable->graph->count; i++)
    if (executable->graph->nodes[i]->work.kind == GP_WORK_ALLOCATE)
      gp_graph_memory_claim(executable->graph->nodes[i]->work.memory.pointer, claimed);
}

struct gp_executable *gp_executable_create(struct gp_graph *graph, unsigned long long flags, int device) {
  struct gp_executable *executable = calloc(1, sizeof *executable);
  if (!executable)
    return NULL;
  executable->graph = gp_graph_copy(graph);
  int error;
  executable->order = executable->graph ? gp_graph_order(executable->graph, &error) : NULL;
  claim_memory(executable, true);
  if (!executable->order) {
    gp_executable_destroy(executable);
    return NULL;
  }
  executable->magic = EXECUTABLE;
  executable->flags = flags;
  executable->device = device;
  return executable;
}

void gp_executable_destroy(struct gp_executable *executable) {
  claim_memory(executable, false);
  if (executable->graph)
    gp_graph_destroy(executable->graph);
  free(executable->order);
  executable->magic = 0;
  free(executable);
}
