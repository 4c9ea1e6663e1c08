// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Reports threads waiting for each other: which thread waits where, on one screen. */
#include "base/log.h"
#include "common/errors.h"
#include "engine/emulator.h"

#include <stdio.h>
#include <string.h>

enum { MOST_GROUPS = 6, MOST_TEXT = 900 };

/* Lanes waiting for the same operation at the same place. */
struct group {
  enum gp_lane_status status;
  const char *where;
  uint32_t count, first, last;
  uint32_t missing; /* of a warp operation: lanes in its mask without an arrival */
};

static bool same_place(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* The lanes still missing at this lane's warp operation. */
static uint32_t missing_lanes(const struct gp_worker *worker, const struct gp_lane *lane) {
  const struct gp_warp *warp = &worker->warps[lane->state.warpid];
  for (uint32_t i = 0; i < warp->pending_count; i++)
    if (warp->pending[i].arrived >> lane->state.laneid & 1)
      return warp->pending[i].mask & ~warp->pending[i].arrived & warp->alive;
  return 0;
}

static uint32_t collect(const struct gp_worker *worker, struct group *groups) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < worker->launch->threads; i++) {
    const struct gp_lane *lane = &worker->lanes[i];
    if (lane->status != GP_LANE_BARRIER && lane->status != GP_LANE_WARP_OPERATION &&
        lane->status != GP_LANE_CLUSTER)
      continue;
    uint32_t at = 0;
    while (at < count &&
           !(groups[at].status == lane->status && same_place(groups[at].where, lane->state.where)))
      at++;
    if (at == MOST_GROUPS)
      continue;
    if (at == count) {
      groups[count++] = (struct group){.status = lane->status, .where = lane->state.where, .first = i};
      if (lane->status == GP_LANE_WARP_OPERATION)
        groups[at].missing = missing_lanes(worker, lane);
    }
    groups[at].count++;
    groups[at].last = i;
  }
  return count;
}

/* A thread of the block by its coordinates. */
static void write_thread(char *text, size_t size, const struct gp_worker *worker, uint32_t index) {
  const struct gpuprof_cpu_thread *t = &worker->lanes[index].state;
  snprintf(text, size, "(%u,%u,%u)", t->tid_x, t->tid_y, t->tid_z);
}

/* "(0,0,0)", "(0,0,0) to (39,0,0)", or with an ellipsis if others are between them. */
static void write_threads(char *text, size_t size, const struct gp_worker *worker, const struct group *g) {
  char first[48], last[48];
  write_thread(first, sizeof first, worker, g->first);
  write_thread(last, sizeof last, worker, g->last);
  const char *between = g->last - g->first + 1 == g->count ? "to" : "…";
  if (g->count == 1)
    snprintf(text, size, "1 thread, %s", first);
  else
    snprintf(text, size, "%u threads, %s %s %s", g->count, first, between, last);
}

static void write_group(char *text, size_t size, const struct gp_worker *worker, const struct group *g) {
  char threads[128], missing[64] = "";
  write_threads(threads, sizeof threads, worker, g);
  if (g->missing)
    snprintf(missing, sizeof missing, "; lanes 0x%08x of its mask have not come", g->missing);
  snprintf(text, size, "\n  %s: %s, %s%s", g->where ? g->where : "at an unknown place",
           g->status == GP_LANE_BARRIER   ? "barrier"
           : g->status == GP_LANE_CLUSTER ? "barrier of the cluster"
                                          : "warp operation",
           threads, missing);
}

_Noreturn void gp_deadlock_report(struct gp_worker *worker) {
  uint32_t count[GP_LANE_RETURNED + 1] = {0};
  uint32_t mask = 0;
  for (uint32_t i = 0; i < worker->launch->threads; i++)
    count[worker->lanes[i].status]++;
  for (uint32_t i = 0; i < GP_CPU_WARPS && !mask; i++)
    if (worker->warps[i].pending_count)
      mask = worker->warps[i].pending[0].mask;
  char operations[96] = "0 at a warp operation";
  if (count[GP_LANE_WARP_OPERATION])
    snprintf(operations, sizeof operations, "%u at a warp operation (first mask 0x%08x)",
             count[GP_LANE_WARP_OPERATION], mask);
  char cluster[64] = "";
  if (count[GP_LANE_CLUSTER])
    snprintf(cluster, sizeof cluster, ", %u at the barrier of the cluster", count[GP_LANE_CLUSTER]);
  struct group groups[MOST_GROUPS];
  char places[MOST_TEXT] = "";
  for (uint32_t i = 0, n = collect(worker, groups); i < n; i++) {
    size_t used = strlen(places);
    write_group(places + used, sizeof places - used, worker, &groups[i]);
  }
  worker->current = NULL; /* no single thread is the cause */
  gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
              "deadlock: no thread can run: %u wait at a barrier, %s%s, %u have returned; "
              "make every thread of the block (or of the mask%s) reach it%s",
              count[GP_LANE_BARRIER], operations, cluster, count[GP_LANE_RETURNED],
              *cluster ? ", or of the cluster" : "", places);
}

void gp_deadlock_divergence(const struct gp_lane *one, const struct gp_lane *other) {
  struct gp_worker *worker = one->worker;
  if (!one->state.where || !other->state.where || same_place(one->state.where, other->state.where) ||
      atomic_exchange(&worker->launch->divergence_said, true))
    return;
  char a[48], b[48];
  write_thread(a, sizeof a, worker, (uint32_t)(one - worker->lanes));
  write_thread(b, sizeof b, worker, (uint32_t)(other - worker->lanes));
  gp_log(GP_WARN, worker->launch->kernel->name,
         "block (%u,%u,%u): divergent barrier: thread %s waits for the block at %s, thread %s at %s; "
         "a GPU may hang or go on with wrong data: let all threads of the block come to the same "
         "__syncthreads()",
         worker->block[0], worker->block[1], worker->block[2], a, one->state.where, b, other->state.where);
}
