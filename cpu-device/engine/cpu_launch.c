// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A launch: CUDA's checks first, then the blocks spread over the workers, then time and unique bytes for the
 * core. */
#include "base/device.h"
#include "base/log.h"
#include "base/settings.h"
#include "common/devices.h"
#include "common/errors.h"
#include "common/launching.h"
#include "common/room.h"
#include "engine/emulator.h"
#include "engine/workers.h"
#include "launch/launch_times.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

_Thread_local uint64_t gp_cpu_launch_id;

enum {
  WORTH_NS = 4000,              /* work per additional thread of the machine */
  WORTH_WAKING_NS = 100000,     /* a shorter launch wakes no thread: it would come too late */
  WORTH_WAKING_SOON_NS = 32000, /* the same for a launch soon after another: more will follow */
  SOLO_THREADS = 2048,          /* a launch of unknown duration with so few threads runs on one worker */
  /* yields of a block, about 0.3 ms; in a cooperative launch one round, as each may wait for all */
  PATIENCE = 1 << 14
};

enum { SM_THREADS = 2048, SM_BLOCKS = 32, SMS = 132 };

uint64_t gp_cpu_blocks_of_multiprocessor(uint64_t threads, uint64_t shared_bytes) {
  uint64_t warps = (threads + GP_CPU_WARP - 1) / GP_CPU_WARP;
  uint64_t by_threads = SM_THREADS / (warps * GP_CPU_WARP);
  uint64_t by_shared = GP_CPU_SHARED_OF_MULTIPROCESSOR / (shared_bytes + GP_CPU_SHARED_RESERVED);
  uint64_t blocks = by_threads < by_shared ? by_threads : by_shared;
  return blocks < SM_BLOCKS ? blocks : SM_BLOCKS;
}

/* At least the resident blocks of the number of multiprocessors reported to programs. */
uint64_t gp_cpu_resident_blocks(uint64_t threads, uint64_t shared_bytes) {
  uint64_t multiprocessors = gp_cpu_worker_count() > SMS ? gp_cpu_worker_count() : SMS;
  return multiprocessors * gp_cpu_blocks_of_multiprocessor(threads, shared_bytes);
}

uint32_t gp_cpu_worker_count(void) {
  static _Atomic uint32_t count; /* threads asking at the same time find the same number */
  const uint32_t known = atomic_load_explicit(&count, memory_order_relaxed);
  if (known)
    return known;
  cpu_set_t set;
  long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  const uint64_t wanted = gp_settings()->cpu_workers ? gp_settings()->cpu_workers : n < 1 ? 1 : (uint64_t)n;
  const uint32_t found = wanted > GPUPROF_COUNTER_SLOTS ? GPUPROF_COUNTER_SLOTS : (uint32_t)wanted;
  atomic_store_explicit(&count, found, memory_order_relaxed);
  return found;
}

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Number of blocks taken at a time by a thread of the machine. */
static uint64_t chunk_of(const struct gp_cpu_launch *launch, uint32_t workers) {
  uint64_t chunk = launch->blocks / (workers * 8ull);
  if (launch->cluster_blocks > 1)
    return launch->cluster_blocks;
  return chunk < 1 || launch->cooperative ? 1 : chunk > 64 ? 64 : chunk;
}

/* Duration of a block in the kernel's last launch; if two kernels share an entry, the later one has it.
 * Guarded by the lock. */
static struct {
  const struct gpuprof_cpu_kernel *kernel;
  uint64_t block_ns;
} known[256];

static size_t known_at(const struct gpuprof_cpu_kernel *kernel) {
  return (uint64_t)kernel * 0x9E3779B97F4A7C15u >> 56;
}

static uint64_t expected_ns(const struct gp_cpu_launch *launch) {
  size_t at = known_at(launch->kernel);
  if (known[at].kernel == launch->kernel)
    return launch->blocks * known[at].block_ns;
  return launch->blocks * launch->threads <= SOLO_THREADS ? 0 : UINT64_MAX;
}

static void remember(const struct gp_cpu_launch *launch, uint32_t threads) {
  size_t at = known_at(launch->kernel);
  known[at].kernel = launch->kernel;
  known[at].block_ns = launch->duration_ns * threads / launch->blocks;
}

/* Ranges of blocks for the workers, of the running launch. Only blocks that wait for no other may begin in any order. */
static void give_ranges(struct gp_cpu_launch *launch, uint32_t workers) {
  static struct gp_block_range ranges[GPUPROF_COUNTER_SLOTS]; /* guarded by the lock */
  if (workers < 2 || !launch->as_loop || launch->meets || launch->strict)
    return;
  for (uint32_t i = 0; i < workers; i++) {
    atomic_store_explicit(&ranges[i].next, launch->blocks * i / workers, memory_order_relaxed);
    ranges[i].end = launch->blocks * (i + 1) / workers;
  }
  launch->ranges = ranges;
  launch->range_count = workers;
}

