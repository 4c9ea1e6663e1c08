/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses apart from memory (cuMemAddressReserve and its kin). Addresses are reserved behind the arena:
 * sectors of accesses there are found like all others. Memory is an unnamed file mapped there.
 */
#ifndef GP_CPU_MAPPINGS_H
#define GP_CPU_MAPPINGS_H

#include "memory/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Permitted accesses of kernels and copies, with the values of CUmemAccess_flags. */
enum { GP_ACCESS_NONE = 0, GP_ACCESS_READ = 1, GP_ACCESS_READ_WRITE = 3 };

/* Memory mapped at a range of addresses. */
struct gp_mapping {
  struct gp_memory *memory;
  unsigned access;  /* of its device's kernels */
  bool is_external; /* made by cudaExternalMemoryGetMappedBuffer: cudaFree ends it */
};

/* ---- arena.c: addresses behind the arena, and memory mapped there ---- */
/* Start of the addresses behind the arena, and their number of bytes. */
uint64_t gp_arena_addresses(uint64_t *bytes);
/* Takes bytes of a device's memory; false: not so many are left. */
bool gp_arena_take(int device, uint64_t bytes);
void gp_arena_give_back(int device, uint64_t bytes);
/* Makes the mapping known as an allocation, until gp_arena_release(). False: no memory for the record. */
bool gp_arena_map(const struct gp_allocation *mapped);

/* ---- mappings.c ---- */
/* True if `bytes` from the address on may be read, or written. They begin in this allocation and may span
 * several mappings without a gap. */
bool gp_mapping_is_valid(const struct gp_allocation *first, uint64_t address, uint64_t bytes, bool write);
/* Forgets the mappings of a device's memory: cudaDeviceReset. */
void gp_mappings_reset(int device);
/* Maps a part of memory, with any offset, for reading and writing at fresh addresses. Returns the part's
 * address, or 0. gp_mapping_free() ends it. */
uint64_t gp_mapping_of_part(uint64_t handle, uint64_t offset, uint64_t bytes);
/* Ends a mapping made by gp_mapping_of_part(); false: `address` is none of these. */
bool gp_mapping_free(uint64_t address);
/* The memory of a file exported by gp_driver_export_memory(). Returns a CUDA error. */
int gp_memory_of_file(uint64_t *handle, int file);
uint64_t gp_memory_bytes(uint64_t handle);

/* The driver's functions; all return CUDA errors. */
int gp_driver_granularity(size_t *bytes, const void *properties, int which);
int gp_driver_reserve(uint64_t *address, size_t bytes, size_t alignment, uint64_t wanted, uint64_t flags);
int gp_driver_unreserve(uint64_t address, size_t bytes);
int gp_driver_create(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags);
int gp_driver_release(uint64_t handle);
int gp_driver_map(uint64_t address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags);
int gp_driver_unmap(uint64_t address, size_t bytes);
int gp_driver_set_access(uint64_t address, size_t bytes, const void *accesses, size_t count);
int gp_driver_get_access(unsigned long long *flags, const void *location, uint64_t address);
int gp_driver_memory_properties(void *properties, uint64_t handle);
int gp_driver_memory_at(uint64_t *handle, const void *address);
int gp_driver_export_memory(void *file, uint64_t handle, int type, uint64_t flags);
int gp_driver_import_memory(uint64_t *handle, const void *file, int type);

#endif
