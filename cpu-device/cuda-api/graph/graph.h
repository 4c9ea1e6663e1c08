/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs: descriptions of work to be done later. A graph is a list of nodes, in the order of addition, and of
 * edges.
 */
#ifndef GP_CPU_GRAPH_H
#define GP_CPU_GRAPH_H

#include "cuda-api/work/work.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { GP_NODE_ATTRIBUTES = 16 };

struct gp_node {
  uint32_t magic;
  struct gp_graph *graph;
  struct gp_node *original; /* the copied node, in clones and executables; otherwise null */
  struct gp_work work;
  size_t place;                            /* in its graph */
  bool disabled;                           /* in an executable */
  char attributes[GP_NODE_ATTRIBUTES][64]; /* of a kernel */
};

struct gp_edge {
  struct gp_node *from, *to;
};

struct gp_graph {
  uint32_t magic;
  struct gp_node **nodes;
  size_t count, capacity;
  struct gp_edge *edges;
  size_t edge_count, edge_capacity;
  bool has_memory;              /* allocates or frees */
  bool is_part;                 /* of a node: the program may change it, but not destroy it */
  struct gp_reference *objects; /* of the user */
  struct gp_condition *conditions;
  const struct gp_graph *original; /* the copied graph */
};

/* A value deciding the work of a conditional node. */
struct gp_condition {
  struct gp_condition *next;
  struct gp_condition *next_running; /* graph_run.c's own */
  uint64_t handle;
  _Atomic unsigned value;
  unsigned default_value;
  bool assigns_default; /* at each launch */
};

struct gp_executable {
  uint32_t magic;
  struct gp_graph *graph; /* a copy */
  size_t *order;          /* places of the nodes, each behind its predecessors */
  unsigned long long flags;
  int device;
};

/* ---- kept_work.c --------------------------------------------------------------------------------------- */
/* Makes a copy owning its data; false: no memory. */
bool gp_work_keep(struct gp_work *kept, const struct gp_work *work);
void gp_work_release(struct gp_work *kept);

/* ---- graph.c -------------------------------------------------------------------------------------------- */
struct gp_graph *gp_graph_create(void);
void gp_graph_destroy(struct gp_graph *);
/* Null: no memory. */
struct gp_graph *gp_graph_copy(const struct gp_graph *);
bool gp_graph_is(const void *handle);
bool gp_node_is(const void *handle);
bool gp_executable_is(const void *handle);
/* Adds a node with a copy of `work`, after `count` others. Returns a CUDA error. */
int gp_graph_add(struct gp_graph *, struct gp_node *const *after, size_t count, const struct gp_work *work,
                 struct gp_node **node);
int gp_graph_connect(struct gp_graph *, struct gp_node *from, struct gp_node *to);
int gp_graph_disconnect(struct gp_graph *, struct gp_node *from, struct gp_node *to);
bool gp_graph_has_edge(const struct gp_graph *, const struct gp_node *from, const struct gp_node *to);
void gp_graph_remove(struct gp_node *);
struct gp_node *gp_graph_node_of(const struct gp_graph *, const struct gp_node *original);
/* Places of the nodes in an executable order; the caller frees it. Null with CUDA's error for a cycle, or
 * without memory. */
size_t *gp_graph_order(const struct gp_graph *, int *error);

/* Null: no memory, or a cycle. */
struct gp_executable *gp_executable_create(struct gp_graph *, unsigned long long flags, int device);
void gp_executable_destroy(struct gp_executable *);

/* ---- graph_run.c --------------------------------------------------------------------------------------- */
/* Runs all nodes on `device`, one after the other. Returns a CUDA error. */
int gp_graph_run(struct gp_graph *, const size_t *order, void *stream);
/* Memory allocated by a graph: reserved with the node, made accessible and inaccessible as the graph runs.
 * Null: none is left. */
void *gp_graph_memory_reserve(size_t bytes, int device);
/* Sets the use of the memory; false: the pointer is not such memory. */
bool gp_graph_memory_set(void *pointer, bool used);
bool gp_graph_memory_is_used(const void *pointer);
bool gp_graph_memory_is(const void *pointer);
/* Frees memory of a device, a graph's or other: a CUDA error. */
int gp_graph_memory_free(void *pointer);
/* Claims the memory for an executable allocating it, or ends the claim. Only one executable can exist at a
 * time, since the address is fixed. */
void gp_graph_memory_claim(const void *pointer, bool claimed);
bool gp_graph_memory_is_claimed(const void *pointer);
/* Bytes of a device: `attribute` is a cudaGraphMemAttributeType. */
uint64_t gp_graph_memory_bytes(int device, int attribute);
void gp_graph_memory_reset(int device, int attribute);
/* Gives back unused memory. */
void gp_graph_memory_trim(int device);

#endif
