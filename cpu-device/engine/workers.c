// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The thread pool. Each thread has a seat. It takes the seat in launches that want it, as long as they are open. The
 * launching thread closes the empty seats when no block is left, and waits for the taken ones. Awake threads take no
 * lock and write to no memory of each other. Waking a thread takes as long as a short kernel. Threads therefore stay
 * awake for a moment after a launch, and each woken thread wakes the next ones.
 */
#include "engine/workers.h"

#include "base/futex.h"
#include "engine/seat.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum {
  LOOKS = 32, /* at the awaited number between two looks at the clock */
  WOKEN = 2   /* by each thread; the launching thread has other work and wakes one */
};
static const uint64_t LONG_NS = 3600 * 1000000000ull;

/* A launch as offered: its number, if sleeping threads are woken, and the number of wanted threads. One word, since a
 * late thread may read it while the next launch is offered. */
enum { THREAD_BITS = 15, NUMBER_SHIFT = 16 };
static uint64_t number_of(uint64_t offer) { return offer >> NUMBER_SHIFT; }
static bool wakes(uint64_t offer) { return offer >> THREAD_BITS & 1; }
static uint32_t threads_of(uint64_t offer) { return (uint32_t)offer & ((1u << THREAD_BITS) - 1); }

static struct {
  _Alignas(64) _Atomic uint64_t offer;
  struct gp_cpu_launch *launch;   /* the offered one; read by threads with a seat in it */
  _Alignas(64) struct gp_worker *workers[GPUPROF_COUNTER_SLOTS];
  uint32_t count;          /* existing workers */
  uint32_t started;        /* running threads among them (worker 0 needs none) */
  _Atomic uint32_t waits;  /* 1: the launching thread sleeps until a seat is left */
  struct gp_seat seats[GPUPROF_COUNTER_SLOTS];
} pool;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Spins briefly until the number differs from `value`. `end`: when to give up; 0: a moment from now. */
static bool changes(const _Atomic uint64_t *number, uint64_t value, unsigned shift, uint64_t *end) {
  for (;;) {
    for (int i = 0; i < LOOKS; i++) {
      if (atomic_load_explicit(number, memory_order_acquire) >> shift != value)
        return true;
      __builtin_ia32_pause();
    }
    const uint64_t time = now();
    if (!*end)
      *end = time + GP_WORKERS_AWAKE_NS;
    else if (time >= *end)
      return false;
  }
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

static void wake(uint32_t thread) {
  _Atomic uint32_t *asleep = &pool.seats[thread].asleep;
  if (atomic_load(asleep) && atomic_exchange(asleep, 0))
    gp_futex_wake(asleep);
}

/* Thread 1 is woken by the launching thread, thread i by i / WOKEN. */
static void wake_next(uint32_t thread, uint64_t offer) {
  const uint32_t threads = threads_of(offer);
  for (uint32_t next = WOKEN * thread; next < WOKEN * thread + WOKEN; next++)
    if (next && next < threads)
      wake(next);
}

/* Until a launch is offered behind the one of this number, or another thread wakes this one for it. */
static void sleep_in(struct gp_seat *seat, uint64_t seen) {
  atomic_store(&seat->asleep, 1);
  while (atomic_load(&seat->asleep) && number_of(atomic_load(&pool.offer)) == seen)
    gp_futex_wait(&seat->asleep, 1, LONG_NS);
  atomic_store(&seat->asleep, 0);
}

/* The next launch. `awake_until`: 0 at first, and behind each launch with this thread. */
static uint64_t await_offer(struct gp_seat *seat, uint64_t seen, uint64_t *awake_until) {
  while (!changes(&pool.offer, seen, NUMBER_SHIFT, awake_until)) {
    sleep_in(seat, seen);
    *awake_until = 0;
  }
  return atomic_load(&pool.offer);
}

static void leave(struct gp_seat *seat, uint64_t number) {
  atomic_store(&seat->word, gp_seat_word(number, GP_SEAT_LEFT));
  if (atomic_load(&pool.waits) && atomic_exchange(&pool.waits, 0))
    gp_futex_wake(&pool.waits);
}

static void *serve(void *argument) {
  struct gp_worker *worker = argument;
  struct gp_seat *seat = &pool.seats[worker->index];
  uint64_t seen = worker->round, awake_until = 0;
  gp_faults_thread();
  for (;;) {
    const uint64_t offer = await_offer(seat, seen, &awake_until);
    seen = number_of(offer);
    if (worker->index >= threads_of(offer) || !gp_seat_is_open(seat, seen))
      continue;
    if (wakes(offer)) /* first: waking takes long, and a taken seat is waited for */
      wake_next(worker->index, offer);
    if (!gp_seat_use(seat, seen, GP_SEAT_TAKEN))
      continue;
    gp_residents_run(worker, pool.launch);
    leave(seat, seen);
    awake_until = 0;
  }
  return NULL;
}

/* Threads do not survive a fork; the memory of their workers does. */
static void after_fork(void) {
  pool.started = 0;
  pool.waits = 0;
  for (uint32_t i = 0; i < GPUPROF_COUNTER_SLOTS; i++)
    pool.seats[i].asleep = 0;
}

void gp_workers_abandon(void) { pool.count = 0; }

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
  worker->round = number_of(pool.offer); /* its first launch is the next one */
  int error = pthread_create(&thread, &attributes, serve, worker);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
  if (!error)
    pthread_setname_np(thread, "gpuprof-worker");
  return !error;
}

uint32_t gp_workers_ensure(uint32_t wanted) {
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

struct gp_worker *const *gp_workers_all(uint32_t *count) {
  *count = pool.count;
  return pool.workers;
}

/* ---- The launching thread ------------------------------------------------------------------------------ */

/* Returns the launch's number. */
static uint64_t offer(struct gp_cpu_launch *launch, uint32_t threads) {
  const uint64_t number = number_of(pool.offer) + 1;
  const uint64_t offered = number << NUMBER_SHIFT | (uint64_t)launch->wakes << THREAD_BITS | threads;
  pool.launch = launch;
  atomic_store(&pool.offer, offered);
  if (launch->wakes)
    wake_next(0, offered);
  return number;
}

static void await_end(struct gp_seat *seat, uint64_t number) {
  const uint64_t taken = gp_seat_word(number, GP_SEAT_TAKEN);
  uint64_t end = 0;
  if (changes(&seat->word, taken, 0, &end))
    return;
  for (;;) {
    atomic_store(&pool.waits, 1);
    if (atomic_load(&seat->word) != taken)
      break;
    gp_futex_wait(&pool.waits, 1, LONG_NS);
  }
  atomic_store(&pool.waits, 0);
}

/* Closes the launch to further threads, waits for those with a seat, and returns their number. */
static uint32_t close_offer(uint64_t number, uint32_t threads) {
  uint32_t came = 0;
  for (uint32_t i = 1; i < threads; i++) {
    if (gp_seat_use(&pool.seats[i], number, GP_SEAT_CLOSED))
      continue;
    await_end(&pool.seats[i], number);
    came++;
  }
  return came;
}

uint32_t gp_workers_run(struct gp_cpu_launch *launch, uint32_t workers) {
  const uint64_t number = workers > 1 ? offer(launch, workers) : 0;
  gp_faults_thread();
  gp_residents_run(pool.workers[0], launch);
  return 1 + (workers > 1 ? close_offer(number, workers) : 0);
}
