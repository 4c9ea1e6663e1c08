// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clusters of blocks: their barrier, and shared memory of one another. */
#include "engine/cluster.h"
#include "engine/entries.h"

#include <string.h>
#include <sys/mman.h>

/* ---- Who is in it -------------------------------------------------------------------------------------- */

/* Arrivals expected by the barrier: lanes, or blocks if they run as work-item loops. */
static uint32_t arrivals_of(const struct gp_worker *worker) {
  return worker->launch->as_loop ? 1 : worker->launch->threads;
}

void gp_cluster_alone(struct gp_worker *worker) {
  worker->cluster = &worker->own_cluster;
  worker->own_cluster = (struct gp_cluster){.blocks = {worker}, .count = 1, .alive = arrivals_of(worker)};
  worker->blocked = false;
  worker->cluster_waiting = worker->cluster_arrived = 0;
}

void gp_cluster_join(struct gp_worker *const *blocks, uint32_t count) {
  struct gp_cluster *cluster = &blocks[0]->own_cluster;
  *cluster = (struct gp_cluster){.count = count, .alive = count * arrivals_of(blocks[0])};
  for (uint32_t i = 0; i < count; i++) {
    cluster->blocks[i] = blocks[i];
    blocks[i]->cluster = cluster;
  }
}

/* ---- The barrier --------------------------------------------------------------------------------------- */

static void wake(struct gp_cluster *cluster) {
  struct gp_lane *lane = cluster->first;
  cluster->first = cluster->last = NULL;
  while (lane) {
    struct gp_lane *next = lane->next;
    struct gp_worker *worker = lane->worker;
    worker->cluster_waiting--;
    if (worker->blocked) {
      worker->blocked = false;
      cluster->blocked--;
    }
    if (!worker->launch->as_loop)
      gp_lane_wake(lane);
    lane = next;
  }
}

static void complete_if_all(struct gp_cluster *cluster) {
  if (!cluster->arrived || cluster->arrived < cluster->alive)
    return;
  cluster->arrived = 0;
  cluster->phase++;
  gp_residents_progress(cluster->blocks[0]->home);
  wake(cluster);
}

/* Lanes count phases from 1: 0 is none. */
static bool has_arrived(const struct gp_cluster *cluster, const struct gp_lane *lane) {
  return lane->cluster_phase == cluster->phase + 1;
}

static void arrive(struct gp_lane *lane) {
  struct gp_cluster *cluster = lane->worker->cluster;
  if (has_arrived(cluster, lane))
    return;
  lane->cluster_phase = cluster->phase + 1;
  cluster->arrived++;
  complete_if_all(cluster);
}

void gp_cluster_lane_returned(struct gp_lane *lane) {
  struct gp_cluster *cluster = lane->worker->cluster;
  cluster->alive--;
  if (has_arrived(cluster, lane))
    cluster->arrived--; /* a returned lane counts once */
  complete_if_all(cluster);
}

bool gp_cluster_block_waits(struct gp_worker *worker) {
  if (!worker->cluster_waiting || gp_cluster_is_stuck(worker->cluster))
    return false;
  worker->blocked = true;
  worker->cluster->blocked++;
  return true;
}

bool gp_cluster_is_stuck(const struct gp_cluster *cluster) {
  return cluster->blocked && cluster->blocked + cluster->ended == cluster->count;
}

static bool waits_elsewhere(const struct gp_worker *worker) {
  return worker->cluster_waiting < worker->alive;
}

bool gp_cluster_tells(const struct gp_worker *worker) {
  const struct gp_cluster *cluster = worker->cluster;
  if (!gp_cluster_is_stuck(cluster))
    return false;
  for (uint32_t i = 0; i < cluster->count && !waits_elsewhere(worker); i++)
    if (cluster->blocks[i]->blocked && waits_elsewhere(cluster->blocks[i]))
      return false;
  return true;
}

static void wait_in_line(struct gp_lane *lane) {
  struct gp_cluster *cluster = lane->worker->cluster;
  lane->next = NULL;
  if (cluster->last)
    cluster->last->next = lane;
  else
    cluster->first = lane;
  cluster->last = lane;
  lane->worker->cluster_waiting++;
}

/* A block run as a work-item loop is one lane. It arrives once all its threads have, or, if some have
 * returned, once the others wait. */
