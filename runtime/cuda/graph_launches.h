/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches of executable graphs. Each counts for all kernels of its graph, so only their number is kept, by the region that makes
 * them. It is added to the records of the kernels before these are read, or before the graph changes.
 */
#ifndef GP_GRAPH_LAUNCHES_H
#define GP_GRAPH_LAUNCHES_H

#include "core/launch_shapes.h"

#include <stddef.h>
#include <stdint.h>

struct gp_clone_result;
struct gp_context;
struct gp_graph_launches;
struct gp_kernel;

/* A kernel in a graph: a clone has counted it, it has counters, or there is a reason against both. */
struct gp_graph_kernel {
  void *node;
  struct gp_kernel *kernel; /* null: it belongs to a library */
  char name[128];           /* then: mangled, possibly cut */
  struct gp_clone_result *result;
  int has_counters;
  const char *why;
  uint64_t threads;
  struct gp_launch_shape shape;
  uint64_t digest;
  int conditional; /* its number of runs is unknown */
};

/* One launch more in this context. `all` are those of the executable graph, null at first. The kernels must stay as they are
 * until the end of these. The caller of both holds the lock of graphs. */
void gp_graph_launches_add(struct gp_graph_launches **all, const struct gp_graph_kernel *kernels, size_t count,
                           struct gp_context *context, int device);
/* The kernels change, or go: brings the records up to date. */
void gp_graph_launches_end(struct gp_graph_launches **all);

/* Brings the records up to date with all graphs. */
void gp_graph_launches_settle(void);
/* In the child of a fork: the parent counts what is not settled. */
void gp_graph_launches_begin_anew(void);

#endif