static bool running;                /* guarded by the lock */
static uint64_t last_end_ns;        /* of the last launch; guarded by the lock */
static _Thread_local bool launcher; /* true on the launching thread */

/* In the child, a launch of another thread never ends: its open state is closed. Its workers are left as they
 * are and replaced by new ones. */
static void after_fork(void) {
  const bool abandoned = running && !launcher;
  gp_faults_in_child(abandoned);
  if (!abandoned)
    return;
  running = false;
  gp_sectors_abandon();
  gp_workers_abandon();
}

static void prepare_for_forks(void) { pthread_atfork(NULL, NULL, after_fork); }

/* A thread's share of so many blocks, in whole clusters: a thread holds no part of one. */
static uint64_t share_of_blocks(const struct gp_cpu_launch *launch, uint64_t blocks, uint32_t workers) {
  const uint64_t clusters = blocks / launch->cluster_blocks;
  return (clusters + workers - 1) / workers * launch->cluster_blocks;
}

/* Number of these threads of the machine with stacks for the launch. */
static uint32_t workers_with_room(const struct gp_cpu_launch *launch, uint32_t workers) {
  uint32_t count, roomy = 0;
  struct gp_worker *const *all = gp_workers_all(&count);
  while (roomy < workers && gp_worker_make_room(all[roomy], launch))
    roomy++;
  return roomy;
}

static int no_room(const struct gp_cpu_launch *launch) {
  char limit[128];
  gp_log(GP_ERROR, launch->kernel->name, "it does not run, since the process has no addresses left for the stacks of "
                                         "%u threads%s", launch->threads, gp_cpu_room_limit(limit));
  return GP_ERROR_MEMORY_ALLOCATION;
}

static bool wants_unique_bytes(void) { return gp_cpu_launch_id != 0 && gp_settings()->unique != GP_UNIQUE_OFF; }

static int run(struct gp_cpu_launch *launch) {
  uint32_t wanted = gp_cpu_worker_count();
  if (wanted > launch->blocks / launch->cluster_blocks)
    wanted = (uint32_t)(launch->blocks / launch->cluster_blocks);
  launch->expected_ns = expected_ns(launch);
  if (wanted > launch->expected_ns / WORTH_NS + 1)
    wanted = (uint32_t)(launch->expected_ns / WORTH_NS) + 1;
  const bool all_come = launch->expected_ns >= WORTH_WAKING_NS;
  /* A strict schedule has one order, the same each time. A cooperative launch needs all its threads to
   * join. */
  if (launch->strict || (launch->cooperative && !all_come))
    wanted = 1;
  uint32_t count;
  const uint32_t workers = workers_with_room(launch, gp_workers_ensure(wanted));
  if (!workers)
    return no_room(launch);
  struct gp_worker *const *all = gp_workers_all(&count);
  launch->chunk = chunk_of(launch, workers);
  give_ranges(launch, workers);
  if (all_come)
    launch->resident = share_of_blocks(launch, launch->resident, workers);
  if (launch->resident < launch->cluster_blocks)
    launch->resident = launch->cluster_blocks;
  for (uint32_t i = 0; launch->cooperative && i < count; i++)
    if (!gp_residents_prepare(all[i], launch, share_of_blocks(launch, launch->blocks, workers)))
      return no_room(launch);
  gp_sectors_begin(wants_unique_bytes(), launch->kernel->flags & GPUPROF_CPU_KERNEL_TELLS_ALL);
  launch->start_ns = now(CLOCK_MONOTONIC);
  const bool soon = launch->start_ns - last_end_ns < GP_WORKERS_AWAKE_NS;
  launch->wakes = launch->expected_ns >= (soon ? WORTH_WAKING_SOON_NS : WORTH_WAKING_NS);
  gp_faults_open();
  uint32_t came = gp_workers_run(launch, workers);
  gp_faults_close();
  last_end_ns = now(CLOCK_MONOTONIC);
  launch->duration_ns = last_end_ns - launch->start_ns;
  remember(launch, came);
  launch->unique_bytes = gp_sectors_take(all, workers);
  if (atomic_load(&launch->error))
    gp_cpu_break(launch->device, atomic_load(&launch->error));
  return 0; /* as on a GPU, the next call sees the error of a kernel */
}

