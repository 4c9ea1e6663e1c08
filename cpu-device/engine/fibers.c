// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lanes as fibers: how a block starts, gives its worker from lane to lane, and ends. */
#include "base/log.h"
#include "common/errors.h"
#include "common/room.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "memory/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

_Thread_local struct gp_worker *gp_cpu_worker;

/* Defined if the program is linked with AddressSanitizer. */
void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));
/* LeakSanitizer does not look into mapped memory by itself. */
void __lsan_register_root_region(const void *address, size_t bytes) __attribute__((weak));
void __lsan_unregister_root_region(const void *address, size_t bytes) __attribute__((weak));

void gp_cpu_switch(void **save, void *load);
void gp_cpu_fiber_entry(void);

enum {
  GUARD_BYTES = 4096,
  MOST_GUARDS = 16384,
  STACK_STRIDE = GP_CPU_STACK_BYTES + GUARD_BYTES,
  YIELDS_PER_LOOK = 1 << 14,
  PATIENCE_SECONDS = 5,
  SHARED_BYTES = GP_CPU_SHARED_RESERVED + GP_CPU_SHARED_MAXIMUM + 4096 /* static memory is rounded up */
};

/* The registers popped by gp_cpu_switch(). */
struct frame {
  uint64_t r15, r14;
  void (*function)(void *); /* r13 */
  void *argument;           /* r12 */
  uint64_t rbx, rbp;
  void (*return_address)(void);
}; /* seven words below a top aligned to 16: aligned to 16 again at the entry's call */

static char *stack_base(const struct gp_worker *worker, uint32_t stack) {
  return worker->stacks + (size_t)stack * STACK_STRIDE;
}

bool gp_worker_owns_stack(const struct gp_worker *worker, uint64_t address) {
  return address - (uint64_t)worker->stacks < (uint64_t)worker->stack_count * STACK_STRIDE ||
         address - (uint64_t)worker->block_stack < worker->block_stack_bytes;
}

bool gp_worker_owns_shared(const struct gp_worker *worker, uint64_t address) {
  uint64_t base = (uint64_t)worker->shared - GP_CPU_SHARED_RESERVED;
  return address - base < GP_CPU_SHARED_RESERVED + GP_CPU_SHARED_MAXIMUM;
}

/* The frames on the stack have ended without the sanitizers' knowledge. */
static void forget_stack(struct gp_worker *worker, uint32_t stack) {
  worker->stacks_said[stack].left_behind = true;
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(stack_base(worker, stack), STACK_STRIDE);
}

/* The same for the stack of blocks run as work-item loops. */
static void forget_block_stack(struct gp_worker *worker) {
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(worker->block_stack + GUARD_BYTES, worker->block_stack_bytes - GUARD_BYTES);
}

/* Reserves memory, committed at first use; null if the machine has none. */
static void *reserve(size_t bytes, int flags) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* The announced stack of a lane; of the worker's thread for null. */
GP_UNSANITIZED static struct gp_announced *announced(struct gp_worker *worker, const struct gp_lane *lane) {
  if (!lane)
    return &worker->main_said;
  return worker->launch->as_loop ? &worker->block_said : &worker->stacks_said[lane->stack];
}

/* Switches from one lane's stack to another's; returns at the next switch back. */
GP_UNSANITIZED static void switch_stacks(struct gp_worker *worker, struct gp_lane *from, struct gp_lane *to) {
  void **save = from ? &from->stack_pointer : &worker->main_stack_pointer;
  void *load = to ? to->stack_pointer : worker->main_stack_pointer;
  if (!gp_announces()) {
    gp_cpu_switch(save, load);
    return;
  }
  struct gp_announced *here = announced(worker, from);
  gp_announce_leave(here, announced(worker, to));
  gp_cpu_switch(save, load);
  gp_announce_arrive(here);
}

/* The same at the end of the lane on `from`. */
GP_UNSANITIZED static _Noreturn void leave_stack(struct gp_worker *worker, struct gp_lane *from, struct gp_lane *to) {
  void *never_used;
  if (gp_announces())
    gp_announce_leave(announced(worker, from), announced(worker, to));
  gp_cpu_switch(&never_used, to ? to->stack_pointer : worker->main_stack_pointer);
  __builtin_unreachable();
}

static void release(void *memory, size_t bytes) {
  if (memory)
    munmap(memory, bytes);
}

