// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Warp operations: the lanes of a mask meet, and the last one to arrive computes all results. */
#include "base/log.h"
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"

#include <stdio.h>
#include <string.h>

enum operation { SHUFFLE, VOTE, MATCH, REDUX, SYNC, UNIT };
enum { UP, DOWN, BUTTERFLY, INDEX };
enum { ALL, ANY, UNIFORM, BALLOT };
enum { MATCH_ANY, MATCH_ALL };
enum { ADD, UNSIGNED_MIN, UNSIGNED_MAX, MIN, MAX, AND, OR, XOR };

/* Operation and kind make one number: a shuffle never meets a vote. */
#define CODE(operation, kind) ((uint32_t)(operation) << 8 | (kind))

/* Removes the lowest lane from a mask; false for an empty mask. */
static bool take_lane(uint32_t *mask, uint32_t *lane) {
  if (!*mask)
    return false;
  *lane = (uint32_t)__builtin_ctz(*mask);
  *mask &= *mask - 1;
  return true;
}

/* The warp's lanes, by lane number. */
static struct gp_lane *first_lane(struct gp_lane *lane) { return lane - lane->state.laneid; }

/* ---- Results ------------------------------------------------------------------------------------------- */

/* PTX's shfl: c holds the clamp in bits 0-4 and the segment mask in bits 8-12. */
static uint64_t shuffle_result(const struct gp_lane *lanes, uint32_t kind, uint32_t arrived, uint32_t lane) {
  uint32_t b = lanes[lane].b & 31, clamp = lanes[lane].c & 31, segment = lanes[lane].c >> 8 & 31;
  int last = (int)((lane & segment) | (clamp & ~segment));
  int source = 0;
  switch (kind) {
  case UP:
    source = (int)lane - (int)b;
    break;
  case DOWN:
    source = (int)(lane + b);
    break;
  case BUTTERFLY:
    source = (int)(lane ^ b);
    break;
  default:
    source = (int)((lane & segment) | (b & ~segment));
  }
  bool inside = kind == UP ? source >= last : source <= last;
  if (!inside)
    source = (int)lane;
  uint32_t value = arrived >> source & 1 ? (uint32_t)lanes[source].value : 0;
  return (uint64_t)inside << 32 | value;
}

static uint32_t vote_of_ballot(uint32_t kind, uint32_t arrived, uint32_t ballot) {
  switch (kind) {
  case ALL:
    return ballot == arrived;
  case ANY:
    return ballot != 0;
  case UNIFORM:
    return ballot == arrived || ballot == 0;
  default:
    return ballot;
  }
}

static uint64_t vote_result(const struct gp_lane *lanes, uint32_t kind, uint32_t arrived) {
  uint32_t ballot = 0;
  for (uint32_t i, rest = arrived; take_lane(&rest, &i);)
    ballot |= (uint32_t)(lanes[i].value != 0) << i;
  return vote_of_ballot(kind, arrived, ballot);
}

static uint64_t match_result(const struct gp_lane *lanes, uint32_t kind, uint32_t arrived, uint32_t lane) {
  uint32_t same = 0;
  for (uint32_t i, rest = arrived; take_lane(&rest, &i);)
    same |= (uint32_t)(lanes[i].value == lanes[lane].value) << i;
  if (kind == MATCH_ANY)
    return same;
  return same == arrived ? 1ull << 32 | same : 0;
}

