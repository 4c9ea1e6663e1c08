// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Nodes of graphs: adding each kind, queries and changes of their work. */
#include "base/log.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/graph/graph_nodes.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/memory.h"
#include "sheet/modules.h"

#include <stdlib.h>
#include <string.h>

/* ---- From parameters to work --------------------------------------------------------------------------- */

int gp_work_of_kernel(struct gp_work *work, const struct gp_cuda_kernel_node *p) {
  int error = 0;
  if (!p)
    return GP_ERROR_INVALID_VALUE;
  const struct gpuprof_cpu_kernel *kernel = gp_cpu_find_kernel(p->function, &error);
  if (error)
    return error;
  if (!p->arguments && kernel->parameter_count) {
    if (p->extra)
      gp_log(GP_WARN, kernel->name,
             "the CPU device takes the arguments of a node one by one, in kernelParams, not in extra");
    return p->extra ? GP_ERROR_NOT_SUPPORTED : GP_ERROR_INVALID_VALUE;
  }
  *work = (struct gp_work){.kind = GP_WORK_KERNEL,
                           .device = gp_cpu_device(),
                           .kernel = {.function = p->function,
                                      .kernel = kernel,
                                      .grid = p->grid,
                                      .block = p->block,
                                      .dynamic_shared_bytes = p->dynamic_shared_bytes,
                                      .arguments = p->arguments}};
  return gp_work_check(work);
}

int gp_work_of_copy(struct gp_work *work, const struct gp_cuda_memcpy3d *copy) {
  if (!copy)
    return GP_ERROR_INVALID_VALUE;
  *work = (struct gp_work){.kind = GP_WORK_COPY, .device = gp_cpu_device(), .copy = *copy};
  return gp_work_check(work);
}

int gp_work_of_fill(struct gp_work *work, const struct gp_cuda_fill_node *p) {
  if (!p || !p->to)
    return GP_ERROR_INVALID_VALUE;
  *work = (struct gp_work){.kind = GP_WORK_FILL,
                           .device = gp_cpu_device(),
                           .fill = {.to = p->to,
                                    .pitch = p->pitch,
                                    .value = p->value,
                                    .element_bytes = p->element_bytes,
                                    .width = p->width,
                                    .height = p->height,
                                    .depth = 1}};
  return gp_work_check(work);
}

int gp_work_of_host(struct gp_work *work, const struct gp_cuda_host_node *p) {
  if (!p || !p->call)
    return GP_ERROR_INVALID_VALUE;
  *work = (struct gp_work){.kind = GP_WORK_HOST, .device = gp_cpu_device()};
  *(void **)&work->host.call = p->call;
  work->host.data = p->data;
  return 0;
}

int gp_work_of_event(struct gp_work *work, enum gp_work_kind kind, void *handle) {
  struct gp_event *event = gp_event_find(handle);
  *work = (struct gp_work){.kind = kind, .device = gp_cpu_device(), .event = event};
  return event ? 0 : GP_ERROR_INVALID_VALUE;
}

int gp_work_of_symbol(struct gp_work *work, void *to, const void *symbol, const void *from, size_t bytes,
                      size_t offset, int kind) {
  int error = 0;
  void *inside = gp_cpu_inside_symbol(symbol, bytes, offset, &error);
  if (!inside)
    return error;
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to ? to : inside, to ? inside : from, bytes, kind);
  return gp_work_of_copy(work, &copy);
}

int gp_node_change(struct gp_node *node, const struct gp_work *work) {
  struct gp_work kept;
  if (node->work.kind != work->kind)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_work_keep(&kept, work)) {
    gp_work_release(&kept);
    return GP_ERROR_MEMORY_ALLOCATION;
  }
  gp_work_release(&node->work);
  node->work = kept;
  return 0;
}

