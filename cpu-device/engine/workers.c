// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The thread pool. A launch is offered to its threads; they join while blocks are left to begin. The
 * launching thread waits for joined threads only. Waking a thread takes as long as a short kernel. Threads
 * therefore stay awake for a moment after a launch, and each woken thread wakes the next ones.
 */
#include "engine/workers.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum {
  AWAKE_NS = 50000, /* about the time of waking a thread */
  LOOKS = 32,       /* at the awaited number between two looks at the clock */
  WOKEN = 2         /* by each joining thread; the launching thread has other work and wakes one */
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  struct gp_worker *workers[GPUPROF_COUNTER_SLOTS];
  uint32_t count;                  /* existing workers */
  uint32_t started;                /* running threads among them (worker 0 needs none) */
  _Atomic uint64_t round;          /* launches offered so far */
  struct gp_cpu_launch *launch;    /* the offered launch, or null */
  uint32_t wanted, joined, asleep; /* threads: useful to it, joined, waiting for a launch */
  _Atomic uint64_t busy;           /* joined threads still at work */
  atomic_bool waits;               /* the launching thread sleeps until `busy` is 0 */
} pool = {.lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, /* held for a moment only */
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Spins briefly until the number equals `value`, or differs from it. */
static void watch(const _Atomic uint64_t *number, uint64_t value, bool equal) {
  uint64_t end = 0;
  while (!end || now() < end) {
    for (int i = 0; i < LOOKS; i++) {
      if ((atomic_load_explicit(number, memory_order_relaxed) == value) == equal)
        return;
      __builtin_ia32_pause();
    }
    end = end ? end : now() + AWAKE_NS;
  }
}

/* Number of threads to wake, bounded. The caller holds the lock, and wakes them after releasing it. */
static uint32_t book_wakes(uint32_t most) {
  uint32_t missing = pool.launch ? pool.wanted - pool.joined : 0;
  uint32_t wakes = most < missing ? most : missing;
  wakes = wakes < pool.asleep ? wakes : pool.asleep;
  pool.asleep -= wakes;
  return wakes;
}

static void wake(uint32_t threads) {
  while (threads--)
    pthread_cond_signal(&pool.work);
}

/* True if the offered launch needs one more thread and is new to this one. The caller holds the lock. */
static bool is_offered(uint64_t seen) {
  return pool.round != seen && pool.launch && pool.joined < pool.wanted;
}

/* Waits for a launch. Wakes other threads before it joins, since waking takes long and a joined thread is waited for. */
static struct gp_cpu_launch *join(uint64_t *seen) {
  uint64_t woken_for = *seen;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    uint32_t wakes;
    if (!is_offered(*seen)) {
      *seen = pool.round;
      pool.asleep++;
      pthread_cond_wait(&pool.work, &pool.lock);
    } else if (woken_for != pool.round && (woken_for = pool.round, wakes = book_wakes(WOKEN))) {
      pthread_mutex_unlock(&pool.lock);
      wake(wakes);
      pthread_mutex_lock(&pool.lock);
    } else {
      break;
    }
  }
  *seen = pool.round;
  pool.joined++;
  pool.busy++;
  struct gp_cpu_launch *launch = pool.launch;
  pthread_mutex_unlock(&pool.lock);
  return launch;
}

static void leave(void) {
  if (--pool.busy || !pool.waits)
    return;
  pthread_mutex_lock(&pool.lock);
  pthread_cond_signal(&pool.done);
  pthread_mutex_unlock(&pool.lock);
}

static void *serve(void *argument) {
  struct gp_worker *worker = argument;
  uint64_t seen = worker->round;
  gp_faults_thread();
  for (;;) {
    gp_residents_run(worker, join(&seen));
    leave();
    watch(&pool.round, seen, false);
  }
  return NULL;
}

/* Threads do not survive a fork; the memory of their workers does. */
static void after_fork(void) {
  pool.lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
  pthread_cond_init(&pool.work, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.started = pool.asleep = 0;
  pool.launch = NULL;
  pool.busy = 0;
  pool.waits = false;
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
  worker->round = pool.round; /* its first launch is the next one */
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

static void offer(struct gp_cpu_launch *launch, uint32_t threads) {
  pthread_mutex_lock(&pool.lock);
  pool.launch = launch;
  pool.wanted = threads;
  pool.joined = 0;
  pool.round++;
  const uint32_t wakes = launch->expected_ns < GP_WORKERS_WORTH_WAKING_NS ? 0 : book_wakes(1);
  pthread_mutex_unlock(&pool.lock);
  wake(wakes);
}

/* Closes the launch to new threads, waits for the joined ones, and returns their number. */
static uint32_t close_offer(void) {
  pthread_mutex_lock(&pool.lock);
  pool.launch = NULL;
  const uint32_t came = pool.joined;
  pthread_mutex_unlock(&pool.lock);
  watch(&pool.busy, 0, true);
  if (!pool.busy)
    return came;
  pthread_mutex_lock(&pool.lock);
  pool.waits = true;
  while (pool.busy)
    pthread_cond_wait(&pool.done, &pool.lock);
  pool.waits = false;
  pthread_mutex_unlock(&pool.lock);
  return came;
}

uint32_t gp_workers_run(struct gp_cpu_launch *launch, uint32_t workers) {
  if (workers > 1)
    offer(launch, workers - 1);
  gp_faults_thread();
  gp_residents_run(pool.workers[0], launch);
  return 1 + (workers > 1 ? close_offer() : 0);
}