/* Each guard is a mapping. A process has about 65,000 mappings, and the program needs some too. */
static _Atomic uint32_t guards;

static void give_back_guards(struct gp_worker *worker) {
  atomic_fetch_sub(&guards, worker->guards);
  worker->guards = 0;
}

static bool reserve_stacks(struct gp_worker *worker, uint32_t count) {
  char *stacks = reserve((size_t)count * STACK_STRIDE, 0);
  if (!stacks)
    return false;
  release(worker->stacks, (size_t)worker->stack_count * STACK_STRIDE);
  give_back_guards(worker);
  worker->stacks = stacks;
  worker->stack_count = count;
  worker->stacks_made = worker->free_count = 0;
  return true;
}

static bool reserve_block_stack(struct gp_worker *worker, size_t bytes) {
  char *stack = reserve(bytes, 0);
  if (!stack)
    return false;
  release(worker->block_stack, worker->block_stack_bytes);
  mprotect(stack, GUARD_BYTES, PROT_NONE);
  worker->block_stack = stack;
  worker->block_stack_bytes = bytes;
  return true;
}

/* Size of the stack of a block run as work-item loops: the values kept for its threads
 * (cpu-device/compiler/workitem/WorkItemLoops.cpp), and room for called functions. */
static size_t block_stack_for(uint32_t threads) {
  enum { KEPT_BY_THREAD = 16 * 1024, CALLED = 1024 * 1024 };
  return (size_t)threads * KEPT_BY_THREAD + CALLED;
}

bool gp_worker_make_room(struct gp_worker *worker, const struct gp_cpu_launch *launch) {
  if (!launch->as_loop)
    return worker->stack_count >= launch->threads || reserve_stacks(worker, launch->threads);
  const size_t bytes = block_stack_for(launch->threads);
  return worker->block_stack_bytes >= bytes || reserve_block_stack(worker, bytes);
}

struct gp_worker *gp_worker_create(uint32_t index, struct gp_worker *home) {
  struct gp_worker *worker = reserve(sizeof *worker, 0);
  char *shared = reserve(SHARED_BYTES, MAP_32BIT);
  if (!worker || !shared) {
    release(worker, sizeof *worker);
    release(shared, SHARED_BYTES);
    return NULL;
  }
  if (__lsan_register_root_region)
    __lsan_register_root_region(worker, sizeof *worker); /* it points to tables */
  worker->index = index;
  worker->home = home ? home : worker;
  worker->shared = shared + GP_CPU_SHARED_RESERVED;
  for (uint32_t i = 0; i < GP_CPU_THREADS; i++)
    worker->lanes[i].worker = worker;
  if (gp_cpu_room() == UINT64_MAX) { /* with a limit each launch reserves as much as it needs */
    (void)reserve_stacks(worker, GP_CPU_THREADS);
    (void)reserve_block_stack(worker, GP_CPU_BLOCK_STACK_BYTES);
  }
  return worker;
}

static uint32_t take_stack(struct gp_worker *worker) {
  if (worker->free_count)
    return worker->free_stacks[--worker->free_count];
  uint32_t stack = worker->stacks_made++;
  if (atomic_load(&guards) < MOST_GUARDS) {
    atomic_fetch_add(&guards, 1);
    worker->guards++;
    mprotect(stack_base(worker, stack), GUARD_BYTES, PROT_NONE);
  }
  return stack;
}

void gp_worker_destroy(struct gp_worker *worker) {
  gp_announce_end(&worker->block_said);
  for (uint32_t i = 0; i < worker->stacks_made; i++)
    gp_announce_end(&worker->stacks_said[i]);
  give_back_guards(worker);
  release(worker->stacks, (size_t)worker->stack_count * STACK_STRIDE);
  release(worker->block_stack, worker->block_stack_bytes);
  release(worker->shared - GP_CPU_SHARED_RESERVED, SHARED_BYTES);
  free(worker->touched.slots);
  free(worker->requests.slots);
  if (__lsan_unregister_root_region)
    __lsan_unregister_root_region(worker, sizeof *worker);
  release(worker, sizeof *worker);
}

static void give_stack(struct gp_lane *lane) {
  lane->worker->free_stacks[lane->worker->free_count++] = lane->stack;
}

