// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sectors per request: the number of 32-byte sectors touched by the lanes of a warp in one execution of an
 * instruction. Compiled code names the execution of each lane's access
 * (cpu-device/compiler/memtrace/Coalescing.cpp): the lanes of a warp need not be there at the same time.
 * Pairs of a block are forgotten at its end.
 */
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };
static const size_t most_pairs = 1u << 24; /* of one block: 256 MiB */
static const uint64_t no_sector = UINT64_MAX;

static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 31) * 0x9E3779B97F4A7C15u;
  value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9u;
  return value ^ value >> 32;
}

static size_t slot_of(const struct gp_request_set *set, uint64_t key, uint64_t sector) {
  size_t slot = (size_t)mix(key ^ mix(sector)) & (set->capacity - 1);
  while (set->slots[slot].key && (set->slots[slot].key != key || set->slots[slot].sector != sector))
    slot = (slot + 1) & (set->capacity - 1);
  return slot;
}

static bool grow(struct gp_request_set *set) {
  struct gp_request_set larger = *set;
  larger.capacity = set->capacity ? 2 * set->capacity : 4096;
  larger.slots = larger.capacity > most_pairs ? NULL : calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < set->capacity; i++)
    if (set->slots[i].key)
      larger.slots[slot_of(&larger, set->slots[i].key, set->slots[i].sector)] = set->slots[i];
  free(set->slots);
  *set = larger;
  return true;
}

/* True if the pair is new. */
static bool insert(struct gp_request_set *set, uint64_t key, uint64_t sector) {
  if (2 * set->used >= set->capacity && !grow(set)) {
    set->unknown = true;
    return false;
  }
  size_t slot = slot_of(set, key, sector);
  if (set->slots[slot].key)
    return false;
  set->slots[slot] = (struct gp_request_pair){key, sector};
  set->used++;
  return true;
}

void __gpuprof_cpu_request(void *thread, uint64_t key, void *pointer, uint64_t bytes) {
  struct gp_worker *worker = gp_cpu_worker;
  struct gp_request_set *set = worker ? &worker->requests : NULL;
  uint64_t address = (uint64_t)pointer;
  if (!set || set->unknown || gp_cluster_owner(worker, address) || gp_worker_owns_stack(worker, address))
    return;
  if (!bytes) {
    set->unknown = true;
    return;
  }
  key = mix(key + ((const struct gpuprof_cpu_thread *)thread)->warpid) | 1;
  set->requests += insert(set, key, no_sector);
  for (uint64_t sector = address / SECTOR_BYTES; sector <= (address + bytes - 1) / SECTOR_BYTES; sector++)
    set->sectors += insert(set, key, sector);
}

static _Thread_local uint64_t call_key;

void __gpuprof_cpu_calls(uint64_t key) { call_key = key; }

uint64_t __gpuprof_cpu_called(void) { return call_key; }

void gp_requests_end_block(struct gp_worker *worker) {
  struct gp_request_set *set = &worker->requests;
  struct gp_cpu_launch *launch = worker->launch;
  if (set->unknown)
    atomic_store(&launch->requests_unknown, true);
  if (set->requests) {
    atomic_fetch_add(&launch->requests, set->requests);
    atomic_fetch_add(&launch->request_sectors, set->sectors);
    memset(set->slots, 0, set->capacity * sizeof *set->slots);
  }
  set->used = 0;
  set->requests = set->sectors = 0;
  set->unknown = false;
}
