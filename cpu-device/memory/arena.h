/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All device memory, in one reservation of addresses. */
#ifndef GP_CPU_ARENA_H
#define GP_CPU_ARENA_H

#include "gpuprof/abi.h"

#include <stdbool.h>
#include <stdint.h>

/* In each byte that nobody has written, unless fresh memory is zero. */
enum { GP_CPU_FRESH_PATTERN = 0xCD };

/* What compiled code reads of the arena (gpuprof/abi.h). */
extern struct gpuprof_cpu_sectors *gp_cpu_sectors;

struct gp_mapping;
struct gp_pool;
struct gp_allocation {
  uint64_t address, bytes; /* bytes as asked for */
  unsigned kind;           /* enum gp_memory_kind */
  unsigned flags;          /* as the program gave them */
  int device;
  struct gp_pool *pool;                   /* it came from, or null */
  int read_mostly, preferred, prefetched; /* advice: places are devices, -1 the host, -2 none */
  struct gp_mapping *mapping;             /* memory that is mapped here (mappings.h), or null */
};
enum gp_memory_kind { GP_MEMORY_DEVICE, GP_MEMORY_HOST, GP_MEMORY_MANAGED };
/* Reserves the arena once; false where the machine refuses. */
bool gp_arena_open(void);
/* For the thread's device, which has its part of the arena. Zero: no memory left. */
uint64_t gp_arena_allocate(uint64_t bytes, enum gp_memory_kind kind);
/* What each byte of fresh memory holds, shared memory too: GP_CPU_FRESH_PATTERN, or 0 (GPUPROF_CPU_FILL). */
unsigned char gp_cpu_fresh_byte(void);
/* Changes what is kept of the allocation at this address: all but address, bytes and kind. */
void gp_arena_note(const struct gp_allocation *);
/* False: nothing was allocated at this address. */
bool gp_arena_release(uint64_t address);
/* The allocation that holds the address; false: none does. */
bool gp_arena_find(uint64_t address, struct gp_allocation *found);
/* All of a device. */
void gp_arena_release_all(int device);
/* Of a device. */
void gp_arena_totals(int device, uint64_t *free_bytes, uint64_t *total_bytes);
/* The allocations next to an address that belongs to none: that which begins before it and that which begins
 * behind it; their bytes are 0 where there is none. */
struct gp_neighbours {
  struct gp_allocation before, behind;
};
struct gp_neighbours gp_arena_neighbours(uint64_t address);
/* Calls f for every allocation, in the order of addresses. */
void gp_arena_each(void (*f)(const struct gp_allocation *, void *), void *context);

#endif