static void begin_at(struct gp_lane *lane, char *top, void (*function)(void *)) {
  struct frame *frame = (struct frame *)(top - sizeof *frame);
  *frame = (struct frame){.function = function, .argument = lane, .return_address = gp_cpu_fiber_entry};
  lane->stack_pointer = frame;
}

/* Only a completed block leaves nothing behind on its stack. */
static void announce_block_stack(struct gp_worker *worker) {
  if (worker->block_said.left_behind)
    forget_block_stack(worker);
  gp_announce_new(&worker->block_said, worker->block_stack + GUARD_BYTES, worker->block_stack_bytes - GUARD_BYTES);
  worker->block_said.left_behind = true;
}

static void prepare_block_stack(struct gp_lane *lane, void (*function)(void *)) {
  struct gp_worker *worker = lane->worker;
  begin_at(lane, worker->block_stack + worker->block_stack_bytes, function);
  if (gp_announces())
    announce_block_stack(worker);
}

static void prepare_stack(struct gp_lane *lane, void (*function)(void *)) {
  lane->stack = take_stack(lane->worker);
  /* Stack tops are spread over cache lines; aligned tops would share a few. */
  begin_at(lane, stack_base(lane->worker, lane->stack) + STACK_STRIDE - (lane->stack % 20) * 192, function);
  if (gp_announces())
    gp_announce_new(announced(lane->worker, lane), stack_base(lane->worker, lane->stack) + GUARD_BYTES, GP_CPU_STACK_BYTES);
}

/* ---- Scheduling ---------------------------------------------------------------------------------------- */

static void make_ready(struct gp_lane *lane, bool first) {
  struct gp_worker *worker = lane->worker;
  lane->status = GP_LANE_READY;
  gp_lane_warp(lane)->waiting &= ~(1u << lane->state.laneid);
  lane->next = first ? worker->ready_first : NULL;
  if (!worker->ready_last)
    worker->ready_first = worker->ready_last = lane;
  else if (first)
    worker->ready_first = lane;
  else
    worker->ready_last = worker->ready_last->next = lane;
}

void gp_lane_wake(struct gp_lane *lane) { make_ready(lane, lane->worker->launch->strict); }

static void run_lanes(void *first);

/* A new lane takes its place in the block. */
static struct gp_lane *start_lane(struct gp_worker *worker) {
  uint32_t index = worker->fresh++;
  struct gp_lane *lane = &worker->lanes[worker->launch->strict ? worker->launch->threads - 1 - index : index];
  lane->state.ctaid_x = worker->block[0];
  lane->state.ctaid_y = worker->block[1];
  lane->state.ctaid_z = worker->block[2];
  lane->state.merged_blocks = worker->merged;
  lane->status = GP_LANE_READY;
  return lane;
}

/* New lanes go first: a waiting lane cannot keep another from starting. */
static struct gp_lane *next_lane(struct gp_worker *worker) {
  if (worker->fresh < worker->launch->threads) {
    struct gp_lane *lane = start_lane(worker);
    prepare_stack(lane, run_lanes);
    return lane;
  }
  struct gp_lane *lane = worker->ready_first;
  if (lane) {
    worker->ready_first = lane->next;
    if (!lane->next)
      worker->ready_last = NULL;
  }
  return lane;
}

GP_UNSANITIZED static _Noreturn void leave_block(struct gp_worker *worker) {
  worker->ended = true;
  leave_stack(worker, worker->current, NULL);
}


/* Gives the thread of the machine to another block of the cluster, if this can help. */
static void wait_for_cluster(struct gp_worker *worker) {
  if (!gp_cluster_block_waits(worker))
    gp_deadlock_report(worker);
  switch_stacks(worker, worker->current, NULL);
}

void gp_worker_wait_for_cluster(struct gp_worker *worker) {
  while (worker->cluster_waiting)
    wait_for_cluster(worker);
}

static struct gp_lane *next_lane_or_wait(struct gp_worker *worker) {
  struct gp_lane *next;
  while (!(next = next_lane(worker)))
    wait_for_cluster(worker);
  return next;
}

void gp_lane_suspend(struct gp_lane *lane) {
  struct gp_worker *worker = lane->worker;
  struct gp_lane *next = next_lane_or_wait(worker);
  worker->current = next;
  if (next != lane)
    switch_stacks(worker, lane, next);
}

