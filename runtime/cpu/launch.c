/* A launch: what CUDA checks first, then the blocks spread over the workers, then time and unique bytes for
 * the core. */
#include "cpu/devices.h"
#include "cpu/emulator.h"
#include "cpu/errors.h"
#include "device.h"
#include "log.h"
#include "settings.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

_Thread_local uint64_t gp_cpu_launch_id;

enum {
  SOLO_THREADS = 2048, /* waking others costs more than running this few threads */
  PATIENCE = 1 << 14   /* yields of a block, about 0.3 ms; in a cooperative launch each may wait for all */
};

/* One launch at a time has the workers. Worker 0 is the launching thread itself. */
static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
static struct {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  struct gp_worker *workers[GPUPROF_COUNTER_SLOTS];
  uint32_t count;   /* workers that exist */
  uint32_t started; /* of them, threads that run (worker 0 needs none) */
  uint64_t round;
  uint32_t wanted, busy;
  struct gp_cpu_launch *launch;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

enum { SM_THREADS = 2048, SM_BLOCKS = 32, SMS = 132 };

uint64_t gp_cpu_blocks_of_multiprocessor(uint64_t threads, uint64_t shared_bytes) {
  uint64_t warps = (threads + GP_CPU_WARP - 1) / GP_CPU_WARP;
  uint64_t by_threads = SM_THREADS / (warps * GP_CPU_WARP);
  uint64_t by_shared = GP_CPU_SHARED_OF_MULTIPROCESSOR / (shared_bytes + GP_CPU_SHARED_RESERVED);
  uint64_t blocks = by_threads < by_shared ? by_threads : by_shared;
  return blocks < SM_BLOCKS ? blocks : SM_BLOCKS;
}

/* Not fewer than the multiprocessors that programs are told of would hold. */
uint64_t gp_cpu_resident_blocks(uint64_t threads, uint64_t shared_bytes) {
  uint64_t multiprocessors = gp_cpu_worker_count() > SMS ? gp_cpu_worker_count() : SMS;
  return multiprocessors * gp_cpu_blocks_of_multiprocessor(threads, shared_bytes);
}

uint32_t gp_cpu_worker_count(void) {
  static uint32_t count;
  if (count)
    return count;
  cpu_set_t set;
  long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  const uint64_t wanted = gp_settings()->cpu_workers ? gp_settings()->cpu_workers : n < 1 ? 1 : (uint64_t)n;
  return count = wanted > GPUPROF_COUNTER_SLOTS ? GPUPROF_COUNTER_SLOTS : (uint32_t)wanted;
}

static void *serve(void *argument) {
  struct gp_worker *worker = argument;
  uint64_t seen = worker->round;
  gp_faults_thread();
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.round == seen || worker->index >= pool.wanted) {
      seen = pool.round;
      pthread_cond_wait(&pool.work, &pool.lock);
    }
    seen = pool.round;
    struct gp_cpu_launch *launch = pool.launch;
    pthread_mutex_unlock(&pool.lock);
    gp_residents_run(worker, launch);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0)
      pthread_cond_signal(&pool.done);
  }
  return NULL;
}

/* Threads do not survive a fork; the memory of their workers does. */
static void after_fork(void) {
  pthread_mutex_init(&launching, NULL);
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.work, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.started = 0;
  pool.busy = 0;
}

static bool start_thread(struct gp_worker *worker) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, old;
  sigfillset(&all); /* the program's signals are for the program's threads */
  for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, 0}; *s; s++)
    sigdelset(&all, *s);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  worker->round = pool.round; /* its first launch is the next one */
  int error = pthread_create(&thread, &attributes, serve, worker);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
  if (!error)
    pthread_setname_np(thread, "gpuprof-worker");
  return !error;
}

/* Makes sure of up to `wanted` workers; returns how many there are, 0 without memory for a single one. */
static uint32_t ensure_workers(uint32_t wanted) {
  static bool prepared;
  if (!prepared) {
    pthread_atfork(NULL, NULL, after_fork);
    prepared = true;
  }
  while (pool.count < wanted) {
    struct gp_worker *worker = gp_worker_create(pool.count, NULL);
    if (!worker)
      break;
    pool.workers[pool.count++] = worker;
  }
  uint32_t usable = pool.count < wanted ? pool.count : wanted;
  while (pool.started + 1 < usable) {
    if (!start_thread(pool.workers[pool.started + 1]))
      break;
    pool.started++;
  }
  return usable > pool.started + 1 ? pool.started + 1 : usable;
}

