// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Executables: graphs ready to run, and changes to them without making a new one. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/graph/graph_nodes.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "sheet/modules.h"

#include <stdlib.h>

/* ---- Making -------------------------------------------------------------------------------------------- */

enum { FREE_ON_LAUNCH = 1, UPLOAD = 2, DEVICE_LAUNCH = 4, USE_PRIORITY = 8 };
enum { RESULT_SUCCESS, RESULT_ERROR, RESULT_INVALID_STRUCTURE, RESULT_NOT_SUPPORTED };

static bool is_claimed(const struct gp_graph *graph) {
  for (size_t i = 0; graph->has_memory && i < graph->count; i++)
    if (graph->nodes[i]->work.kind == GP_WORK_ALLOCATE &&
        gp_graph_memory_is_claimed(graph->nodes[i]->work.memory.pointer))
      return true;
  return false;
}

static int instantiate(void **place, void *handle, unsigned long long flags) {
  struct gp_graph *graph = handle;
  if (!place || !gp_graph_is(handle) ||
      flags & ~(unsigned long long)(FREE_ON_LAUNCH | UPLOAD | DEVICE_LAUNCH | USE_PRIORITY))
    return GP_ERROR_INVALID_VALUE;
  if (flags & DEVICE_LAUNCH)
    return GP_ERROR_NOT_SUPPORTED; /* kernels do not launch on the CPU device */
  if (is_claimed(graph))
    return GP_ERROR_NOT_SUPPORTED;
  int error;
  size_t *order = gp_graph_order(graph, &error);
  if (!order)
    return error;
  free(order);
  /* The flag relevant here; a GPU does not report the others either. */
  struct gp_executable *made = gp_executable_create(graph, flags & FREE_ON_LAUNCH, gp_cpu_device());
  if (!made)
    return GP_ERROR_MEMORY_ALLOCATION;
  *place = made;
  return 0;
}

/* From CUDA 12 on the third parameter is flags. CUDA 11 has places for the wrong node and for text there. */
int gp_cpu_cudaGraphInstantiate(void **executable, void *graph, uintptr_t flags, void *log,
                                size_t log_bytes) {
  uint32_t version = gp_modules_cuda_version();
  bool old = version && version < 12000;
  if (old && log && log_bytes)
    *(char *)log = 0;
  if (old && flags)
    *(void **)flags = NULL;
  return gp_cpu_result(instantiate(executable, graph, old ? 0 : flags));
}

int gp_cpu_cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  return gp_cpu_result(instantiate(executable, graph, flags));
}

/* cudaGraphInstantiateParams */
struct instantiation {
  unsigned long long flags;
  void *stream, *wrong_node;
  int result;
};

int gp_cpu_cudaGraphInstantiateWithParams(void **executable, void *graph, void *parameters) {
  struct instantiation *p = parameters;
  if (!p)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = instantiate(executable, graph, p->flags);
  p->wrong_node = NULL;
  p->result = !error                            ? RESULT_SUCCESS
              : error == GP_ERROR_NOT_SUPPORTED ? RESULT_NOT_SUPPORTED
              : error == GP_ERROR_INVALID_VALUE ? RESULT_INVALID_STRUCTURE
                                                : RESULT_ERROR;
  return gp_cpu_result(error);
}