/* Warns of a block with yielding lanes only. A livelock cannot be proved: the launch goes on. */
static void warn_waiting(struct gp_worker *worker, const char *where) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!worker->waiting_since)
    worker->waiting_since = now.tv_sec;
  if (now.tv_sec - worker->waiting_since < PATIENCE_SECONDS)
    return;
  if (atomic_exchange(&worker->launch->waiting_said, true))
    return;
  gp_log(
      GP_WARN, worker->launch->kernel->name,
      "block (%u,%u,%u): for %d seconds it has gone round loops that wait for other threads%s%s; up to %llu "
      "blocks of this size are under way at once, as on an H200: if this one waits for a later one, no GPU "
      "can run it; if it waits for the host thread that launched it, the CPU device cannot: that goes on "
      "when the launch has ended",
      worker->block[0], worker->block[1], worker->block[2], PATIENCE_SECONDS, where ? ", now at " : "",
      where ? where : "",
      (unsigned long long)gp_cpu_resident_blocks(worker->launch->threads, worker->launch->shared_bytes));
}

void gp_lane_yield(struct gp_lane *lane) {
  struct gp_worker *worker = lane->worker;
  if (++worker->yields % YIELDS_PER_LOOK == 0)
    warn_waiting(worker, lane->state.where);
  if (atomic_load_explicit(&worker->launch->error, memory_order_relaxed))
    leave_block(worker); /* the awaited lane may never come */
  if (++worker->turns >= worker->launch->patience || (worker->launch->meets && !worker->ready_first))
    switch_stacks(worker, lane, NULL); /* it may wait for another block */
  gp_warp_lane_yields(lane);
  make_ready(lane, false); /* behind all lanes it may wait for */
  gp_lane_suspend(lane);
}

static void book_return(struct gp_lane *lane) {
  struct gp_worker *worker = lane->worker;
  lane->status = GP_LANE_RETURNED;
  worker->turns = 0; /* the block makes progress by itself */
  worker->alive--;
  gp_lane_warp(lane)->alive &= ~(1u << lane->state.laneid);
  gp_barrier_lane_returned(worker);
  gp_warp_lane_returned(lane);
  gp_cluster_lane_returned(lane);
}

/* Releases the running lane's stack and gives the worker to the next lane. */
GP_UNSANITIZED static _Noreturn void give_way(struct gp_lane *lane) {
  struct gp_worker *worker = lane->worker;
  give_stack(lane);
  if (!worker->alive)
    leave_block(worker);
  struct gp_lane *next = next_lane_or_wait(worker);
  worker->current = next;
  leave_stack(worker, lane, next);
}

/* The next new lane may reuse the stack of a returned lane at once. */
GP_UNSANITIZED static struct gp_lane *replace_lane(struct gp_lane *lane) {
  struct gp_worker *worker = lane->worker;
  book_return(lane);
  if (worker->fresh >= worker->launch->threads)
    give_way(lane);
  struct gp_lane *next = start_lane(worker);
  next->stack = lane->stack;
  worker->current = next;
  return next;
}

/* The frames of the lane are abandoned; the next lane starts at the top of its stack. */
_Noreturn void gp_lane_exit(struct gp_lane *lane) {
  book_return(lane);
  forget_stack(lane->worker, lane->stack);
  give_way(lane);
}

GP_UNSANITIZED static void run_lanes(void *first) {
  struct gp_lane *lane = first;
  struct gp_cpu_launch *launch = lane->worker->launch;
  if (gp_announces())
    gp_announce_arrive(announced(lane->worker, lane));
  for (;;) {
    launch->kernel->thread(&lane->state, launch->arguments);
    lane = replace_lane(lane);
  }
}

/* ---- Blocks -------------------------------------------------------------------------------------------- */

/* The slots of few workers lie far apart: they are written at the same time and must not share a cache line. */
uint32_t gp_worker_slot(uint32_t index) {
  enum { APART = 32, ROWS = GPUPROF_COUNTER_SLOTS / APART };
  return index % ROWS * APART + index / ROWS;
}