static void run_on_workers(struct gp_cpu_launch *launch, uint32_t workers) {
  launch->chunk = launch->blocks / (workers * 16ull);
  launch->chunk = launch->chunk < 1 || launch->cooperative ? 1 : launch->chunk > 64 ? 64 : launch->chunk;
  if (workers > 1) {
    pthread_mutex_lock(&pool.lock);
    pool.launch = launch;
    pool.wanted = workers;
    pool.busy = workers - 1;
    pool.round++;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
  }
  gp_faults_thread();
  gp_residents_run(pool.workers[0], launch);
  if (workers > 1) {
    pthread_mutex_lock(&pool.lock);
    while (pool.busy)
      pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
  }
}

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int run(struct gp_cpu_launch *launch) {
  uint64_t all_threads = launch->blocks * launch->threads;
  uint32_t wanted = gp_cpu_worker_count();
  if (all_threads <= SOLO_THREADS)
    wanted = 1;
  if (wanted > launch->blocks)
    wanted = (uint32_t)launch->blocks;
  if (launch->strict)
    wanted = 1; /* one order, the same each time */
  uint32_t workers = ensure_workers(wanted);
  if (!workers)
    return GP_ERROR_MEMORY_ALLOCATION;
  launch->resident = (launch->resident + workers - 1) / workers;
  for (uint32_t i = 0; launch->cooperative && i < workers; i++)
    if (!gp_residents_prepare(pool.workers[i], (launch->blocks + workers - 1) / workers))
      return GP_ERROR_MEMORY_ALLOCATION;
  gp_sectors_begin(pool.workers, pool.count, gp_cpu_launch_id != 0,
                   launch->kernel->flags & GPUPROF_CPU_KERNEL_TELLS_ALL);
  launch->start_ns = now(CLOCK_REALTIME);
  uint64_t begin = now(CLOCK_MONOTONIC);
  gp_faults_open();
  run_on_workers(launch, workers);
  gp_faults_close();
  launch->duration_ns = now(CLOCK_MONOTONIC) - begin;
  launch->unique_bytes = gp_sectors_take(pool.workers, pool.count);
  if (atomic_load(&launch->error))
    gp_cpu_break(launch->device, atomic_load(&launch->error));
  return 0; /* as on a GPU, the error of a kernel is seen by what is called next */
}

/* Tells the core, outside the lock: the core may be waiting for it with a lock of its own. */
static void deliver(const struct gp_cpu_launch *launch) {
  if (!gp_cpu_launch_id)
    return;
  gp_launch_time(gp_cpu_launch_id, launch->start_ns, launch->duration_ns, GP_TIME_CPU);
  gp_launch_unique(gp_cpu_launch_id, launch->unique_bytes);
  if (atomic_load(&launch->requests) && !atomic_load(&launch->requests_unknown))
    gp_launch_requests(gp_cpu_launch_id, atomic_load(&launch->requests),
                       atomic_load(&launch->request_sectors));
}

/* As CUDA 13 does, all are cudaErrorInvalidValue. */
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

static int start(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
                 void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit, bool cooperative) {
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
      .device = gp_cpu_device(),
      .strict = gp_settings()->strict,
      .as_loop = kernel->block && (!gp_settings()->strict || !kernel->thread),
      .workspace = {.bytes = sizeof launch.workspace},
      .arguments = arguments,
      .grid = {grid[0], grid[1], grid[2]},
      .block = {block[0], block[1], block[2]},
      .threads = block[0] * block[1] * block[2],
      .dynamic_shared_bytes = (uint32_t)dynamic_shared_bytes,
      .shared_bytes = static_bytes + (uint32_t)dynamic_shared_bytes,
      .blocks = (uint64_t)grid[0] * grid[1] * grid[2],
  };
  launch.resident = gp_cpu_resident_blocks(launch.threads, launch.shared_bytes);
  launch.patience = launch.threads * (cooperative ? 1 : 4) + (cooperative ? 0 : PATIENCE);
  if (cooperative && launch.blocks > launch.resident)
    return GP_ERROR_COOPERATIVE_TOO_LARGE;
  pthread_mutex_lock(&launching);
  gp_cpu_device_enter(launch.device);
  error = run(&launch);
  pthread_mutex_unlock(&launching);
  if (!error && !atomic_load(&launch.error))
    deliver(&launch);
  return error;
}

int gp_cpu_run(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3], const uint32_t block[3],
               void **arguments, uint64_t dynamic_shared_bytes, uint32_t shared_limit) {
  return start(kernel, grid, block, arguments, dynamic_shared_bytes, shared_limit, false);
}

int gp_cpu_run_cooperative(const struct gpuprof_cpu_kernel *kernel, const uint32_t grid[3],
                           const uint32_t block[3], void **arguments, uint64_t dynamic_shared_bytes,
                           uint32_t shared_limit) {
  return start(kernel, grid, block, arguments, dynamic_shared_bytes, shared_limit, true);
}

void gp_cpu_exclusive(void (*f)(void *), void *closure) {
  pthread_mutex_lock(&launching);
  f(closure);
  pthread_mutex_unlock(&launching);
}

void gp_cpu_wait(void) {
  pthread_mutex_lock(&launching);
  pthread_mutex_unlock(&launching);
}