int gp_cpu_cudaGraphExecDestroy(void *executable) {
  if (!gp_executable_is(executable))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_executable_destroy(executable);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphExecGetFlags(void *executable, unsigned long long *flags) {
  if (!gp_executable_is(executable) || !flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = ((struct gp_executable *)executable)->flags;
  return gp_cpu_result(0);
}

/* ---- Launching ----------------------------------------------------------------------------------------- */

/* Memory allocated by an earlier launch, and not freed since, cannot be allocated again. */
static bool leaves_memory(const struct gp_executable *executable) {
  for (size_t i = 0; i < executable->graph->count; i++) {
    const struct gp_work *work = &executable->graph->nodes[i]->work;
    if (work->kind == GP_WORK_ALLOCATE && gp_graph_memory_is_used(work->memory.pointer)) {
      if (!(executable->flags & FREE_ON_LAUNCH))
        return true;
      gp_graph_memory_set(work->memory.pointer, false);
    }
  }
  return false;
}

int gp_cpu_cudaGraphLaunch(void *handle, void *stream_handle) {
  struct gp_executable *executable = handle;
  struct gp_stream *stream;
  if (!gp_executable_is(handle))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(stream_handle, &stream);
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  if (stream->capture) {
    const struct gp_work work = {
        .kind = GP_WORK_GRAPH, .device = gp_cpu_device(), .graph = executable->graph};
    return gp_cpu_result(gp_stream_submit(stream_handle, &work));
  }
  error = gp_capture_forbids_default(stream);
  if (!error && leaves_memory(executable))
    error = GP_ERROR_INVALID_VALUE;
  if (!error)
    error = gp_graph_run(executable->graph, executable->order, stream_handle);
  if (!gp_cpu_broken())
    return gp_cpu_result(error);
  return 0; /* the next call reports the error of a stopped kernel */
}

int gp_cpu_cudaGraphUpload(void *executable, void *stream_handle) {
  struct gp_stream *stream;
  int error = gp_executable_is(executable) ? gp_stream_check(stream_handle, &stream) : GP_ERROR_INVALID_VALUE;
  return gp_cpu_result(error);
}

/* ---- Changing one node --------------------------------------------------------------------------------- */

/* The executable's own copy of a node of its original graph, also within graphs as nodes. */
static struct gp_node *find(const struct gp_graph *graph, const struct gp_node *node) {
  struct gp_node *found = gp_graph_node_of(graph, node);
  for (size_t i = 0; i < graph->count && !found; i++)
    if (graph->nodes[i]->work.kind == GP_WORK_GRAPH)
      found = find(graph->nodes[i]->work.graph, node);
  return found;
}

static struct gp_node *node_in(void *executable, void *node) {
  return gp_executable_is(executable) && gp_node_is(node)
             ? find(((struct gp_executable *)executable)->graph, node)
             : NULL;
}

static int change(void *executable, void *handle, const struct gp_work *work, int error) {
  struct gp_node *node = node_in(executable, handle);
  if (!node)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(error ? error : gp_node_set_parameters(node, work));
}

int gp_cpu_cudaGraphExecKernelNodeSetParams(void *executable, void *node,
                                            const struct gp_cuda_kernel_node *parameters) {
  struct gp_work work;
  int error = gp_work_of_kernel(&work, parameters);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecMemcpyNodeSetParams(void *executable, void *node,
                                            const struct gp_cuda_memcpy3d *copy) {
  struct gp_work work;
  int error = gp_work_of_copy(&work, copy);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecMemcpyNodeSetParams1D(void *executable, void *node, void *to, const void *from,
                                              size_t bytes, int kind) {
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to, from, bytes, kind);
  return gp_cpu_cudaGraphExecMemcpyNodeSetParams(executable, node, &copy);
}

int gp_cpu_cudaGraphExecMemcpyNodeSetParamsToSymbol(void *executable, void *node, const void *symbol,
                                                    const void *from, size_t bytes, size_t offset, int kind) {
  struct gp_work work;
  int error = gp_work_of_symbol(&work, NULL, symbol, from, bytes, offset, kind);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecMemcpyNodeSetParamsFromSymbol(void *executable, void *node, void *to,
                                                      const void *symbol, size_t bytes, size_t offset,
                                                      int kind) {
  struct gp_work work;
  int error = to ? gp_work_of_symbol(&work, to, symbol, NULL, bytes, offset, kind) : GP_ERROR_INVALID_VALUE;
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecMemsetNodeSetParams(void *executable, void *node, const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_fill(&work, parameters);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecHostNodeSetParams(void *executable, void *node, const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_host(&work, parameters);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecEventRecordNodeSetEvent(void *executable, void *node, void *event) {
  struct gp_work work;
  int error = gp_work_of_event(&work, GP_WORK_EVENT_RECORD, event);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecEventWaitNodeSetEvent(void *executable, void *node, void *event) {
  struct gp_work work;
  int error = gp_work_of_event(&work, GP_WORK_EVENT_WAIT, event);
  return change(executable, node, &work, error);
}

int gp_cpu_cudaGraphExecNodeSetParams(void *executable, void *node, void *parameters) {
  struct gp_work work;
  int error = gp_work_of_any(&work, parameters);
  return change(executable, node, &work, error);
}

/* Only kernels, copies and fills can be omitted from a launch. */
static struct gp_node *switchable(void *executable, void *handle) {
  struct gp_node *node = node_in(executable, handle);
  return node && node->work.kind <= GP_WORK_FILL ? node : NULL;
}

int gp_cpu_cudaGraphNodeSetEnabled(void *executable, void *handle, unsigned enabled) {
  struct gp_node *node = switchable(executable, handle);
  if (node)
    node->disabled = !enabled;
  return gp_cpu_result(node ? 0 : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaGraphNodeGetEnabled(void *executable, void *handle, unsigned *enabled) {
  const struct gp_node *node = switchable(executable, handle);
  if (node && enabled)
    *enabled = !node->disabled;
  return gp_cpu_result(node && enabled ? 0 : GP_ERROR_INVALID_VALUE);
}

/* ---- Changing all of it -------------------------------------------------------------------------------- */

enum {
  UPDATE_SUCCESS,
  UPDATE_ERROR,
  UPDATE_TOPOLOGY,
  UPDATE_NODE_TYPE,
  UPDATE_FUNCTION,
  UPDATE_PARAMETERS,
  UPDATE_NOT_SUPPORTED
};

struct update {
  int result;
  struct gp_node *node;
};

static struct update compare(const struct gp_graph *own, const struct gp_graph *graph) {
  if (own->count != graph->count || own->edge_count != graph->edge_count)
    return (struct update){UPDATE_TOPOLOGY, NULL};
  for (size_t i = 0; i < graph->edge_count; i++)
    if (own->edges[i].from->place != graph->edges[i].from->place ||
        own->edges[i].to->place != graph->edges[i].to->place)
      return (struct update){UPDATE_TOPOLOGY, graph->edges[i].to};
  for (size_t i = 0; i < graph->count; i++) {
    const struct gp_work *a = &own->nodes[i]->work, *b = &graph->nodes[i]->work;
    struct update deeper = {UPDATE_SUCCESS, NULL};
    if (a->kind != b->kind)
      return (struct update){UPDATE_NODE_TYPE, graph->nodes[i]};
    if (a->kind == GP_WORK_GRAPH)
      deeper = compare(a->graph, b->graph);
    if (a->kind == GP_WORK_ALLOCATE || a->kind == GP_WORK_FREE || a->kind == GP_WORK_CONDITION)
      deeper = (struct update){UPDATE_NOT_SUPPORTED, graph->nodes[i]};
    if (deeper.result)
      return deeper;
  }
  return (struct update){UPDATE_SUCCESS, NULL};
}

static int take_over(struct gp_graph *own, const struct gp_graph *graph) {
  int error = 0;
  for (size_t i = 0; i < graph->count && !error; i++) {
    const struct gp_work *work = &graph->nodes[i]->work;
    error = work->kind == GP_WORK_GRAPH ? take_over(own->nodes[i]->work.graph, work->graph)
                                        : gp_node_change(own->nodes[i], work);
    own->nodes[i]->original = graph->nodes[i];
  }
  own->original = graph;
  return error;
}

/* cudaGraphExecUpdateResultInfo */
struct update_information {
  int result;
  void *node, *from;
};

/* From CUDA 12 on one structure reports the problem; before, a place for the node and one for the reason. */
int gp_cpu_cudaGraphExecUpdate(void *handle, void *graph, void *result, void *old_result) {
  struct gp_executable *executable = handle;
  uint32_t version = gp_modules_cuda_version();
  if (!gp_executable_is(handle) || !gp_graph_is(graph) || !result)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct update update = compare(executable->graph, graph);
  int error = update.result ? GP_ERROR_GRAPH_UPDATE : take_over(executable->graph, graph);
  if (version && version < 12000) {
    *(void **)result = update.node;
    if (old_result)
      *(int *)old_result = update.result;
  } else {
    *(struct update_information *)result = (struct update_information){update.result, update.node, NULL};
  }
  return gp_cpu_result(error);
}

int gp_cpu_cudaGraphExecChildGraphNodeSetParams(void *executable, void *handle, void *graph) {
  struct gp_node *node = node_in(executable, handle);
  if (!node || node->work.kind != GP_WORK_GRAPH || !gp_graph_is(graph) ||
      compare(node->work.graph, graph).result != UPDATE_SUCCESS)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(take_over(node->work.graph, graph));
}
