// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A block waiting for another block leaves its thread of the machine to others until its next turn. Blocks
 * waiting for each other thus make progress, as many as a GPU would hold at once.
 */
#include "common/errors.h"
#include "engine/cluster.h"
#include "engine/emulator.h"

#include <sched.h>
#include <string.h>

enum { PLACES_KEPT = 64 }; /* places kept by a thread of the machine for later launches */

/* A thread's workers with waiting blocks, in the order of their turns. */
struct queue {
  struct gp_worker *first, *last;
};

static void append(struct queue *queue, struct gp_worker *worker) {
  worker->next = NULL;
  if (queue->first)
    queue->last->next = worker;
  else
    queue->first = worker;
  queue->last = worker;
}

static struct gp_worker *take(struct queue *queue) {
  struct gp_worker *worker = queue->first;
  if (worker)
    queue->first = worker->next;
  return worker;
}

/* Work under way on one thread of the machine. */
struct residents {
  struct gp_worker *home;
  struct gp_cpu_launch *launch;
  struct queue waiting;
  struct gp_worker *free; /* prepared for the launch, without a block */
  uint64_t begun;         /* blocks not yet ended */
  uint64_t block, end;    /* of the taken chunk of blocks */
  uint32_t emptied;       /* ranges without a block left: its own, and those behind it */
  uint64_t in_vain;       /* turns since a block began or ended */
  bool none_left;         /* no block is left to begin */
};

/* A chunk of this thread's range, or of the next one with blocks left. */
static bool take_from_ranges(struct residents *r) {
  const struct gp_cpu_launch *launch = r->launch;
  for (; r->emptied < launch->range_count; r->emptied++) {
    struct gp_block_range *from = &launch->ranges[(r->home->index + r->emptied) % launch->range_count];
    if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end)
      continue;
    r->block = atomic_fetch_add(&from->next, launch->chunk);
    r->end = r->block + launch->chunk < from->end ? r->block + launch->chunk : from->end;
    if (r->block < r->end)
      return true;
  }
  return false;
}

static bool take_in_order(struct residents *r) {
  r->block = atomic_fetch_add(&r->launch->next_block, r->launch->chunk);
  r->end = r->block + r->launch->chunk;
  return r->block < r->launch->blocks;
}

static bool next_block(struct residents *r, uint64_t *block) {
  struct gp_cpu_launch *launch = r->launch;
  if (r->block == r->end && !r->none_left)
    r->none_left = !(launch->ranges ? take_from_ranges(r) : take_in_order(r));
  if (r->block >= launch->blocks)
    r->none_left = true;
  if (r->none_left)
    return false;
  *block = launch->strict ? launch->blocks - 1 - r->block : r->block;
  r->block++;
  return true;
}

uint32_t gp_residents_following(const struct gp_worker *home, uint32_t most) {
  const struct residents *r = home->residents;
  const uint64_t end = r->end < r->launch->blocks ? r->end : r->launch->blocks;
  const uint64_t left = r->block < end ? end - r->block : 0;
  return (uint32_t)(left < most ? left : most);
}

void gp_residents_skip(struct gp_worker *home, uint32_t count) { home->residents->block += count; }

bool gp_residents_next(struct gp_worker *home, uint64_t *block) { return next_block(home->residents, block); }

/* A worker without a block; null if no more are allowed, or no memory is left for one. */
static struct gp_worker *free_worker(struct residents *r) {
  struct gp_worker *worker = r->free;
  if (worker) {
    r->free = worker->next;
    return worker;
  }
  if (r->begun >= r->launch->resident)
    return NULL;
  worker = r->home->idle;
  if (worker)
    r->home->idle = worker->next;
  else
    worker = gp_worker_create(r->home->index, r->home);
  if (!worker)
    return NULL;
  if (!gp_worker_make_room(worker, r->launch)) {
    worker->next = r->home->idle;
    r->home->idle = worker;
    return NULL;
  }
  gp_worker_prepare(worker, r->launch);
  return worker;
}

static void give_back(struct residents *r, struct gp_worker *worker) {
  worker->next = r->free;
  r->free = worker;
}

/* The places of a cluster are free when all its blocks have ended: others may use their shared memory. */
static void book(struct residents *r, struct gp_worker *worker, bool ended) {
  struct gp_cluster *cluster = worker->cluster;
  if (!ended) {
    append(&r->waiting, worker);
    return;
  }
  r->in_vain = 0;
  if (++cluster->ended < cluster->count)
    return;
  const uint32_t count = cluster->count;
  struct gp_worker *blocks[GP_CPU_CLUSTER_BLOCKS];
  memcpy(blocks, cluster->blocks, count * sizeof *blocks);
  r->begun -= count;
  for (uint32_t i = 0; i < count; i++)
    give_back(r, blocks[i]);
}