static uint32_t reduce(uint32_t kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case ADD:
    return a + b;
  case UNSIGNED_MIN:
    return a < b ? a : b;
  case UNSIGNED_MAX:
    return a > b ? a : b;
  case MIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case MAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case AND:
    return a & b;
  case OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static uint64_t redux_result(const struct gp_lane *lanes, uint32_t kind, uint32_t arrived) {
  uint32_t lane = (uint32_t)__builtin_ctz(arrived), value = (uint32_t)lanes[lane].value;
  for (uint32_t i, rest = arrived & (arrived - 1); take_lane(&rest, &i);)
    value = reduce(kind, value, (uint32_t)lanes[i].value);
  return value;
}

static void work_out(struct gp_lane *lanes, const struct gp_rendezvous *meeting) {
  const uint32_t operation = meeting->operation >> 8, kind = meeting->operation & 255, arrived = meeting->arrived;
  if (meeting->work) {
    meeting->work(lanes, kind);
    return;
  }
  uint64_t common = operation == VOTE    ? vote_result(lanes, kind, arrived)
                    : operation == REDUX ? redux_result(lanes, kind, arrived)
                                         : 0;
  for (uint32_t i, rest = arrived; take_lane(&rest, &i);)
    lanes[i].result = operation == SHUFFLE ? shuffle_result(lanes, kind, arrived, i)
                      : operation == MATCH ? match_result(lanes, kind, arrived, i)
                                           : common;
}

/* ---- Meeting ------------------------------------------------------------------------------------------- */

static void warn_returned(const struct gp_worker *worker) {
  static _Atomic bool warned;
  if (!atomic_exchange(&warned, true))
    gp_log(GP_WARN, worker->launch->kernel->name,
           "a warp operation names lanes that have already returned; they count as arrived and read as 0, "
           "which a GPU "
           "does not promise");
}

static void warn_left_out(const char *kernel, uint32_t lane, uint32_t mask) {
  static _Atomic bool warned;
  if (!atomic_exchange(&warned, true))
    gp_log(GP_WARN, kernel,
           "lane %u takes part in a warp operation whose mask 0x%08x leaves it out; it is alone there, what "
           "a GPU gives "
           "is undefined",
           lane, mask);
}

/* Matrix instructions divide their work among all lanes: without one of them there is no result. */
_Noreturn void gp_warp_stop_incomplete(uint32_t warp, uint32_t existing, uint32_t returned, uint32_t elsewhere) {
  char others[40] = "";
  if (elsewhere)
    snprintf(others, sizeof others, " and %d take another way", __builtin_popcount(elsewhere));
  gp_cpu_stop(
      GP_ERROR_LAUNCH_FAILURE,
      "a matrix instruction needs all 32 threads of its warp: warp %u has %d threads, of which %d have "
      "returned%s; launch a multiple of 32 threads and let all of a warp take the same way",
      warp, __builtin_popcount(existing), __builtin_popcount(returned), others);
}

/* Completes a meeting if no lane is missing. `last` goes on by itself, the others are woken. */
static bool complete(struct gp_lane *lanes, struct gp_warp *warp, uint32_t index,
                     const struct gp_lane *last) {
  struct gp_rendezvous meeting = warp->pending[index];
  if (meeting.mask & warp->alive & ~meeting.arrived)
    return false;
  if (meeting.work && meeting.arrived != ~0u)
    gp_warp_stop_incomplete(lanes->state.warpid, warp->existing, warp->existing & ~warp->alive, 0);
  if (meeting.mask & warp->existing & ~warp->alive & ~meeting.arrived)
    warn_returned(lanes->worker);
  warp->pending[index] = warp->pending[--warp->pending_count];
  work_out(lanes, &meeting);
  for (uint32_t i, rest = meeting.arrived; take_lane(&rest, &i);)
    if (&lanes[i] != last)
      gp_lane_wake(&lanes[i]);
  return true;
}

static uint32_t find_meeting(struct gp_warp *warp, uint32_t code, uint32_t mask, gp_warp_work *work) {
  for (uint32_t i = 0; i < warp->pending_count; i++)
    if (warp->pending[i].operation == code && warp->pending[i].mask == mask)
      return i;
  warp->pending[warp->pending_count] = (struct gp_rendezvous){.operation = code, .mask = mask, .work = work};
  return warp->pending_count++;
}

static uint64_t meet_for(gp_warp_work *work, void *thread, uint32_t code, uint32_t mask, uint64_t value, uint32_t b,
                         uint32_t c) {
  struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  if (!lane)
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                "a warp operation was reached in a kernel compiled as a loop over its "
                "threads; this is a defect of gpuprof");
  uint32_t own = 1u << lane->state.laneid;
  if (!(mask & own)) {
    warn_left_out(lane->worker->launch->kernel->name, lane->state.laneid, mask);
    mask = own;
  }
  struct gp_warp *warp = gp_lane_warp(lane);
  lane->value = value;
  lane->b = b;
  lane->c = c;
  uint32_t index = find_meeting(warp, code, mask, work);
  warp->pending[index].arrived |= own;
  if (complete(first_lane(lane), warp, index, lane))
    return lane->result;
  lane->status = GP_LANE_WARP_OPERATION;
  gp_warp_lane_waits(lane);
  gp_lane_suspend(lane);
  return lane->result;
}

