// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/energy_sampler.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/futex.h"
#include "base/own_cost.h"
#include "base/settings.h"
#include "base/ticks.h"
#include "core/host_times.h"
#include "core/regions.h"
#include "launch/launch_hook.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)
#define PAUSE_NS (25 * MS)      /* between two looks; a look takes some 3 ms on an H200 */
#define LAST_PAUSE_NS (5 * MS)
#define LAST_WAIT_NS (200 * MS) /* for the last update, twice as long as two updates are apart */
#define CONTEXTS 4096u          /* more would take a noticeable part of a window */

/* ---- State of the thread ---- */

struct look {
  uint64_t ticks, launches;
  int is_idle;
  uint64_t millijoules[GP_DEVICES];
};

static struct {
  struct look begin; /* of the present window */
  uint64_t used;     /* the devices that it is about */
  uint64_t updated;  /* … with an update of their counters since */
  int has_begin;     /* the first update has been seen */
  unsigned contexts;
} window; /* the thread's own */

static struct gp_energy_totals totals; /* guarded by gp_context_lock() */
static _Atomic uint32_t stopping;
static _Atomic int is_alive;
static pthread_t thread;
static pthread_once_t begun = PTHREAD_ONCE_INIT;

/* ---- Attribution; with gp_context_lock() held ---- */

static uint64_t open_ticks(const struct gp_context *context, uint64_t now) {
  uint64_t ticks = 0;
  for (const struct gp_host_times *t = atomic_load(&context->host_times); t; t = t->next) {
    const struct gp_host_reading reading = gp_host_times_read(t, now);
    ticks += reading.total + reading.open;
  }
  return ticks;
}

static void add(struct gp_energy *to, double joules, double seconds) {
  to->joules += joules;
  to->seconds += seconds;
  to->windows++;
}

static struct gp_context_energy *energy_of(struct gp_context *context) {
  struct gp_context_values *values = context->values;
  if (values && values->energy)
    return values->energy;
  if (window.contexts < CONTEXTS && (values = gp_context_own_values(context)) &&
      (values->energy = calloc(1, sizeof *values->energy))) {
    window.contexts++;
    return values->energy;
  }
  totals.contexts_missed++;
  return NULL;
}

/* A region open on several threads, or several times at once, has the whole window at most. */
static void attribute_to(struct gp_context *context, uint64_t now, double ticks, double joules, double seconds) {
  const uint64_t open = open_ticks(context, now);
  struct gp_context_energy *energy = open ? energy_of(context) : NULL;
  if (!energy)
    return;
  const double opened = open > energy->open ? (double)(open - energy->open) : 0;
  const double share = opened < ticks ? opened / ticks : 1;
  energy->open = open;
  if (share > 0 && seconds > 0)
    add(&energy->sum, share * joules, share * seconds);
}

static void attribute(struct gp_context *context, uint64_t now, double ticks, double joules, double seconds) {
  if (context->site)
    attribute_to(context, now, ticks, joules, seconds);
  for (struct gp_context *child = atomic_load(&context->children); child; child = atomic_load(&child->sibling))
    attribute(child, now, ticks, joules, seconds);
}

/* ---- Windows ---- */

/* Below 0 where a counter went back. */
static double joules_between(const struct look *begin, const struct look *end, uint64_t used) {
  double millijoules = 0;
  for (int device = 0; device < GP_DEVICES; device++)
    if (used >> device & 1) {
      if (end->millijoules[device] < begin->millijoules[device])
        return -1;
      millijoules += (double)(end->millijoules[device] - begin->millijoules[device]);
    }
  return millijoules / 1000;
}

static void close_window(const struct look *end) {
  const struct look *begin = &window.begin;
  const double ticks = (double)(end->ticks - begin->ticks), seconds = ticks * gp_ticks_ns() / 1e9;
  const double joules = joules_between(begin, end, window.used);
  gp_context_lock();
  if (joules < 0 || ticks <= 0)
    totals.dropped++;
  else {
    add(&totals.run, joules, seconds);
    if (begin->is_idle && end->is_idle && begin->launches == end->launches)
      add(&totals.idle, joules, seconds);
  }
  /* also of a dropped window: what was open in it belongs to no later one */
  attribute(gp_context_root(), end->ticks, ticks > 0 ? ticks : 1, joules < 0 ? 0 : joules, joules < 0 ? 0 : seconds);
  gp_context_unlock();
}

