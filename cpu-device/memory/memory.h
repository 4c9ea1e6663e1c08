/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of memory besides the arena: registered memory of the host, and pools. */
#ifndef GP_CPU_MEMORY_H
#define GP_CPU_MEMORY_H

#include "engine/emulator.h"
#include "exports/cudart_types.h"

#include <stdbool.h>

/* Memory of the host that the program registered. */
struct gp_registered {
  struct gp_registered *next;
  char *address;
  size_t bytes;
  unsigned flags;
};

/* Fills *found, if it is not null, and returns true where the address lies in registered memory. */
bool gp_registered_find(const void *address, struct gp_registered *found);
/* The device variable that the address lies in, or null. */
const struct gpuprof_cpu_variable *gp_memory_variable(const void *pointer);

/* A pool: where memory comes from that is allocated in the order of a stream. */
struct gp_pool {
  uint32_t magic;
  bool is_default;
  struct gp_cuda_pool_properties properties;
  uint64_t threshold, used, most_used, reserved, most_reserved;
  int follow_events, opportunistic, internal;
  unsigned access[16]; /* of the other devices */
  bool destroyed;      /* goes with its last allocation */
  bool is_imported;    /* stands for one of another process */
  struct gp_pool *next;
};

/* Null: it is none, or was destroyed. */
struct gp_pool *gp_pool_find(void *handle);
/* A pool that stands for one of another process; null where no memory is left. */
struct gp_pool *gp_pool_imported(void);
/* Gives back what cudaMemPoolImportPointer gave; false: it is something else. */
bool gp_pool_pointer_free(const void *pointer);
/* Told by the arena's users before memory of a pool is freed. */
void gp_pool_gives_back(const struct gp_allocation *allocation);

/* cudaMalloc and cudaFree without what a capture forbids: a CUDA error. */
int gp_memory_release(void *pointer, bool host);

#endif