static uint64_t meet(void *thread, uint32_t code, uint32_t mask, uint64_t value, uint32_t b, uint32_t c) {
  return meet_for(NULL, thread, code, mask, value, b, c);
}

/* ---- The active mask: all lanes able to arrive --------------------------------------------------------- */

static void complete_active(struct gp_lane *lanes, struct gp_warp *warp) {
  uint32_t active = warp->active;
  warp->active = 0;
  for (uint32_t i, rest = active; take_lane(&rest, &i);) {
    lanes[i].result = active;
    gp_lane_wake(&lanes[i]);
  }
}

void gp_warp_lane_waits(struct gp_lane *lane) {
  struct gp_warp *warp = gp_lane_warp(lane);
  warp->waiting |= 1u << lane->state.laneid;
  if (warp->active && !(warp->alive & ~warp->waiting))
    complete_active(first_lane(lane), warp);
}

void gp_warp_lane_yields(struct gp_lane *lane) {
  struct gp_warp *warp = gp_lane_warp(lane);
  if (warp->active) /* it waits for another lane, perhaps for one of these */
    complete_active(first_lane(lane), warp);
}

void gp_warp_lane_returned(struct gp_lane *lane) {
  struct gp_warp *warp = gp_lane_warp(lane);
  for (uint32_t i = 0; i < warp->pending_count;)
    if (!complete(first_lane(lane), warp, i, NULL))
      i++;
  if (warp->active && !(warp->alive & ~warp->waiting))
    complete_active(first_lane(lane), warp);
}

/* ---- Blocks run as work-item loops: all threads have arrived ------------------------------------------- */

static bool takes_part(const uint8_t *mask, uint32_t thread) { return !mask || mask[thread]; }

static uint32_t value_of(const uint32_t *values, uint32_t value, uint32_t thread) {
  return values ? values[thread] : value;
}

/* The participating lanes of the warp beginning at `first`. */
static uint32_t lanes_of(const uint8_t *mask, uint32_t first, uint32_t threads) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < GP_CPU_WARP && first + i < threads; i++)
    lanes |= (uint32_t)takes_part(mask, first + i) << i;
  return lanes;
}

/* The lanes named by a lane's mask; a lane outside of its own mask is alone. */
static uint32_t named_by(const uint32_t *masks, uint32_t mask, uint32_t first, uint32_t lane) {
  uint32_t named = value_of(masks, mask, first + lane);
  return named >> lane & 1 ? named : 1u << lane;
}

enum lanes_operation { VOTES, REDUCTIONS, MATCHES, ACTIVE }; /* in the order of the plugin */

/* The operands of the threads of a block: one word each, or two for matches. */
struct lane_values {
  const void *values;
  uint64_t same;
  bool is_long;
};

static uint64_t lane_value(const struct lane_values *of, uint32_t thread) {
  if (!of->values)
    return of->same;
  return of->is_long ? ((const uint64_t *)of->values)[thread] : ((const uint32_t *)of->values)[thread];
}