/* What regions were open before the first window belongs to none. */
static void forget_open_time(const struct look *look) {
  gp_context_lock();
  attribute(gp_context_root(), look->ticks, 1, 0, 0);
  gp_context_unlock();
}

static const char *read_counters(struct look *look, uint64_t used) {
  unsigned others = 0;
  for (int device = 0; device < GP_DEVICES; device++) {
    unsigned processes = 0;
    const char *problem = used >> device & 1 ? gp_device()->energy(device, &look->millijoules[device], &processes) : NULL;
    if (problem)
      return problem;
    others += processes;
  }
  gp_context_lock();
  totals.other_processes = others > totals.other_processes ? others : totals.other_processes;
  gp_context_unlock();
  return NULL;
}

static void begin_window(const struct look *look, uint64_t used) {
  window.begin = *look;
  window.used = used;
  window.updated = 0;
}

static uint64_t updates(const struct look *look) {
  uint64_t devices = 0;
  for (int device = 0; device < GP_DEVICES; device++)
    devices |= (uint64_t)(look->millijoules[device] != window.begin.millijoules[device]) << device;
  return devices;
}

static int fail(const char *problem) {
  gp_context_lock();
  totals.problem = problem;
  gp_context_unlock();
  atomic_store(&stopping, 1);
  return 0;
}

/* A window begins and ends with an update of the counter: what is read between two is up to 100 ms old. With several devices
 * it ends when all have had one. */
int gp_energy_look(void) {
  struct look look = {.ticks = 0};
  const uint64_t used = gp_device()->used();
  const char *problem = used ? read_counters(&look, used) : NULL;
  if (problem)
    return fail(problem);
  if (!used)
    return 0;
  look.ticks = gp_host_clock();
  look.launches = gp_launches_hooked();
  look.is_idle = gp_device()->idle && gp_device()->idle();
  if (used != window.used) { /* another device is in use from now on */
    begin_window(&look, used);
    window.has_begin = 0;
  }
  window.updated |= updates(&look);
  if (window.updated != used)
    return 0;
  if (window.has_begin)
    close_window(&look);
  else
    forget_open_time(&look);
  const int ended = window.has_begin;
  window.has_begin = 1;
  begin_window(&look, used);
  return ended;
}

void gp_energy_forget(void) {
  memset(&window, 0, sizeof window);
  memset(&totals, 0, sizeof totals);
  atomic_store(&stopping, 0);
}

/* ---- The thread ---- */

static void pause_for(uint64_t ns, uint32_t seen) { gp_futex_wait(&stopping, seen, ns); }

static void *watch(void *unused) {
  static _Atomic uint32_t never;
  while (!atomic_load(&stopping)) {
    gp_energy_look();
    gp_own_thread_works();
    pause_for(PAUSE_NS, 0);
  }
  for (const uint64_t end = gp_now() + LAST_WAIT_NS; gp_now() < end && !totals.problem && !gp_energy_look();)
    gp_futex_wait(&never, 0, LAST_PAUSE_NS);
  gp_own_thread_works();
  return unused;
}

static void forget_after_fork(void) { atomic_store(&is_alive, 0); }

static void begin(void) {
  sigset_t all, before;
  totals.wanted = 1;
  if (!gp_device()->energy) {
    totals.problem = "the CPU device has no counter of energy; run the program on a GPU";
    return;
  }
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run on its own threads */
  const int error = pthread_create(&thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) {
    totals.problem = "no thread could be started";
    return;
  }
  pthread_setname_np(thread, "gpuprof-energy");
  pthread_atfork(NULL, NULL, forget_after_fork);
  atomic_store(&is_alive, 1);
}

void gp_energy_begin(void) {
  if (gp_settings()->energy)
    pthread_once(&begun, begin);
}

void gp_energy_finish(void) {
  if (!atomic_exchange(&is_alive, 0))
    return;
  atomic_store(&stopping, 1);
  gp_futex_wake(&stopping);
  pthread_join(thread, NULL);
}

/* ---- Results ---- */

struct gp_energy_totals gp_energy_totals(void) {
  gp_context_lock();
  const struct gp_energy_totals now = totals;
  gp_context_unlock();
  return now;
}

struct gp_energy gp_energy_of(const struct gp_context *context) {
  gp_context_lock();
  const struct gp_context_values *values = context->values;
  const struct gp_energy energy = values && values->energy ? values->energy->sum : (struct gp_energy){0};
  gp_context_unlock();
  return energy;
}
