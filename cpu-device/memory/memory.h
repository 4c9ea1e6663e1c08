/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts of memory besides the arena: registered memory of the host, and pools. */
#ifndef GP_CPU_MEMORY_H
#define GP_CPU_MEMORY_H

#include "exports/cudart_types.h"
#include "memory/arena.h"

#include <stdbool.h>

/* Memory of the host, registered by the program. */
struct gp_registered {
  struct gp_registered *next;
  char *address;
  size_t bytes;
  unsigned flags;
};

enum gp_registration {
  GP_REGISTRATION_DONE,
  GP_REGISTRATION_OVERLAPS, /* another range, or begins within one */
  GP_REGISTRATION_UNKNOWN,
  GP_REGISTRATION_NO_MEMORY
};
enum gp_registration gp_registered_add(const struct gp_registered *range);
enum gp_registration gp_registered_remove(const void *address);
/* Fills *found, unless null, and returns true if the address lies in registered memory. */
bool gp_registered_find(const void *address, struct gp_registered *found);
/* A pool: the source of memory allocated in the order of a stream. */
struct gp_pool {
  uint32_t magic;
  bool is_default;
  struct gp_cuda_pool_properties properties;
  uint64_t threshold, used, most_used, reserved, most_reserved;
  int follow_events, opportunistic, internal;
  unsigned access[16]; /* of the other devices */
  bool destroyed;      /* freed with its last allocation */
  bool is_imported;    /* represents a pool of another process */
  struct gp_pool *next;
};

struct gp_pool gp_pool_fresh(const struct gp_cuda_pool_properties *properties);
/* A pool representing one of another process; null without memory. */
struct gp_pool *gp_pool_imported(void);
struct gp_pool *gp_pool_default(int device);
/* Null: it is none, or was destroyed. */
struct gp_pool *gp_pool_find(void *handle);
/* Adds `bytes` to the allocated amount. */
void gp_pool_takes(struct gp_pool *, uint64_t bytes);
/* Called by the arena's users before memory of a pool is freed. */
void gp_pool_gives_back(const struct gp_allocation *allocation);
/* Reserved, unused memory above `keep` is given back. */
void gp_pool_trim(struct gp_pool *, uint64_t keep);
/* The pool ends with its last allocation. */
void gp_pool_destroy(struct gp_pool *);

/* Keeps the results of gp_share_open() for gp_pool_pointer_free(); false: no memory. */
bool gp_imported_keep(uint64_t address, uint64_t allocation);
/* Frees a pointer from cudaMemPoolImportPointer; false: it is something else. */
bool gp_pool_pointer_free(const void *pointer);

/* cudaFree without a capture's restrictions, for memory outside of graphs. Returns a CUDA error. */
int gp_memory_release(void *pointer, bool host);

#endif