static uint64_t lane_result(uint32_t operation, uint32_t kind, const struct lane_values *of, uint32_t first,
                            uint32_t arrived, uint32_t lane) {
  uint32_t bits = 0, i = 0, rest = arrived;
  if (operation == REDUCTIONS) {
    take_lane(&rest, &i);
    uint32_t result = (uint32_t)lane_value(of, first + i);
    while (take_lane(&rest, &i))
      result = reduce(kind, result, (uint32_t)lane_value(of, first + i));
    return result;
  }
  uint64_t own = lane_value(of, first + lane);
  while (take_lane(&rest, &i)) {
    uint64_t value = lane_value(of, first + i);
    bits |= (uint32_t)(operation == VOTES ? value != 0 : value == own) << i;
  }
  if (operation == VOTES)
    return vote_of_ballot(kind, arrived, bits);
  return kind == MATCH_ANY ? bits : bits == arrived ? 1ull << 32 | bits : 0;
}

static void lanes_of_warp(uint32_t operation, uint32_t kind, const struct lane_values *of,
                          const uint32_t *masks, uint32_t mask, uint32_t first, uint32_t inside,
                          void *results) {
  uint64_t result = 0;
  uint32_t known = 0; /* lanes with a known result; matches differ from lane to lane */
  for (uint32_t i, rest = inside; take_lane(&rest, &i);) {
    uint32_t arrived = named_by(masks, mask, first, i) & inside;
    if (operation == ACTIVE)
      result = inside;
    else if (arrived != known || operation == MATCHES)
      result = lane_result(operation, kind, of, first, arrived, i);
    known = arrived;
    if (operation == MATCHES)
      ((uint64_t *)results)[first + i] = result;
    else
      ((uint32_t *)results)[first + i] = (uint32_t)result;
  }
}

void __gpuprof_cpu_lanes(uint32_t operation, uint32_t kind, void *values, uint64_t value, void *masks,
                         uint32_t mask, void *inside, uint32_t threads, void *results) {
  const struct lane_values of = {values, value, operation == MATCHES};
  for (uint32_t first = 0; first < threads; first += GP_CPU_WARP)
    lanes_of_warp(operation, kind, &of, masks, mask, first, lanes_of(inside, first, threads), results);
}

/* The lanes of a warp, by their state. */
struct lane_places {
  uint32_t inside, elsewhere, returned;
};

/* Checks for a lane inside that all lanes named by it will arrive. */
static void check_lane(const uint32_t *masks, uint32_t mask, uint32_t first, const struct lane_places *at,
                       uint32_t lane, const char *where) {
  uint32_t named = named_by(masks, mask, first, lane), others = 0;
  for (uint32_t i, rest = named & at->inside; take_lane(&rest, &i);)
    others |= (uint32_t)(named_by(masks, mask, first, i) != named) << i;
  if (others || named & at->elsewhere)
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                "%s%sa warp operation of lane %u of warp %u names lanes 0x%08x, of which 0x%08x take another "
                "way and 0x%08x name others: on a GPU it may hang; let all lanes of the mask come to it with "
                "the same mask",
                where ? where : "", where ? ": " : "", lane, first / GP_CPU_WARP, named,
                named & at->elsewhere, others);
  if (named & at->returned)
    warn_returned(gp_cpu_worker);
}

void __gpuprof_cpu_check_lanes(void *masks, uint32_t mask, void *inside, void *alive, uint32_t returned,
                               uint32_t threads, void *where) {
  for (uint32_t first = 0; first < threads; first += GP_CPU_WARP) {
    struct lane_places at = {.inside = lanes_of(inside, first, threads)};
    at.elsewhere = returned ? 0 : lanes_of(alive, first, threads) & ~at.inside;
    at.returned = lanes_of(NULL, first, threads) & ~at.inside & ~at.elsewhere;
    for (uint32_t i, rest = at.inside; take_lane(&rest, &i);) {
      uint32_t named = value_of(masks, mask, first + i);
      if (!(named >> i & 1))
        warn_left_out(gp_cpu_worker->launch->kernel->name, i, named);
      check_lane(masks, mask, first, &at, i, where);
    }
  }
}

