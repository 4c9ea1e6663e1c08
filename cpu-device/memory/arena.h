/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All device memory, in one reservation of addresses. */
#ifndef GP_CPU_ARENA_H
#define GP_CPU_ARENA_H

#include "gpuprof/abi.h"

#include <stdbool.h>
#include <stdint.h>

/* The value of each byte of fresh memory, unless fresh memory is zero. */
enum { GP_CPU_FRESH_PATTERN = 0xCD };

/* The state of the arena read by compiled code (gpuprof/abi.h). */
extern struct gpuprof_cpu_sectors *gp_cpu_sectors;

struct gp_mapping;
struct gp_pool;
struct gp_allocation {
  uint64_t address, bytes; /* requested bytes */
  unsigned kind;           /* enum gp_memory_kind */
  unsigned flags;          /* as given by the program */
  int device;
  struct gp_pool *pool;                   /* its pool, or null */
  int read_mostly, preferred, prefetched; /* advice: places are devices, -1 the host, -2 none */
  struct gp_mapping *mapping;             /* memory mapped here (mappings.h), or null */
};
enum gp_memory_kind { GP_MEMORY_DEVICE, GP_MEMORY_HOST, GP_MEMORY_MANAGED };
/* Reserves the arena once; false if the machine refuses. */
bool gp_arena_open(void);
/* Allocates in the part of the arena of the thread's device. Zero: no memory left. */
uint64_t gp_arena_allocate(uint64_t bytes, enum gp_memory_kind kind);
/* The content of each byte of fresh memory, including shared memory: GP_CPU_FRESH_PATTERN, or 0
 * (GPUPROF_CPU_FILL). */
unsigned char gp_cpu_fresh_byte(void);
/* Changes the properties of the allocation at this address: all but address, bytes and kind. */
void gp_arena_note(const struct gp_allocation *);
/* False: nothing was allocated at this address. */
bool gp_arena_release(uint64_t address);
/* Finds the allocation containing the address; false: there is none. */
bool gp_arena_find(uint64_t address, struct gp_allocation *found);
/* Releases all allocations of a device. */
void gp_arena_release_all(int device);
/* The bytes of one device. */
void gp_arena_totals(int device, uint64_t *free_bytes, uint64_t *total_bytes);
/* The allocations next to an unallocated address: the last one before and the first one behind it. Bytes are
 * 0 for none. */
struct gp_neighbours {
  struct gp_allocation before, behind;
};
struct gp_neighbours gp_arena_neighbours(uint64_t address);
/* Calls f for every allocation, in the order of addresses. */
void gp_arena_each(void (*f)(const struct gp_allocation *, void *), void *context);

#endif