void gp_worker_prepare(struct gp_worker *worker, struct gp_cpu_launch *launch) {
  worker->launch = launch;
  worker->checked = (struct gp_checked){0};
  worker->launches++;
  worker->new_rows = 0;
  worker->recorded = 0;
  const uint32_t *block = launch->block, *grid = launch->grid;
  for (uint32_t i = 0; i < launch->threads; i++) {
    struct gp_lane *lane = &worker->lanes[i];
    lane->state = (struct gpuprof_cpu_thread){
        .tid_x = i % block[0],
        .tid_y = i / block[0] % block[1],
        .tid_z = i / block[0] / block[1],
        .ntid_x = block[0],
        .ntid_y = block[1],
        .ntid_z = block[2],
        .nctaid_x = grid[0],
        .nctaid_y = grid[1],
        .nctaid_z = grid[2],
        .laneid = i % GP_CPU_WARP,
        .warpid = i / GP_CPU_WARP,
        .slot = gp_worker_slot(worker->index),
        .dynamic_shared_bytes = launch->dynamic_shared_bytes,
        .cluster_x = launch->cluster[0],
        .cluster_y = launch->cluster[1],
        .cluster_z = launch->cluster[2],
        .explicit_cluster = launch->explicit_cluster,
        .shared = worker->shared,
        .fiber = lane,
    };
    if (launch->as_loop)
      break; /* the loop counts its threads itself */
  }
}

/* Coordinates of element `i` of a grid of this size; x runs fastest. */
static void coordinates(uint64_t i, const uint32_t size[3], uint32_t at[3]) {
  const uint64_t row = i < size[0] ? 0 : i / size[0];
  at[0] = (uint32_t)(i - row * size[0]);
  at[1] = row ? (uint32_t)(row % size[1]) : 0;
  at[2] = row ? (uint32_t)(row / size[1]) : 0;
}

/* The blocks of a cluster are consecutive. */
static void place_block(struct gp_worker *worker, uint64_t block) {
  const struct gp_cpu_launch *launch = worker->launch;
  if (launch->cluster_blocks <= 1) {
    coordinates(block, launch->grid, worker->block);
    return;
  }
  uint32_t clusters[3], cluster[3];
  for (int i = 0; i < 3; i++)
    clusters[i] = launch->grid[i] / launch->cluster[i];
  coordinates(block / launch->cluster_blocks, clusters, cluster);
  coordinates(block % launch->cluster_blocks, launch->cluster, worker->block);
  for (int i = 0; i < 3; i++)
    worker->block[i] += cluster[i] * launch->cluster[i];
}

/* gpuprof_cpu_thread.merged_blocks of a block that has its place. */
static uint32_t merged_blocks(struct gp_worker *worker) {
  const struct gp_cpu_launch *launch = worker->launch;
  struct gp_worker *home = worker->home;
  if (!launch->merges && !launch->records_runs)
    return 1;
  if (home->recorded) {
    home->recorded--;
    return 0;
  }
  const uint32_t more = gp_residents_following(home, launch->grid[0] - worker->block[0] - 1);
  if (launch->merges)
    gp_residents_skip(home, more);
  else
    home->recorded = more;
  return 1 + more;
}

static void begin_block(struct gp_worker *worker, uint64_t block) {
  const struct gp_cpu_launch *launch = worker->launch;
  place_block(worker, block);
  worker->merged = merged_blocks(worker);
  worker->alive = launch->threads;
  worker->yields = 0;
  worker->waiting_since = 0;
  worker->ended = false;
  worker->fresh = 0;
  worker->ready_first = worker->ready_last = NULL;
  worker->lanes[0].cluster_phase = 0;
  gp_cluster_alone(worker);
  if (launch->shared_bytes) /* a GPU does not initialise shared memory */
    memset(worker->shared, gp_cpu_fresh_byte(), launch->shared_bytes);
  if (launch->as_loop)
    return;
  memset(worker->barriers, 0, sizeof worker->barriers);
  uint32_t warps = (launch->threads + GP_CPU_WARP - 1) / GP_CPU_WARP;
  for (uint32_t i = 0; i < warps; i++) {
    uint32_t lanes = launch->threads - i * GP_CPU_WARP;
    struct gp_warp *warp = &worker->warps[i];
    warp->existing = lanes >= GP_CPU_WARP ? ~0u : (1u << lanes) - 1;
    warp->alive = warp->existing;
    warp->waiting = warp->active = warp->pending_count = warp->group_arrived = 0;
  }
  for (uint32_t i = 0; i < launch->threads; i++) {
    worker->lanes[i].status = GP_LANE_NEW;
    worker->lanes[i].cluster_phase = 0;
  }
}

