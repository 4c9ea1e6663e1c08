// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Graphs as a whole: creation, copies, queries and edges. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/graph.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "sheet/modules.h"

#include <stdio.h>
#include <stdlib.h>

int gp_cpu_cudaGraphCreate(void **graph, unsigned flags) {
  if (!graph || flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_graph *made = gp_graph_create();
  if (made)
    *graph = made;
  return gp_cpu_result(made ? 0 : GP_ERROR_MEMORY_ALLOCATION);
}

int gp_cpu_cudaGraphDestroy(void *handle) {
  struct gp_graph *graph = handle;
  if (!gp_graph_is(handle) || graph->is_part)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_graph_destroy(graph);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphClone(void **clone, void *graph) {
  if (!clone || !gp_graph_is(graph))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (((struct gp_graph *)graph)->has_memory)
    return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
  struct gp_graph *copy = gp_graph_copy(graph);
  if (copy)
    *clone = copy;
  return gp_cpu_result(copy ? 0 : GP_ERROR_MEMORY_ALLOCATION);
}

int gp_cpu_cudaGraphNodeFindInClone(void **found, void *original, void *clone) {
  if (!found || !gp_node_is(original) || !gp_graph_is(clone) ||
      ((struct gp_graph *)clone)->original != ((struct gp_node *)original)->graph)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_node *node = gp_graph_node_of(clone, original);
  if (node)
    *found = node;
  return gp_cpu_result(node ? 0 : GP_ERROR_INVALID_VALUE);
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* CUDA's convention for lists. Without a place for the list it stores the length. Otherwise it fills the
 * place, sets the rest to null and *count to the number written. */
static void give(void **place, size_t *count, void *const *list, size_t length) {
  if (!place) {
    *count = length;
    return;
  }
  for (size_t i = 0; i < *count; i++)
    place[i] = i < length ? list[i] : NULL;
  if (*count > length)
    *count = length;
}

int gp_cpu_cudaGraphGetNodes(void *handle, void **nodes, size_t *count) {
  const struct gp_graph *graph = handle;
  if (!gp_graph_is(handle) || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  give(nodes, count, (void *const *)graph->nodes, graph->count);
  return gp_cpu_result(0);
}

/* The nodes in the relation `wanted` with the other node. */
static int give_some(struct gp_graph *graph,
                     bool (*wanted)(const struct gp_graph *, struct gp_node *, struct gp_node *),
                     struct gp_node *of, void **place, size_t *count) {
  void **list = malloc((graph->count + 1) * sizeof *list);
  size_t length = 0;
  if (!list)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  for (size_t i = 0; i < graph->count; i++)
    if (wanted(graph, graph->nodes[i], of))
      list[length++] = graph->nodes[i];
  give(place, count, list, length);
  free(list);
  return gp_cpu_result(0);
}

static bool is_root(const struct gp_graph *graph, struct gp_node *node, struct gp_node *of) {
  (void)of;
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].to == node)
      return false;
  return true;
}
static bool comes_before(const struct gp_graph *graph, struct gp_node *node, struct gp_node *of) {
  return gp_graph_has_edge(graph, node, of);
}
static bool comes_after(const struct gp_graph *graph, struct gp_node *node, struct gp_node *of) {
  return gp_graph_has_edge(graph, of, node);
}

int gp_cpu_cudaGraphGetRootNodes(void *graph, void **nodes, size_t *count) {
  if (!gp_graph_is(graph) || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return give_some(graph, is_root, NULL, nodes, count);
}

static int give_neighbours(void *handle, void **nodes, size_t *count,
                           bool (*wanted)(const struct gp_graph *, struct gp_node *, struct gp_node *)) {
  struct gp_node *node = handle;
  if (!gp_node_is(handle) || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return give_some(node->graph, wanted, node, nodes, count);
}

/* From CUDA 13 on, and as _v2 in 12, a list of edge data precedes the count. All edges are plain ones
 * here. */
int gp_cpu_cudaGraphNodeGetDependencies_v2(void *node, void **nodes, void *data, size_t *count) {
  (void)data;
  return give_neighbours(node, nodes, count, comes_before);
}
int gp_cpu_cudaGraphNodeGetDependentNodes_v2(void *node, void **nodes, void *data, size_t *count) {
  (void)data;
  return give_neighbours(node, nodes, count, comes_after);
}
int gp_cpu_cudaGraphNodeGetDependencies(void *node, void **nodes, void *data_or_count, size_t *count) {
  return give_neighbours(node, nodes, gp_modules_cuda_version() >= 13000 ? count : data_or_count,
                         comes_before);
}
int gp_cpu_cudaGraphNodeGetDependentNodes(void *node, void **nodes, void *data_or_count, size_t *count) {
  return give_neighbours(node, nodes, gp_modules_cuda_version() >= 13000 ? count : data_or_count,
                         comes_after);
}

int gp_cpu_cudaGraphGetEdges_v2(void *handle, void **from, void **to, void *data, size_t *count) {
  const struct gp_graph *graph = handle;
  (void)data;
  if (!gp_graph_is(handle) || !count || (!from != !to))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (size_t i = 0; from && i < *count; i++) {
    from[i] = i < graph->edge_count ? graph->edges[i].from : NULL;
    to[i] = i < graph->edge_count ? graph->edges[i].to : NULL;
  }
  if (!from || *count > graph->edge_count)
    *count = graph->edge_count;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphGetEdges(void *graph, void **from, void **to, void *data_or_count, size_t *count) {
  return gp_cpu_cudaGraphGetEdges_v2(graph, from, to, NULL,
                                     gp_modules_cuda_version() >= 13000 ? count : data_or_count);
}

int gp_cpu_cudaGraphNodeGetType(void *node, int *type) {
  if (!gp_node_is(node) || !type)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *type = (int)((struct gp_node *)node)->work.kind;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphDestroyNode(void *handle) {
  struct gp_node *node = handle;
  if (!gp_node_is(handle))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (node->graph->has_memory)
    return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
  gp_graph_remove(node);
  return gp_cpu_result(0);
}

/* ---- Edges --------------------------------------------------------------------------------------------- */

static int change_edges(int (*change)(struct gp_graph *, struct gp_node *, struct gp_node *), void *graph,
                        const void *from, const void *to, size_t count) {
  struct gp_node *const *sources = from, *const *targets = to;
  int error = gp_graph_is(graph) && (!count || (from && to)) ? 0 : GP_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count && !error; i++)
    error = change(graph, sources[i], targets[i]);
  return gp_cpu_result(error);
}

int gp_cpu_cudaGraphAddDependencies_v2(void *graph, const void *from, const void *to, uintptr_t data,
                                       size_t count) {
  (void)data;
  return change_edges(gp_graph_connect, graph, from, to, count);
}
int gp_cpu_cudaGraphRemoveDependencies_v2(void *graph, const void *from, const void *to, uintptr_t data,
                                          size_t count) {
  (void)data;
  return change_edges(gp_graph_disconnect, graph, from, to, count);
}
int gp_cpu_cudaGraphAddDependencies(void *graph, const void *from, const void *to, uintptr_t data_or_count,
                                    size_t count) {
  return change_edges(gp_graph_connect, graph, from, to,
                      gp_modules_cuda_version() >= 13000 ? count : data_or_count);
}
int gp_cpu_cudaGraphRemoveDependencies(void *graph, const void *from, const void *to, uintptr_t data_or_count,
                                       size_t count) {
  return change_edges(gp_graph_disconnect, graph, from, to,
                      gp_modules_cuda_version() >= 13000 ? count : data_or_count);
}

/* ---- A picture ----------------------------------------------------------------------------------------- */

static const char *label_of(const struct gp_node *node) {
  switch (node->work.kind) {
  case GP_WORK_KERNEL:
    return node->work.kernel.kernel->name;
  case GP_WORK_COPY:
    return "MEMCPY";
  case GP_WORK_FILL:
    return "MEMSET";
  case GP_WORK_HOST:
    return "HOST";
  case GP_WORK_GRAPH:
    return "GRAPH";
  case GP_WORK_EVENT_WAIT:
    return "EVENT_WAIT";
  case GP_WORK_EVENT_RECORD:
    return "EVENT_RECORD";
  case GP_WORK_ALLOCATE:
    return "MEM_ALLOC";
  case GP_WORK_FREE:
    return "MEM_FREE";
  case GP_WORK_CONDITION:
    return "CONDITIONAL";
  case GP_WORK_EMPTY:
    break;
  }
  return "EMPTY";
}

int gp_cpu_cudaGraphDebugDotPrint(void *handle, const char *path, unsigned flags) {
  const struct gp_graph *graph = handle;
  (void)flags;
  FILE *file = gp_graph_is(handle) && path ? fopen(path, "we") : NULL;
  if (!file)
    return gp_cpu_result(gp_graph_is(handle) && path ? GP_ERROR_OPERATING_SYSTEM : GP_ERROR_INVALID_VALUE);
  fprintf(file, "digraph dot {\n");
  for (size_t i = 0; i < graph->count; i++)
    fprintf(file, "  node_%zu [label=\"%zu: %s\"];\n", i, i, label_of(graph->nodes[i]));
  for (size_t i = 0; i < graph->edge_count; i++)
    fprintf(file, "  node_%zu -> node_%zu;\n", graph->edges[i].from->place, graph->edges[i].to->place);
  fprintf(file, "}\n");
  return gp_cpu_result(fclose(file) ? GP_ERROR_OPERATING_SYSTEM : 0);
}