int gp_node_set_parameters(struct gp_node *node, const struct gp_work *parameters) {
  struct gp_work work = *parameters;
  int error = 0;
  if (work.kind == GP_WORK_KERNEL && node->work.kind == GP_WORK_KERNEL) {
    uint32_t size[3];
    work.kernel.cooperative = node->work.kernel.cooperative;
    work.kernel.cluster = node->work.kernel.cluster;
    error = gp_work_cluster(&work.kernel, size);
  }
  return error ? error : gp_node_change(node, &work);
}

/* ---- Adding -------------------------------------------------------------------------------------------- */

/* Adds a node for work; `error` is the result of checking its parameters. */
static int add(void **node, void *graph, const void *dependencies, size_t count, const struct gp_work *work,
               int error) {
  struct gp_node *made = NULL;
  if (!node || !gp_graph_is(graph) || (count && !dependencies))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_graphs_lock();
  if (!error)
    error = gp_graph_add(graph, dependencies, count, work, &made);
  gp_graphs_unlock();
  if (!error)
    *node = made;
  return gp_cpu_result(error);
}

int gp_cpu_cudaGraphAddEmptyNode(void **node, void *graph, const void *dependencies, size_t count) {
  const struct gp_work work = {.kind = GP_WORK_EMPTY, .device = gp_cpu_device()};
  return add(node, graph, dependencies, count, &work, 0);
}