void __gpuprof_cpu_cluster_arrive(void *thread) {
  struct gp_worker *worker = gp_cpu_worker;
  (void)thread;
  if (!worker->launch->as_loop || ++worker->cluster_arrived == worker->launch->threads)
    arrive(worker->current);
}

void __gpuprof_cpu_cluster_wait(void *thread) {
  struct gp_worker *worker = gp_cpu_worker;
  struct gp_lane *lane = worker->current;
  (void)thread;
  if (worker->cluster_arrived && worker->cluster_arrived < worker->launch->threads)
    arrive(lane);
  worker->cluster_arrived = 0;
  if (!has_arrived(worker->cluster, lane))
    return; /* the barrier is complete */
  wait_in_line(lane);
  if (worker->launch->as_loop) {
    gp_worker_wait_for_cluster(worker);
    return;
  }
  lane->status = GP_LANE_CLUSTER;
  gp_warp_lane_waits(lane);
  gp_lane_suspend(lane);
}

/* ---- Shared memory ------------------------------------------------------------------------------------- */

const struct gp_worker *gp_cluster_owner(const struct gp_worker *worker, uint64_t address) {
  if (gp_worker_owns_shared(worker, address))
    return worker;
  for (uint32_t i = 0; i < worker->cluster->count; i++)
    if (gp_worker_owns_shared(worker->cluster->blocks[i], address))
      return worker->cluster->blocks[i];
  return NULL;
}

/* mapa with a missing rank returns an unmapped address: only an access is an error. */
static _Atomic(char *) nowhere;

static char *find_nowhere(void) {
  char *known = atomic_load(&nowhere);
  if (known)
    return known;
  char *fresh = mmap(NULL, GP_CPU_SHARED_MAXIMUM, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (fresh == MAP_FAILED)
    return NULL;
  if (atomic_compare_exchange_strong(&nowhere, &known, fresh))
    return fresh;
  munmap(fresh, GP_CPU_SHARED_MAXIMUM);
  return known;
}

bool gp_cluster_is_nowhere(uint64_t address) {
  const char *known = atomic_load(&nowhere);
  return known && address - (uint64_t)known < GP_CPU_SHARED_MAXIMUM;
}

char *gp_cluster_address(const void *own, uint32_t rank) {
  const struct gp_cluster *cluster = gp_cpu_worker->cluster;
  const struct gp_worker *owner = gp_cluster_owner(gp_cpu_worker, (uint64_t)own);
  if (!owner || rank >= cluster->count)
    return NULL;
  return cluster->blocks[rank]->shared + ((const char *)own - owner->shared);
}

uint64_t __gpuprof_cpu_cluster_map(void *thread, uint64_t address, uint32_t rank) {
  const struct gp_worker *owner = gp_cluster_owner(gp_cpu_worker, address);
  (void)thread;
  if (owner && rank >= gp_cpu_worker->cluster->count)
    return (uint64_t)find_nowhere() + (address - (uint64_t)owner->shared);
  return (uint64_t)gp_cluster_address((const void *)address, rank);
}

uint32_t __gpuprof_cpu_cluster_rank(void *thread, uint64_t address) {
  const struct gp_cluster *cluster = gp_cpu_worker->cluster;
  const struct gp_worker *owner = gp_cluster_owner(gp_cpu_worker, address);
  (void)thread;
  for (uint32_t i = 0; i < cluster->count; i++)
    if (cluster->blocks[i] == owner)
      return i;
  return UINT32_MAX;
}

uint32_t __gpuprof_cpu_is_shared_of_cluster(void *thread, void *address) {
  (void)thread;
  return gp_cluster_owner(gp_cpu_worker, (uint64_t)address) != NULL;
}

void __gpuprof_cpu_multicast(void *thread, void *to, void *from, uint32_t bytes, void *barrier,
                             uint32_t mask) {
  (void)thread;
  __gpuprof_cpu_record_access(from, bytes);
  for (uint32_t rank = 0; rank < GP_CPU_CLUSTER_BLOCKS; rank++) {
    char *there = mask >> rank & 1 ? gp_cluster_address(to, rank) : NULL;
    void *told = there ? gp_cluster_address(barrier, rank) : NULL;
    if (!told)
      continue;
    memcpy(there, from, bytes);
    __gpuprof_cpu_mbarrier_transact(told, -bytes);
  }
}
