// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* bar.sync and bar.red. Returned lanes do not hold up waiting ones. */
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"

enum reduction { POPULATION, AND, OR };

static struct gp_lane *lane_of(void *thread, const char *what) {
  struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  if (!lane)
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                "%s was reached in a kernel compiled as a loop over its threads; this is a defect of gpuprof",
                what);
  return lane;
}

/* A barrier of part of the block counts whole warps, as the hardware does. Returned and missing lanes count
 * with the arrived lanes of their warp. */
static uint32_t arrived_with_warps(const struct gp_worker *worker, const struct gp_barrier *barrier) {
  uint32_t arrived = 0;
  for (uint32_t i = 0; i < GP_CPU_WARPS; i++)
    if (barrier->per_warp[i])
      arrived += barrier->per_warp[i] + GP_CPU_WARP - (uint32_t)__builtin_popcount(worker->warps[i].alive);
  return arrived;
}

static bool is_complete(const struct gp_worker *worker, const struct gp_barrier *barrier) {
  if (!barrier->arrived)
    return false;
  return barrier->count ? arrived_with_warps(worker, barrier) >= barrier->count
                        : barrier->arrived >= worker->alive;
}

static void release(struct gp_barrier *barrier, const struct gp_lane *last) {
  struct gp_lane *lane = barrier->first;
  uint64_t result = (uint64_t)barrier->arrived << 32 | barrier->sum;
  *barrier = (struct gp_barrier){0};
  while (lane) {
    struct gp_lane *next = lane->next;
    lane->result = result;
    if (lane != last)
      gp_lane_wake(lane);
    lane = next;
  }
}

void gp_barrier_lane_returned(struct gp_worker *worker) {
  for (uint32_t i = 0; i < GP_CPU_BARRIERS; i++)
    if (is_complete(worker, &worker->barriers[i]))
      release(&worker->barriers[i], NULL);
}

static struct gp_barrier *arrive_at(struct gp_lane *lane, uint32_t id, uint32_t count, bool predicate) {
  struct gp_worker *worker = lane->worker;
  if (id >= GP_CPU_BARRIERS)
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE, "barrier %u does not exist; a block has barriers 0 to %d", id,
                GP_CPU_BARRIERS - 1);
  struct gp_barrier *barrier = &worker->barriers[id];
  barrier->arrived++;
  barrier->per_warp[lane->state.warpid]++;
  barrier->sum += predicate;
  barrier->count = count >= worker->launch->threads ? 0 : count;
  return barrier;
}

/* Result: the number of arrived lanes in the upper half, and of true predicates in the lower. */
static uint64_t wait_at(struct gp_lane *lane, uint32_t id, uint32_t count, bool predicate) {
  struct gp_worker *worker = lane->worker;
  struct gp_barrier *barrier = arrive_at(lane, id, count, predicate);
  lane->next = NULL;
  if (barrier->first && !id && !count)
    gp_deadlock_divergence(barrier->first, lane);
  if (barrier->last)
    barrier->last->next = lane;
  else
    barrier->first = lane;
  barrier->last = lane;
  if (is_complete(worker, barrier)) {
    release(barrier, lane);
    return lane->result;
  }
  lane->status = GP_LANE_BARRIER;
  gp_warp_lane_waits(lane);
  gp_lane_suspend(lane);
  return lane->result;
}

void __gpuprof_cpu_barrier(void *thread, uint32_t id, uint32_t count) {
  wait_at(lane_of(thread, "a barrier"), id, count, false);
}

void __gpuprof_cpu_barrier_arrive(void *thread, uint32_t id, uint32_t count) {
  struct gp_lane *lane = lane_of(thread, "a barrier");
  struct gp_barrier *barrier = arrive_at(lane, id, count, false);
  if (is_complete(lane->worker, barrier))
    release(barrier, NULL);
}

void __gpuprof_cpu_exit(void *thread) { gp_lane_exit(lane_of(thread, "exit")); }

static uint32_t reduction(uint32_t kind, uint32_t arrived, uint32_t sum) {
  return kind == POPULATION ? sum : kind == AND ? sum == arrived : sum != 0;
}

uint32_t __gpuprof_cpu_barrier_reduce(void *thread, uint32_t kind, uint32_t predicate) {
  uint64_t result = wait_at(lane_of(thread, "a barrier"), 0, 0, predicate != 0);
  return reduction(kind, (uint32_t)(result >> 32), (uint32_t)result);
}

uint32_t __gpuprof_cpu_block_reduction(uint32_t kind, void *values, uint32_t value, void *mask,
                                       uint32_t threads) {
  const uint32_t *predicates = values;
  const uint8_t *part = mask;
  uint32_t arrived = 0, sum = 0;
  for (uint32_t i = 0; i < threads; i++)
    if (!part || part[i]) {
      arrived++;
      sum += (predicates ? predicates[i] : value) != 0;
    }
  return reduction(kind, arrived, sum);
}
