/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One piece of work of a stream or a graph: a launch, a copy, a fill, … It can be done at once or kept as a
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
  void **arguments; /* one pointer each; a kept copy owns them and what they point to */
  bool cooperative;
  struct gp_cuda_dim3 cluster; /* as the launch asks; zeros where it does not */
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

/* What CUDA refuses before it does anything. Returns a CUDA error. */
int gp_work_check(const struct gp_work *);
/* Does it on the calling thread; launches are not seen by the core. Returns a CUDA error; a kernel that is
 * stopped breaks the device instead. */
int gp_work_do(const struct gp_work *);
/* Calls a function of the program as a stream does: meanwhile CUDA's functions answer cudaErrorNotPermitted.
 */
void gp_cpu_call_host(void (*call)(void *), void *data);
/* ---- kernel_settings.c -------------------------------------------------------------------------------------- */
/* Of a kernel, what cudaFuncSetAttribute sets. */
struct gp_kernel_settings {
  const void *function;
  int64_t dynamic_shared_bytes; /* that a launch may have; -1: as much as without asking */
  int carveout;                 /* shared memory in percent; -1: no preference */
  int cluster[3];               /* blocks of its clusters; zeros: as the launch says */
  int policy, non_portable;     /* of clusters */
};
/* The kernel of a host stub; null, and *error, where it has none for the CPU device or is no kernel. */
const struct gpuprof_cpu_kernel *gp_cpu_find_kernel(const void *function, int *error);
struct gp_kernel_settings gp_cpu_kernel_settings(const void *function);
/* A CUDA error. */
int gp_cpu_keep_kernel_settings(struct gp_kernel_settings);
/* Dynamic shared bytes that a launch of the kernel may have. */
uint32_t gp_cpu_dynamic_limit(const void *function, const struct gpuprof_cpu_kernel *kernel);

/* ---- cluster_size.c ------------------------------------------------------------------------------------- */
/* The clusters of a launch, by its attributes and the kernel's; zeros: none. Returns a CUDA error. */
int gp_work_cluster(const struct gp_kernel_work *, uint32_t size[3]);
/* What the source says of the kernel, or else what cudaFuncSetAttribute did; zeros where neither does. */
void gp_cluster_required(const struct gp_kernel_work *, uint32_t size[3]);
/* Is any of the three other than zero? */
bool gp_cluster_is_given(const uint32_t size[3]);
/* Blocks that a cluster of the kernel may have. */
uint64_t gp_cluster_most_blocks(const struct gp_kernel_work *);

/* ---- copies.c ------------------------------------------------------------------------------------------ */
/* A copy of consecutive bytes, and of rows of bytes. */
struct gp_cuda_memcpy3d gp_copy_of_bytes(void *to, const void *from, size_t bytes, int kind);
int gp_copy_check(const struct gp_cuda_memcpy3d *);
void gp_copy_do(const struct gp_cuda_memcpy3d *);
int gp_fill_check(const struct gp_fill_work *);
void gp_fill_do(const struct gp_fill_work *);
/* Address of `bytes` bytes of a device variable; null, and the CUDA error, where it has not so many or is
 * none. */
void *gp_cpu_inside_symbol(const void *symbol, size_t bytes, size_t offset, int *error);
/* The device variable that the address lies in, or null. */
const struct gpuprof_cpu_variable *gp_memory_variable(const void *pointer);
/* True if the range is not null and does not leave the allocation it begins in. */
bool gp_memory_is_valid(const void *pointer, size_t bytes);
/* True if CUDA knows the memory: device memory or variables, managed, pinned or registered memory. */
bool gp_memory_is_known(const void *pointer);

#endif