void __gpuprof_cpu_range_mask(void *mask, uint32_t low, uint32_t count, uint32_t row, uint32_t threads) {
  for (uint32_t i = 0; i < threads; i++)
    ((uint8_t *)mask)[i] = i % row - low < count;
}

uint32_t __gpuprof_cpu_parted_warps(void *mask, void *alive, uint32_t threads, uint32_t returned,
                                    void *where) {
  for (uint32_t first = 0; first < threads; first += GP_CPU_WARP) {
    uint32_t inside = lanes_of(mask, first, threads), existing = lanes_of(NULL, first, threads);
    uint32_t elsewhere = returned ? 0 : lanes_of(alive, first, threads) & ~inside;
    if (!inside || inside == existing)
      continue;
    if (elsewhere)
      gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                  "%s%sa warp operation names all lanes of warp %u, but only lanes 0x%08x come to it, and "
                  "0x%08x take another way: on a GPU it may hang; let all lanes of the mask come to it, or "
                  "leave them out of the mask",
                  where ? (const char *)where : "", where ? ": " : "", first / GP_CPU_WARP, inside,
                  elsewhere);
    warn_returned(gp_cpu_worker);
    return 1;
  }
  return 0;
}

/* Values of warps with no lane inside stay: these threads may go on. */
void __gpuprof_cpu_clear_others(void *values, uint32_t bytes, void *mask, uint32_t threads) {
  for (uint32_t first = 0; first < threads; first += GP_CPU_WARP) {
    const uint32_t inside = lanes_of(mask, first, threads), others = lanes_of(NULL, first, threads) & ~inside;
    for (uint32_t lane = 0; inside && lane < GP_CPU_WARP; lane++)
      if (others >> lane & 1)
        memset((char *)values + (size_t)(first + lane) * bytes, 0, bytes);
  }
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

uint64_t __gpuprof_cpu_shuffle(void *thread, uint32_t kind, uint32_t mask, uint32_t value, uint32_t b,
                               uint32_t c) {
  return meet(thread, CODE(SHUFFLE, kind), mask, value, b, c);
}

uint32_t __gpuprof_cpu_vote(void *thread, uint32_t kind, uint32_t mask, uint32_t predicate) {
  return (uint32_t)meet(thread, CODE(VOTE, kind), mask, predicate != 0, 0, 0);
}

uint64_t __gpuprof_cpu_match(void *thread, uint32_t kind, uint32_t mask, uint64_t value) {
  return meet(thread, CODE(MATCH, kind), mask, value, 0, 0);
}

uint32_t __gpuprof_cpu_redux(void *thread, uint32_t kind, uint32_t mask, uint32_t value) {
  return (uint32_t)meet(thread, CODE(REDUX, kind), mask, value, 0, 0);
}

void __gpuprof_cpu_syncwarp(void *thread, uint32_t mask) { meet(thread, CODE(SYNC, 0), mask, 0, 0, 0); }

uint64_t gp_warp_meet_whole(void *thread, uint32_t kind, uint64_t value, gp_warp_work *work) {
  return meet_for(work, thread, CODE(UNIT, kind), ~0u, value, 0, 0);
}

uint32_t __gpuprof_cpu_activemask(void *thread) {
  struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  if (!lane)
    return 1u << ((struct gpuprof_cpu_thread *)thread)->laneid; /* a loop over threads runs one at a time */
  gp_lane_warp(lane)->active |= 1u << lane->state.laneid;
  lane->status = GP_LANE_WARP_OPERATION;
  gp_warp_lane_waits(lane); /* may wake this lane already; its turn comes */
  gp_lane_suspend(lane);
  return (uint32_t)lane->result;
}

uint32_t __gpuprof_cpu_in_step(void *thread) {
  const struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  return lane && lane->worker->launch->strict ? 0 : __gpuprof_cpu_activemask(thread);
}
