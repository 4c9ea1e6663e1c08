/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA memory used by the program: every allocation and release seen by the exported functions, on any device and thread.
 * gpuprof's own memory is not in it: it calls the device's functions, not the exported ones. */
#ifndef GP_USAGE_H
#define GP_USAGE_H

#include "base/device.h"
#include "base/settings.h"
#include "base/state.h"
#include "core/regions.h"
#include "memory/stacks.h"
#include "memory/usage_levels.h"

enum gp_usage_space { GP_USAGE_POINTER, GP_USAGE_ARRAY_HANDLE, GP_USAGE_REGISTRATION, GP_USAGE_PHYSICAL_HANDLE, GP_USAGE_MAPPING };

enum gp_usage_kind {
#define GP_USAGE_KIND_ROW(id, name, space, where) GP_USAGE_##id,
#include "memory/usage_kinds.inc"
  GP_USAGE_KINDS
};
/* As in the document. */
const char *gp_usage_kind_name(enum gp_usage_kind kind);
/* True if it is in the sums of devices and of the host. */
int gp_usage_kind_counts(enum gp_usage_kind kind);

/* Places of memory: devices, and the host. */
#define GP_USAGE_HOST GP_DEVICES
#define GP_USAGE_PLACES (GP_DEVICES + 1)

static inline int gp_usage_is_on(void) { return gp_state() != GP_OFF && gp_settings()->memory != GP_MEMORY_NOT_SEEN; }

/* ---- Events. All leave errno as it is. ---- */

/* A call without a stream. */
#define GP_USAGE_NO_STREAM ((void *)-1)

/* An allocating function returned `error` (0: success). `address` is the new address or handle; `function` lives for ever. */
struct gp_usage_request {
  const char *function;
  enum gp_usage_kind kind;
  void *stream;
  uint64_t address, bytes;
  const void *caller; /* the exported function's return address */
};
void gp_usage_requested(const struct gp_usage_request *request, int error);

/* Around a releasing function: the address may be handed out again before the function returns. */
struct gp_usage_block;
struct gp_usage_release {
  struct gp_usage_block *block;
  int is_seen; /* 0: nothing to release */
  int in_graph; /* by a node of a graph, or of its memory */
};
struct gp_usage_release gp_usage_release_begin(enum gp_usage_space space, void *stream, uint64_t address);
void gp_usage_release_end(const struct gp_usage_release *release, int error);

/* Physical memory stays while it is mapped, whatever became of its handle. */
void gp_usage_mapped(uint64_t address, uint64_t bytes, uint64_t handle);
void gp_usage_unmapped(uint64_t address, uint64_t bytes);
/* Another handle of the memory mapped at an address. */
void gp_usage_retained(uint64_t handle, uint64_t address);
/* A device was reset: its memory is gone, and the host memory allocated for it. */
void gp_usage_device_reset(int device);
void gp_usage_before_fork(void);
/* In the child of a fork: what the parent allocated is known, and counts neither as allocated nor as released. */
void gp_usage_in_child(void);

/* Hears of each change of the program's memory on a device, or of its host memory (GP_USAGE_HOST): bytes in use, and the
 * time since the start of the process. It must be quick, and must not allocate CUDA memory. One listener; null: none. */
typedef void gp_usage_listener(unsigned place, uint64_t bytes, uint64_t ns);
void gp_usage_listen(gp_usage_listener *listener);

/* ---- What was seen ---- */

/* All memory of one kind, allocated by one stack within one region. */
struct gp_usage_site {
  struct gp_link link;
  struct gp_usage_site *next;
  const struct gp_stack *stack; /* null: unknown */
  const struct gp_context *context;
  enum gp_usage_kind kind;
  unsigned place;
  uint64_t bytes, allocations;                 /* alive */
  uint64_t allocated_bytes, all_allocations, largest_bytes; /* of all time */
  uint64_t peak, peak_bytes, peak_allocations; /* `peak` is the number of the place's peak: these were alive at it */
};

/* One allocation, or a refused one. */
struct gp_usage_large {
  const struct gp_usage_site *site;
  uint64_t bytes, ns, serial;
  int is_alive;
};
#define GP_USAGE_LARGEST 16u

#define GP_USAGE_LIVE 5u /* sites named with a failure */
struct gp_usage_failure {
  const char *function;
  const struct gp_stack *stack;
  const struct gp_context *context;
  enum gp_usage_kind kind;
  unsigned place;
  uint64_t bytes, ns;
  uint64_t live_bytes;               /* of the program, at the place */
  uint64_t used_bytes; /* of the device, by anyone; 0: unknown */
  struct { const struct gp_usage_site *site; uint64_t bytes, allocations; } live[GP_USAGE_LIVE]; /* the largest; null: no more */
};
#define GP_USAGE_FAILURES 8u

struct gp_usage_place {
  struct gp_usage_level sum, kinds[GP_USAGE_KINDS];
  uint64_t peak; /* its number, from 1; 0: there was no memory */
  struct gp_usage_curve *curve; /* null: none */
};

struct gp_usage_totals {
  struct gp_usage_level devices; /* all devices together */
  struct gp_usage_place places[GP_USAGE_PLACES];
  struct gp_usage_large largest[GP_USAGE_LARGEST]; /* in descending order */
  size_t large_count;
  struct gp_usage_failure failures[GP_USAGE_FAILURES]; /* the first ones */
  uint64_t exhausted;          /* allocations refused for lack of memory */
  uint64_t refused;            /* allocations refused for another reason */
  uint64_t unknown_releases;   /* of addresses that were not seen */
  uint64_t refused_releases;   /* the function failed */
  uint64_t reset_releases;     /* by cudaDeviceReset() */
  uint64_t replaced;           /* addresses handed out again, whose release was not seen */
  uint64_t unsized;            /* allocations whose size is unknown */
  uint64_t untracked;          /* for lack of memory of gpuprof's own */
  uint64_t unsummed, undrawn;  /* for the same reason: changes missing in a region, and in a curve */
  uint64_t graph_allocations, graph_bytes, graph_releases; /* nodes of graphs */
};

/* What a region allocated and released by itself: device memory. */
struct gp_usage_region {
  uint64_t allocated_bytes, released_bytes, allocations, releases;
  uint64_t peak_bytes; /* the most memory of all devices around its own allocations and releases */
};

/* A copy of everything at one moment. */
struct gp_usage_reading {
  struct gp_usage_totals totals;
  struct gp_usage_site *sites; /* copies; `next` is meaningless */
  size_t site_count;
  struct gp_usage_curve *curves; /* of places that have one */
  uint64_t ns;
};
/* Returns 0, or -1 when memory is exhausted; gp_usage_reading_free() in both cases. */
int gp_usage_read(struct gp_usage_reading *reading);
void gp_usage_reading_free(struct gp_usage_reading *reading);
/* Returns 1 if the context allocated or released memory. */
int gp_usage_of_context(const struct gp_context *context, struct gp_usage_region *region);

#endif