static bool begin_one(struct residents *r) {
  uint64_t block;
  struct gp_worker *worker = r->none_left ? NULL : free_worker(r);
  if (!worker)
    return false;
  if (!next_block(r, &block)) {
    give_back(r, worker);
    return false;
  }
  r->begun++;
  r->in_vain = 0;
  book(r, worker, gp_worker_run_block(worker, block));
  return true;
}

/* Begins all blocks of a cluster; none runs before the last has begun. */
static bool begin_cluster(struct residents *r) {
  const uint32_t count = r->launch->cluster_blocks;
  struct gp_worker *workers[GP_CPU_CLUSTER_BLOCKS], *by_rank[GP_CPU_CLUSTER_BLOCKS];
  uint32_t found = 0;
  if (r->none_left || r->begun + count > r->launch->resident)
    return false;
  while (found < count && (workers[found] = free_worker(r)))
    found++;
  uint64_t block;
  if (found < count || !next_block(r, &block)) {
    int none = 0;
    if (found < count && !r->begun) /* nothing will become free */
      atomic_compare_exchange_strong(&r->launch->error, &none, GP_ERROR_MEMORY_ALLOCATION);
    while (found)
      give_back(r, workers[--found]);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    gp_worker_begin(workers[i], block);
    by_rank[block % count] = workers[i];
    append(&r->waiting, workers[i]);
    if (i + 1 < count)
      next_block(r, &block);
  }
  gp_cluster_join(by_rank, count);
  r->begun += count;
  r->in_vain = 0;
  return true;
}

static bool resume_one(struct residents *r) {
  struct gp_worker *worker = take(&r->waiting);
  if (!worker)
    return false;
  if (++r->in_vain > r->begun) {
    r->in_vain = 0;
    sched_yield(); /* all wait: another thread may need this core */
  }
  /* If the whole cluster waits forever, the block is run to report it. */
  if (worker->blocked && !gp_cluster_tells(worker))
    append(&r->waiting, worker);
  else
    book(r, worker, gp_worker_resume(worker));
  return true;
}

/* Begins one more block or cluster, if there is a place, or else resumes a waiting one. Clusters waiting only
 * for themselves are finished first. */
static bool go_on(struct residents *r) {
  if (r->launch->cluster_blocks == 1)
    return begin_one(r) || resume_one(r);
  const bool first_begun = r->waiting.first && r->in_vain < r->begun;
  return (first_begun && resume_one(r)) || begin_cluster(r) || resume_one(r);
}

void gp_residents_progress(struct gp_worker *home) { home->residents->in_vain = 0; }

/* Most launches need one place a thread; cooperative kernels are often launched again. */
static void keep_places(struct residents *r) {
  struct gp_worker *worker;
  uint32_t kept = 0;
  while ((worker = r->free)) {
    r->free = worker->next;
    if (worker == r->home)
      continue;
    worker->next = r->home->idle;
    r->home->idle = worker;
  }
  for (struct gp_worker **link = &r->home->idle; (worker = *link);) {
    if (kept++ < PLACES_KEPT) {
      link = &worker->next;
      continue;
    }
    *link = worker->next;
    gp_worker_destroy(worker);
  }
}

void gp_residents_run(struct gp_worker *home, struct gp_cpu_launch *launch) {
  struct residents r = {.home = home, .launch = launch};
  struct gp_worker *worker;
  home->residents = &r;
  gp_sectors_enter(home);
  gp_worker_prepare(home, launch);
  give_back(&r, home);
  while (!atomic_load_explicit(&launch->error, memory_order_relaxed) && go_on(&r))
    ;
  while ((worker = take(&r.waiting))) {
    gp_worker_abandon(worker);
    book(&r, worker, true);
  }
  keep_places(&r);
  gp_sectors_end(home);
  home->residents = NULL;
}

bool gp_residents_prepare(struct gp_worker *home, const struct gp_cpu_launch *launch, uint64_t blocks) {
  uint64_t places = 1;
  for (struct gp_worker *worker = home->idle; worker && places < blocks; worker = worker->next, places++)
    if (!gp_worker_make_room(worker, launch))
      return false;
  for (; places < blocks; places++) {
    struct gp_worker *worker = gp_worker_create(home->index, home);
    if (!worker)
      return false;
    worker->next = home->idle;
    home->idle = worker;
    if (!gp_worker_make_room(worker, launch))
      return false;
  }
  return true;
}