static void end_block(struct gp_worker *worker) {
  gp_requests_end_block(worker);
  /* A stopped block abandons its lanes in the middle of their work: all stacks are free again. */
  if (worker->free_count != worker->stacks_made)
    for (worker->free_count = 0; worker->free_count < worker->stacks_made; worker->free_count++) {
      worker->free_stacks[worker->free_count] = worker->free_count;
      forget_stack(worker, worker->free_count);
    }
}

/* Begins the next block in the same place. False: there is none, or this launch gives each block its own
 * place.
 */
static bool follow(struct gp_worker *worker) {
  uint64_t block;
  if (worker->launch->meets || atomic_load_explicit(&worker->launch->error, memory_order_relaxed) ||
      !gp_residents_next(worker->home, &block))
    return false;
  end_block(worker);
  begin_block(worker, block);
  start_lane(worker);
  return true;
}

/* Runs blocks as work-item loops, on a fiber, too: a stop switches away from it. */
GP_UNSANITIZED static void run_loops(void *first) {
  struct gp_lane *lane = first;
  struct gp_worker *worker = lane->worker;
  lane->state.fiber = NULL;
  if (gp_announces())
    gp_announce_arrive(announced(lane->worker, lane));
  /* The lane's own state, not a copy: device functions left uninlined ask for the running thread's state. */
  do {
    worker->launch->kernel->block(&lane->state, worker->launch->arguments);
    gp_cluster_lane_returned(lane);
  } while (follow(worker));
  worker->block_said.left_behind = false;
  leave_block(worker);
}

bool gp_worker_resume(struct gp_worker *worker) {
  worker->turns = 0;
  gp_cpu_worker = worker;
  worker->main_said.fiber = NULL; /* another thread may have come here before */
  switch_stacks(worker, NULL, worker->current);
  gp_cpu_worker = NULL;
  if (worker->ended)
    end_block(worker);
  return worker->ended;
}

void gp_worker_begin(struct gp_worker *worker, uint64_t block) {
  begin_block(worker, block);
  if (worker->launch->as_loop) {
    worker->current = start_lane(worker);
    prepare_block_stack(worker->current, run_loops);
  } else {
    worker->current = next_lane(worker);
  }
}

bool gp_worker_run_block(struct gp_worker *worker, uint64_t block) {
  gp_worker_begin(worker, block);
  return gp_worker_resume(worker);
}

void gp_worker_abandon(struct gp_worker *worker) { end_block(worker); }

/* The thread announced by a block run as a work-item loop before it stopped. */
static _Thread_local struct {
  bool known;
  uint32_t x, y, z;
} stopping;

void __gpuprof_cpu_stops(uint32_t x, uint32_t y, uint32_t z) {
  stopping.known = true;
  stopping.x = x;
  stopping.y = y;
  stopping.z = z;
}

/* ", thread (x,y,z)", or an empty text for an unknown thread. */
static void write_thread(char *text, size_t size, const struct gp_worker *worker) {
  const struct gpuprof_cpu_thread *thread = worker->current ? &worker->current->state : NULL;
  if (thread && worker->launch->as_loop && stopping.known)
    snprintf(text, size, ", thread (%u,%u,%u)", stopping.x, stopping.y, stopping.z);
  else if (thread && !worker->launch->as_loop)
    snprintf(text, size, ", thread (%u,%u,%u)", thread->tid_x, thread->tid_y, thread->tid_z);
  stopping.known = false;
}

_Noreturn void gp_cpu_stop(int error, const char *format, ...) {
  struct gp_worker *worker = gp_cpu_worker;
  struct gp_cpu_launch *launch = worker->launch;
  int none = 0;
  if (atomic_compare_exchange_strong(&launch->error, &none, error)) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char where[64] = "";
    write_thread(where, sizeof where, worker);
    char last[64] = "";
    if (launch->merges && worker->merged > 1)
      snprintf(last, sizeof last, " to (%u,%u,%u)", worker->block[0] + worker->merged - 1, worker->block[1],
               worker->block[2]);
    gp_log(GP_ERROR, launch->kernel->name, "block%s (%u,%u,%u)%s%s: %s", *last ? "s" : "", worker->block[0],
           worker->block[1], worker->block[2], last, where, text);
  }
  leave_block(worker);
}