/* Tells the core, outside the lock: the core may be waiting for it with a lock of its own. */
static void deliver(const struct gp_cpu_launch *launch) {
  const int error = atomic_load(&launch->error);
  if (!gp_cpu_launch_id)
    return;
  if (error) {
    gp_launch_failed(gp_cpu_error_text(error), 1);
    return;
  }
  gp_launch_time(gp_cpu_launch_id, launch->start_ns, launch->duration_ns, GP_TIME_CPU);
  if (wants_unique_bytes())
    gp_launch_unique(gp_cpu_launch_id, launch->unique_bytes);
  if (atomic_load(&launch->requests) && !atomic_load(&launch->requests_unknown))
    gp_launch_requests(gp_cpu_launch_id, atomic_load(&launch->requests),
                       atomic_load(&launch->request_sectors));
}

/* All are cudaErrorInvalidValue, as in CUDA 13. */
int gp_cpu_check(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                 uint64_t dynamic_shared_bytes, uint32_t shared_limit) {
  static const uint32_t largest_block[3] = {1024, 1024, 64}, largest_grid[3] = {INT32_MAX, 65535, 65535};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (!grid[i] || !block[i] || grid[i] > largest_grid[i] || block[i] > largest_block[i])
      return GP_ERROR_INVALID_VALUE;
    threads *= block[i];
  }
  if (threads > GP_CPU_THREADS)
    return GP_ERROR_INVALID_VALUE;
  if (kernel->maximum_threads && threads > kernel->maximum_threads)
    return GP_ERROR_INVALID_VALUE;
  if (dynamic_shared_bytes > GP_CPU_SHARED_MAXIMUM ||
      dynamic_shared_bytes + kernel->static_shared_bytes > shared_limit)
    return GP_ERROR_INVALID_VALUE;
  return 0;
}

static uint32_t blocks_of(const uint32_t *cluster) {
  return cluster ? cluster[0] * cluster[1] * cluster[2] : 1;
}

static int start(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                 void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit,
                 const uint32_t *cluster, bool cooperative) {
  int error = gp_cpu_check(kernel, grid, block, dynamic_shared_bytes, shared_limit);
  if (error)
    return error;
  if (gp_cpu_worker) {
    gp_log(GP_ERROR, kernel->name,
           "a kernel launched from a kernel cannot run on the CPU device; run it on a GPU");
    return GP_ERROR_NOT_SUPPORTED;
  }
  uint32_t static_bytes = (kernel->static_shared_bytes + 15) & ~15u;
  struct gp_cpu_launch launch = {
      .kernel = kernel,
      .cooperative = cooperative,
      .meets = cooperative || blocks_of(cluster) > 1,
      .device = gp_cpu_device(),
      .strict = gp_settings()->strict,
      .as_loop = kernel->block && (!gp_settings()->strict || !kernel->thread),
      .workspace = {.bytes = sizeof launch.workspace},
      .arguments = arguments,
      .grid = {grid[0], grid[1], grid[2]},
      .block = {block[0], block[1], block[2]},
      .cluster = {cluster ? cluster[0] : 1, cluster ? cluster[1] : 1, cluster ? cluster[2] : 1},
      .cluster_blocks = blocks_of(cluster),
      .explicit_cluster = cluster != NULL,
      .threads = block[0] * block[1] * block[2],
      .dynamic_shared_bytes = (uint32_t)dynamic_shared_bytes,
      .shared_bytes = static_bytes + (uint32_t)dynamic_shared_bytes,
      .blocks = (uint64_t)grid[0] * grid[1] * grid[2],
  };
  if (launch.as_loop && !launch.meets && !launch.strict && (uint64_t)grid[0] * block[0] <= INT32_MAX) {
    launch.merges = kernel->flags & GPUPROF_CPU_KERNEL_MERGES;
    launch.records_runs = kernel->flags & GPUPROF_CPU_KERNEL_RECORDS_RUNS;
  }
  launch.resident = gp_cpu_resident_blocks(launch.threads, launch.shared_bytes);
  launch.patience = launch.threads * (launch.meets ? 1 : 4) + (launch.meets ? 0 : PATIENCE);
  if (cooperative && launch.blocks > launch.resident)
    return GP_ERROR_COOPERATIVE_TOO_LARGE;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_for_forks);
  gp_cpu_launching_lock();
  launcher = running = true;
  gp_cpu_device_enter(launch.device);
  error = run(&launch);
  launcher = running = false;
  gp_cpu_launching_unlock();
  if (!error)
    deliver(&launch);
  return error;
}

int gp_cpu_run(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
               void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit) {
  return start(kernel, grid, block, arguments, dynamic_shared_bytes, shared_limit, NULL, false);
}

int gp_cpu_run_together(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3],
                        const uint32_t block[3], void **arguments, uint64_t dynamic_shared_bytes,
                        uint32_t shared_limit, const uint32_t *cluster, bool cooperative) {
  return start(kernel, grid, block, arguments, dynamic_shared_bytes, shared_limit, cluster, cooperative);
}