int gp_cpu_cudaGraphAddKernelNode(void **node, void *graph, const void *dependencies, size_t count,
                                  const struct gp_cuda_kernel_node *parameters) {
  struct gp_work work;
  int error = gp_work_of_kernel(&work, parameters);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddMemcpyNode(void **node, void *graph, const void *dependencies, size_t count,
                                  const struct gp_cuda_memcpy3d *copy) {
  struct gp_work work;
  int error = gp_work_of_copy(&work, copy);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddMemcpyNode1D(void **node, void *graph, const void *dependencies, size_t count,
                                    void *to, const void *from, size_t bytes, int kind) {
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to, from, bytes, kind);
  return gp_cpu_cudaGraphAddMemcpyNode(node, graph, dependencies, count, &copy);
}

int gp_cpu_cudaGraphAddMemcpyNodeToSymbol(void **node, void *graph, const void *dependencies, size_t count,
                                          const void *symbol, const void *from, size_t bytes, size_t offset,
                                          int kind) {
  struct gp_work work;
  int error = gp_work_of_symbol(&work, NULL, symbol, from, bytes, offset, kind);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddMemcpyNodeFromSymbol(void **node, void *graph, const void *dependencies, size_t count,
                                            void *to, const void *symbol, size_t bytes, size_t offset,
                                            int kind) {
  struct gp_work work;
  int error = to ? gp_work_of_symbol(&work, to, symbol, NULL, bytes, offset, kind) : GP_ERROR_INVALID_VALUE;
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddMemsetNode(void **node, void *graph, const void *dependencies, size_t count,
                                  const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_fill(&work, parameters);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddHostNode(void **node, void *graph, const void *dependencies, size_t count,
                                const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_host(&work, parameters);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddChildGraphNode(void **node, void *graph, const void *dependencies, size_t count,
                                      void *child) {
  const struct gp_work work = {.kind = GP_WORK_GRAPH, .device = gp_cpu_device(), .graph = child};
  int error = !gp_graph_is(child) || child == graph    ? GP_ERROR_INVALID_VALUE
              : ((struct gp_graph *)child)->has_memory ? GP_ERROR_NOT_SUPPORTED
                                                       : 0;
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddEventRecordNode(void **node, void *graph, const void *dependencies, size_t count,
                                       void *event) {
  struct gp_work work;
  int error = gp_work_of_event(&work, GP_WORK_EVENT_RECORD, event);
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphAddEventWaitNode(void **node, void *graph, const void *dependencies, size_t count,
                                     void *event) {
  struct gp_work work;
  int error = gp_work_of_event(&work, GP_WORK_EVENT_WAIT, event);
  return add(node, graph, dependencies, count, &work, error);
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

enum { ALLOCATION_PINNED = 1, LOCATION_DEVICE = 1 };

int gp_cpu_cudaGraphAddMemAllocNode(void **node, void *graph, const void *dependencies, size_t count,
                                    void *parameters) {
  struct gp_cuda_allocation_node *p = parameters;
  if (!p || p->properties.allocation_type != ALLOCATION_PINNED ||
      p->properties.location.type != LOCATION_DEVICE || !gp_cpu_device_exists(p->properties.location.id) ||
      !p->bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  void *pointer = gp_graph_memory_reserve(p->bytes, p->properties.location.id);
  if (!pointer)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  const struct gp_work work = {
      .kind = GP_WORK_ALLOCATE,
      .device = p->properties.location.id,
      .memory = {.pointer = pointer, .properties = p->properties, .bytes = p->bytes}};
  int error = add(node, graph, dependencies, count, &work, 0);
  if (!error)
    p->pointer = pointer;
  return error;
}

/* A graph frees memory only if it allocated it itself, and once. */
static bool can_free(const struct gp_graph *graph, const void *pointer) {
  bool allocated = false;
  for (size_t i = 0; i < graph->count; i++) {
    const struct gp_work *work = &graph->nodes[i]->work;
    if (work->kind == GP_WORK_FREE && work->memory.pointer == pointer)
      return false;
    allocated |= work->kind == GP_WORK_ALLOCATE && work->memory.pointer == pointer;
  }
  return allocated || gp_graph_memory_is(pointer);
}

int gp_cpu_cudaGraphAddMemFreeNode(void **node, void *graph, const void *dependencies, size_t count,
                                   void *pointer) {
  const struct gp_work work = {
      .kind = GP_WORK_FREE, .device = gp_cpu_device(), .memory = {.pointer = pointer}};
  int error = gp_graph_is(graph) && can_free(graph, pointer) ? 0 : GP_ERROR_INVALID_VALUE;
  return add(node, graph, dependencies, count, &work, error);
}

int gp_cpu_cudaGraphMemAllocNodeGetParams(void *handle, void *parameters) {
  const struct gp_node *node = handle;
  if (!gp_node_is(handle) || node->work.kind != GP_WORK_ALLOCATE || !parameters)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(struct gp_cuda_allocation_node *)parameters =
      (struct gp_cuda_allocation_node){.properties = node->work.memory.properties,
                                       .bytes = node->work.memory.bytes,
                                       .pointer = node->work.memory.pointer};
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphMemFreeNodeGetParams(void *handle, void *pointer) {
  const struct gp_node *node = handle;
  if (!gp_node_is(handle) || node->work.kind != GP_WORK_FREE || !pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(void **)pointer = node->work.memory.pointer;
  return gp_cpu_result(0);
}

enum { GRAPH_MEMORY_USED, GRAPH_MEMORY_MOST_USED, GRAPH_MEMORY_RESERVED, GRAPH_MEMORY_MOST_RESERVED };

int gp_cpu_cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value) {
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  if (!value || attribute < GRAPH_MEMORY_USED || attribute > GRAPH_MEMORY_MOST_RESERVED)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(uint64_t *)value = gp_graph_memory_bytes(device, attribute);
  return gp_cpu_result(0);
}

/* Setting a high-water mark to 0 resets it to the current use. */
int gp_cpu_cudaDeviceSetGraphMemAttribute(int device, int attribute, void *value) {
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  if (!value || *(uint64_t *)value ||
      (attribute != GRAPH_MEMORY_MOST_USED && attribute != GRAPH_MEMORY_MOST_RESERVED))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_graph_memory_reset(device, attribute);
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGraphMemTrim(int device) {
  if (!gp_cpu_device_exists(device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  gp_graph_memory_trim(device);
  return gp_cpu_result(0);
}

/* ---- Queries and changes ------------------------------------------------------------------------------- */

/* The node, if it has this kind and there is a place for the answer; otherwise null. */
static struct gp_node *node_of(void *handle, enum gp_work_kind kind, const void *place) {
  struct gp_node *node = handle;
  return place && gp_node_is(handle) && node->work.kind == kind ? node : NULL;
}

static int change(void *handle, const struct gp_work *work, int error) {
  if (!gp_node_is(handle))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(error ? error : gp_node_set_parameters(handle, work));
}

int gp_cpu_cudaGraphKernelNodeGetParams(void *handle, struct gp_cuda_kernel_node *p) {
  const struct gp_node *node = node_of(handle, GP_WORK_KERNEL, p);
  if (!node)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_kernel_work *k = &node->work.kernel;
  *p = (struct gp_cuda_kernel_node){.function = k->function,
                                    .grid = k->grid,
                                    .block = k->block,
                                    .dynamic_shared_bytes = (unsigned)k->dynamic_shared_bytes,
                                    .arguments = k->arguments};
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphKernelNodeSetParams(void *handle, const struct gp_cuda_kernel_node *parameters) {
  struct gp_work work;
  int error = gp_work_of_kernel(&work, parameters);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphMemcpyNodeGetParams(void *handle, struct gp_cuda_memcpy3d *copy) {
  const struct gp_node *node = node_of(handle, GP_WORK_COPY, copy);
  if (node)
    *copy = node->work.copy;
  return gp_cpu_result(node ? 0 : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaGraphMemcpyNodeSetParams(void *handle, const struct gp_cuda_memcpy3d *copy) {
  struct gp_work work;
  int error = gp_work_of_copy(&work, copy);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphMemcpyNodeSetParams1D(void *handle, void *to, const void *from, size_t bytes, int kind) {
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to, from, bytes, kind);
  return gp_cpu_cudaGraphMemcpyNodeSetParams(handle, &copy);
}

int gp_cpu_cudaGraphMemcpyNodeSetParamsToSymbol(void *handle, const void *symbol, const void *from,
                                                size_t bytes, size_t offset, int kind) {
  struct gp_work work;
  int error = gp_work_of_symbol(&work, NULL, symbol, from, bytes, offset, kind);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphMemcpyNodeSetParamsFromSymbol(void *handle, void *to, const void *symbol, size_t bytes,
                                                  size_t offset, int kind) {
  struct gp_work work;
  int error = to ? gp_work_of_symbol(&work, to, symbol, NULL, bytes, offset, kind) : GP_ERROR_INVALID_VALUE;
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphMemsetNodeGetParams(void *handle, void *parameters) {
  const struct gp_node *node = node_of(handle, GP_WORK_FILL, parameters);
  if (!node)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_fill_work *f = &node->work.fill;
  *(struct gp_cuda_fill_node *)parameters =
      (struct gp_cuda_fill_node){f->to, f->pitch, f->value, f->element_bytes, f->width, f->height};
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphMemsetNodeSetParams(void *handle, const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_fill(&work, parameters);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphHostNodeGetParams(void *handle, void *parameters) {
  const struct gp_node *node = node_of(handle, GP_WORK_HOST, parameters);
  if (!node)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_cuda_host_node *p = parameters;
  *p =
      (struct gp_cuda_host_node){.call = *(void *const *)&node->work.host.call, .data = node->work.host.data};
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphHostNodeSetParams(void *handle, const void *parameters) {
  struct gp_work work;
  int error = gp_work_of_host(&work, parameters);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphChildGraphNodeGetGraph(void *handle, void **graph) {
  const struct gp_node *node = node_of(handle, GP_WORK_GRAPH, graph);
  if (node)
    *graph = node->work.graph;
  return gp_cpu_result(node ? 0 : GP_ERROR_INVALID_VALUE);
}

static int get_event(void *handle, enum gp_work_kind kind, void **event) {
  const struct gp_node *node = node_of(handle, kind, event);
  if (node)
    *event = node->work.event;
  return gp_cpu_result(node ? 0 : GP_ERROR_INVALID_VALUE);
}

static int set_event(void *handle, enum gp_work_kind kind, void *event) {
  struct gp_work work;
  int error = gp_work_of_event(&work, kind, event);
  return change(handle, &work, error);
}

int gp_cpu_cudaGraphEventRecordNodeGetEvent(void *node, void **event) {
  return get_event(node, GP_WORK_EVENT_RECORD, event);
}
int gp_cpu_cudaGraphEventWaitNodeGetEvent(void *node, void **event) {
  return get_event(node, GP_WORK_EVENT_WAIT, event);
}
int gp_cpu_cudaGraphEventRecordNodeSetEvent(void *node, void *event) {
  return set_event(node, GP_WORK_EVENT_RECORD, event);
}
int gp_cpu_cudaGraphEventWaitNodeSetEvent(void *node, void *event) {
  return set_event(node, GP_WORK_EVENT_WAIT, event);
}

/* ---- Attributes of kernels: kept; cooperation and clusters are obeyed ---------------------------------- */

static bool is_attribute(int attribute) { return attribute > 0 && attribute < GP_NODE_ATTRIBUTES; }

int gp_cpu_cudaGraphKernelNodeSetAttribute(void *handle, int attribute, const void *value) {
  struct gp_node *node = node_of(handle, GP_WORK_KERNEL, value);
  if (!node || !is_attribute(attribute))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_kernel_work kernel = node->work.kernel;
  int error = 0;
  if (attribute == GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE)
    kernel.cooperative = *(const int *)value != 0;
  if (attribute == GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER) {
    uint32_t size[3];
    memcpy(&kernel.cluster, value, sizeof kernel.cluster);
    error = gp_work_cluster(&kernel, size);
  }
  if (error)
    return gp_cpu_result(error);
  memcpy(node->attributes[attribute], value, sizeof node->attributes[attribute]);
  node->work.kernel = kernel;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphKernelNodeGetAttribute(void *handle, int attribute, void *value) {
  const struct gp_node *node = node_of(handle, GP_WORK_KERNEL, value);
  if (!node || !is_attribute(attribute))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  memcpy(value, node->attributes[attribute], sizeof node->attributes[attribute]);
  if (attribute == GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE)
    *(int *)value = node->work.kernel.cooperative;
  if (attribute == GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER)
    memcpy(value, &node->work.kernel.cluster, sizeof node->work.kernel.cluster);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphKernelNodeCopyAttributes(void *to, void *from) {
  struct gp_node *target = node_of(to, GP_WORK_KERNEL, to);
  const struct gp_node *source = node_of(from, GP_WORK_KERNEL, from);
  if (!target || !source)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_kernel_work kernel = target->work.kernel;
  uint32_t size[3];
  kernel.cooperative = source->work.kernel.cooperative;
  kernel.cluster = source->work.kernel.cluster;
  if (gp_work_cluster(&kernel, size))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE); /* as an H200 calls it here */
  memcpy(target->attributes, source->attributes, sizeof target->attributes);
  target->work.kernel = kernel;
  return gp_cpu_result(0);
}

/* ---- Nodes of any kind --------------------------------------------------------------------------------- */

static int add_condition(void **node, void *graph, const void *dependencies, size_t count,
                         struct gp_cuda_node *p) {
  enum { IF, WHILE, SWITCH };
  struct gp_work work = {.kind = GP_WORK_CONDITION, .device = gp_cpu_device()};
  if (!gp_graph_is(graph) || p->condition.type < IF || p->condition.type > SWITCH || !p->condition.size ||
      (p->condition.type != SWITCH && p->condition.size > (p->condition.type == IF ? 2 : 1)))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  work.condition = (struct gp_condition_work){.type = p->condition.type, .size = p->condition.size};
  for (struct gp_condition *c = ((struct gp_graph *)graph)->conditions; c; c = c->next)
    if (c->handle == p->condition.handle)
      work.condition.condition = c;
  work.condition.bodies = calloc(p->condition.size, sizeof *work.condition.bodies);
  int error = !work.condition.condition ? GP_ERROR_INVALID_VALUE
              : !work.condition.bodies  ? GP_ERROR_MEMORY_ALLOCATION
                                        : 0;
  for (unsigned i = 0; i < p->condition.size && !error; i++)
    if (!(work.condition.bodies[i] = gp_graph_create()))
      error = GP_ERROR_MEMORY_ALLOCATION;
  error = add(node, graph, dependencies, count, &work, error);
  gp_work_release(&work);
  if (!error)
    p->condition.graphs = (void **)((struct gp_node *)*node)->work.condition.bodies;
  return error;
}

static int work_of(struct gp_work *work, const struct gp_cuda_node *p) {
  switch (p->type) {
  case GP_WORK_KERNEL:
    return gp_work_of_kernel(work, &p->kernel);
  case GP_WORK_COPY:
    return gp_work_of_copy(work, &p->copy.copy);
  case GP_WORK_FILL:
    return gp_work_of_fill(work, &p->fill);
  case GP_WORK_HOST:
    return gp_work_of_host(work, &p->host);
  case GP_WORK_EVENT_WAIT:
  case GP_WORK_EVENT_RECORD:
    return gp_work_of_event(work, (enum gp_work_kind)p->type, p->event);
  default:
    return GP_ERROR_INVALID_VALUE;
  }
}

/* CUDA 13; the same as _v2 in 12. */
int gp_cpu_cudaGraphAddNode_v2(void **node, void *graph, const void *dependencies, uintptr_t data,
                               uintptr_t count, void *parameters) {
  (void)data;
  struct gp_cuda_node *p = parameters;
  struct gp_work work;
  if (!p)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  switch (p->type) {
  case GP_WORK_GRAPH:
    return gp_cpu_cudaGraphAddChildGraphNode(node, graph, dependencies, count, p->graph);
  case GP_WORK_EMPTY:
    return gp_cpu_cudaGraphAddEmptyNode(node, graph, dependencies, count);
  case GP_WORK_ALLOCATE:
    return gp_cpu_cudaGraphAddMemAllocNode(node, graph, dependencies, count, &p->allocation);
  case GP_WORK_FREE:
    return gp_cpu_cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->pointer);
  case GP_WORK_CONDITION:
    return add_condition(node, graph, dependencies, count, p);
  default:
    break;
  }
  int error = work_of(&work, p);
  return add(node, graph, dependencies, count, &work, error);
}

/* Up to CUDA 12 there is no parameter for edge data. */
int gp_cpu_cudaGraphAddNode(void **node, void *graph, const void *dependencies, uintptr_t data_or_count,
                            uintptr_t count_or_parameters, void *parameters) {
  if (gp_modules_cuda_version() >= 13000)
    return gp_cpu_cudaGraphAddNode_v2(node, graph, dependencies, data_or_count, count_or_parameters,
                                      parameters);
  return gp_cpu_cudaGraphAddNode_v2(node, graph, dependencies, 0, data_or_count, (void *)count_or_parameters);
}

int gp_cpu_cudaGraphNodeSetParams(void *node, void *parameters) {
  struct gp_work work;
  int error = parameters ? work_of(&work, parameters) : GP_ERROR_INVALID_VALUE;
  return change(node, &work, error);
}

int gp_work_of_any(struct gp_work *work, const void *parameters) {
  return parameters ? work_of(work, parameters) : GP_ERROR_INVALID_VALUE;
}

int gp_cpu_cudaGraphConditionalHandleCreate(uint64_t *handle, void *graph, unsigned default_value,
                                            unsigned flags) {
  static _Atomic uint64_t last;
  enum { ASSIGN_DEFAULT = 1 };
  struct gp_graph *g = graph;
  if (!handle || !gp_graph_is(graph) || flags > ASSIGN_DEFAULT)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_condition *condition = malloc(sizeof *condition);
  if (!condition)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *condition = (struct gp_condition){.next = g->conditions,
                                     .handle = *handle = ++last,
                                     .value = flags == ASSIGN_DEFAULT ? default_value : 0,
                                     .default_value = default_value,
                                     .assigns_default = flags == ASSIGN_DEFAULT};
  g->conditions = condition;
  return gp_cpu_result(0);
}
