/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conversions between CUDA's parameters of a node and its work. */
#ifndef GP_CPU_GRAPH_NODES_H
#define GP_CPU_GRAPH_NODES_H

#include "cuda-api/graph/graph.h"

/* cudaMemsetParams */
struct gp_cuda_fill_node {
  void *to;
  size_t pitch;
  unsigned value, element_bytes;
  size_t width, height;
};

/* cudaHostNodeParams */
struct gp_cuda_host_node {
  void *call;
  void *data;
};

/* cudaMemAllocNodeParams */
struct gp_cuda_allocation_node {
  struct gp_cuda_pool_properties properties;
  const void *access;
  size_t access_count, bytes;
  void *pointer;
};

/* cudaGraphNodeParams */
struct gp_cuda_node {
  int type, reserved[3];
  union {
    long long room[29];
    struct gp_cuda_kernel_node kernel;
    struct {
      int flags, reserved[3];
      struct gp_cuda_memcpy3d copy;
    } copy;
    struct gp_cuda_fill_node fill;
    struct gp_cuda_host_node host;
    void *graph;
    void *event;
    struct gp_cuda_allocation_node allocation;
    void *pointer;
    struct {
      uint64_t handle;
      int type;
      unsigned size;
      void **graphs;
    } condition;
  };
  long long reserved_at_end;
};

/* Each fills `work` for the thread's device, without owning anything, and returns a CUDA error. */
int gp_work_of_kernel(struct gp_work *work, const struct gp_cuda_kernel_node *parameters);
int gp_work_of_copy(struct gp_work *work, const struct gp_cuda_memcpy3d *copy);
int gp_work_of_fill(struct gp_work *work, const struct gp_cuda_fill_node *parameters);
int gp_work_of_host(struct gp_work *work, const struct gp_cuda_host_node *parameters);
int gp_work_of_event(struct gp_work *work, enum gp_work_kind kind, void *event);
/* A copy to (`to` null) or from (`from` null) a device variable. */
int gp_work_of_symbol(struct gp_work *work, void *to, const void *symbol, const void *from, size_t bytes,
                      size_t offset, int kind);
int gp_work_of_any(struct gp_work *work, const void *parameters);
/* Gives the node new work of the same kind; a kernel's cooperation and clusters come with the work. */
int gp_node_change(struct gp_node *node, const struct gp_work *work);
/* The same, but a kernel keeps its node's attributes. Returns a CUDA error, without a change of the node, if
 * the clusters do not fit the new grid or kernel. */
int gp_node_set_parameters(struct gp_node *node, const struct gp_work *work);

#endif
