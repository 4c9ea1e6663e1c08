/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One piece of work of a stream or a graph: a launch, a copy, a fill, … It is done at once, or kept as a
 * node. */
#ifndef GP_CPU_WORK_H
#define GP_CPU_WORK_H

#include "engine/emulator.h"
#include "exports/cudart_types.h"

#include <stdbool.h>

/* Numbers of cudaGraphNodeType. */
enum gp_work_kind {
  GP_WORK_KERNEL = 0,
  GP_WORK_COPY = 1,
  GP_WORK_FILL = 2,
  GP_WORK_HOST = 3,
  GP_WORK_GRAPH = 4,
  GP_WORK_EMPTY = 5,
  GP_WORK_EVENT_WAIT = 6,
  GP_WORK_EVENT_RECORD = 7,
  GP_WORK_ALLOCATE = 10,
  GP_WORK_FREE = 11,
  GP_WORK_CONDITION = 13
};

struct gp_kernel_work {
  const void *function; /* host stub */
  const struct gpuprof_cpu_kernel *kernel;
  struct gp_cuda_dim3 grid, block;
  size_t dynamic_shared_bytes;
  void **arguments; /* one pointer each; a kept copy owns them and their targets */
  bool cooperative;
  struct gp_cuda_dim3 cluster; /* requested by the launch; zeros: no request */
};

/* Rows of elements; width in elements, pitch in bytes. */
struct gp_fill_work {
  void *to;
  size_t pitch;
  unsigned value, element_bytes;
  size_t width, height, depth,
      plane_bytes; /* plane_bytes: from one plane to the next; matters if depth > 1 */
};

struct gp_memory_work {
  void *pointer;
  struct gp_cuda_pool_properties properties;
  size_t bytes;
};

struct gp_condition_work {
  struct gp_condition *condition;
  int type; /* 0 if, 1 while, 2 switch */
  unsigned size;
  struct gp_graph **bodies;
};

struct gp_work {
  enum gp_work_kind kind;
  int device;
  union {
    struct gp_kernel_work kernel;
    struct gp_cuda_memcpy3d copy;
    struct gp_fill_work fill;
    struct {
      void (*call)(void *);
      void *data;
    } host;
    struct gp_graph *graph; /* a kept copy owns it */
    struct gp_event *event;
    struct gp_memory_work memory;
    struct gp_condition_work condition;
  };
};

/* CUDA's checks ahead of any effect. Returns a CUDA error. */
int gp_work_check(const struct gp_work *);
/* Does the work on the calling thread; the core does not see launches. Returns a CUDA error. A stopped kernel
 * breaks the device instead. */
int gp_work_do(const struct gp_work *);
/* Calls a function of the program for a stream: CUDA's functions return cudaErrorNotPermitted meanwhile. */
void gp_cpu_call_host(void (*call)(void *), void *data);
/* ---- kernel_settings.c -------------------------------------------------------------------------------------- */
/* Settings of a kernel made by cudaFuncSetAttribute. */
struct gp_kernel_settings {
  const void *function;
  int64_t dynamic_shared_bytes; /* maximum of a launch; -1: the default */
  int carveout;                 /* shared memory in percent; -1: no preference */
  int cluster[3];               /* blocks of its clusters; zeros: set by the launch */
  int policy, non_portable;     /* of clusters */
};
/* The kernel of a host stub. Null, and *error, if it has none for the CPU device or is no kernel. */
const struct gpuprof_cpu_kernel *gp_cpu_find_kernel(const void *function, int *error);
struct gp_kernel_settings gp_cpu_kernel_settings(const void *function);
/* Returns a CUDA error. */
int gp_cpu_keep_kernel_settings(struct gp_kernel_settings);
/* Maximum dynamic shared bytes of a launch of the kernel. */
uint32_t gp_cpu_dynamic_limit(const void *function, const struct gpuprof_cpu_kernel *kernel);

/* ---- cluster_size.c ------------------------------------------------------------------------------------- */
/* The clusters of a launch, from its attributes and the kernel's; zeros: none. Returns a CUDA error. */
int gp_work_cluster(const struct gp_kernel_work *, uint32_t size[3]);
/* The cluster size required by the kernel's source, or else by cudaFuncSetAttribute; zeros without either. */
void gp_cluster_required(const struct gp_kernel_work *, uint32_t size[3]);
/* True if any of the three is not zero. */
bool gp_cluster_is_given(const uint32_t size[3]);
/* Maximum number of blocks of a cluster of the kernel. */
uint64_t gp_cluster_most_blocks(const struct gp_kernel_work *);

/* ---- copies.c ------------------------------------------------------------------------------------------ */
/* A copy of consecutive bytes, and of rows of bytes. */
struct gp_cuda_memcpy3d gp_copy_of_bytes(void *to, const void *from, size_t bytes, int kind);
int gp_copy_check(const struct gp_cuda_memcpy3d *);
void gp_copy_do(const struct gp_cuda_memcpy3d *);
int gp_fill_check(const struct gp_fill_work *);
void gp_fill_do(const struct gp_fill_work *);
/* Address of `bytes` bytes of a device variable. Null, and the CUDA error, if it is smaller or no
 * variable. */
void *gp_cpu_inside_symbol(const void *symbol, size_t bytes, size_t offset, int *error);
/* The device variable containing the address, or null. */
const struct gpuprof_cpu_variable *gp_memory_variable(const void *pointer);
/* True if the range is not null and stays within the allocation at its start. */
bool gp_memory_is_valid(const void *pointer, size_t bytes);
/* True if CUDA knows the memory: device memory or variables, managed, pinned or registered memory. */
bool gp_memory_is_known(const void *pointer);

#endif
