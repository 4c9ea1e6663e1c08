// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/journal.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "base/settings.h"
#include "base/state.h"
#include "core/gate.h"
#include "process/ends.h"
#include "report/output.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)
#define EAGER_PAUSE_NS (1 * MS)      /* before the first document where nothing is waited for on a device */
#define FIRST_PAUSE_NS (50 * MS)     /* each pause is twice as long as the previous one … */
#define LONGEST_PAUSE_NS (800 * MS)  /* … up to this one: no document is older than a second */
#define FAILED_PAUSE_NS (10000 * MS)
#define WORK_SHARE 1000u             /* the thread works for this part of the time if its pauses need not grow … */
#define MOST_WORK_SHARE 100u         /* … and for this part at most */
#define LAST_WAIT_NS (1000 * MS)     /* of an end for the last document */
#define LAST_LOOKS_NS (1 * MS)
#define JOIN_SECONDS 10
#define STACK_BYTES (8u << 20) /* the size of a main thread's stack; unused pages take no memory */

enum life { UNBORN, ALIVE, OVER };
static _Atomic int life;
static _Atomic uint32_t calls; /* changes when the thread is wanted */
static _Atomic int stopping, written;
static _Atomic pid_t owner;
static pthread_t thread;
static pthread_once_t begun = PTHREAD_ONCE_INIT;

/* The last document. Withdrawn: the program went on before it was written. */
enum asked { NOT_ASKED, ASKING, ASKED, ANSWERED, WITHDRAWN };
static _Atomic int asked;
static struct {
  const char *how;
  int signal;
  unsigned excused;
} last;

static __thread int is_journal __attribute__((tls_model("initial-exec")));

/* ---- The thread ---- */

static void call(void) {
  atomic_fetch_add(&calls, 1);
  gp_futex_wake(&calls);
}

static void wait_for_call(uint64_t pause_ns) {
  const uint64_t end = gp_now() + pause_ns;
  for (uint64_t now = gp_now(); now < end; now = gp_now()) {
    const uint32_t seen = atomic_load(&calls);
    if (atomic_load(&stopping) || atomic_load(&asked) == ASKED)
      return;
    gp_futex_wait(&calls, seen, end - now);
  }
}

static uint64_t work_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t pause_behind(uint64_t work) {
  const uint64_t aimed = work * WORK_SHARE, least = work * MOST_WORK_SHARE;
  const uint64_t pause = aimed < LONGEST_PAUSE_NS ? aimed : LONGEST_PAUSE_NS;
  return pause > least ? pause : least;
}

/* Returns the least pause until the next one. Unwritten changes remain for the end of the program. */
static uint64_t write_changes(void) {
  if (!atomic_load(&gp_output_chosen)) /* a launch that has just begun, or an uncounted one */
    return 0;
  if (!gp_take_changes())
    return 0;
  const uint64_t begin = work_ns();
  const struct gp_report_cause cause = {.occasion = GP_ON_THE_WAY};
  const int error = gp_report_write(&cause);
  if (error) { /* a failure, or there is no file to replace */
    gp_changes_remain();
    return FAILED_PAUSE_NS;
  }
  atomic_store(&written, 1);
  return pause_behind(work_ns() - begin);
}

static int changes(int from, int to) { return atomic_compare_exchange_strong(&asked, &from, to); }

static void write_last(void) {
  const struct gp_report_cause cause = {
      .occasion = GP_AT_A_SUDDEN_END, .how = last.how, .signal = last.signal, .excused = last.excused};
  (void)gp_take_changes();
  gp_report_write(&cause);
  if (!changes(ASKED, ANSWERED))
    changes(WITHDRAWN, NOT_ASKED);
}

static void *keep(void *unused) {
  uint64_t pause = gp_device()->idle ? FIRST_PAUSE_NS : EAGER_PAUSE_NS, least = 0;
  is_journal = 1;
  while (!atomic_load(&stopping)) {
    wait_for_call(pause > least ? pause : least);
    changes(WITHDRAWN, NOT_ASKED);
    if (atomic_load(&asked) == ASKED)
      write_last();
    else if (!atomic_load(&stopping) && atomic_load(&asked) == NOT_ASKED)
      least = write_changes();
    gp_own_thread_works();
    pause = 2 * pause < LONGEST_PAUSE_NS ? 2 * pause : LONGEST_PAUSE_NS;
  }
  return unused;
}

static int start(void) {
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run on its own threads */
  int error = pthread_attr_init(&attributes);
  if (!error) {
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    error = pthread_create(&thread, &attributes, keep, NULL);
    pthread_attr_destroy(&attributes);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* ---- Begin and end ---- */

static void begin(void) {
  if (!gp_settings()->journal || atomic_load(&life) != UNBORN)
    return;
  atomic_store(&owner, getpid());
  const int error = start();
  if (error) {
    gp_log(GP_WARN, "GPUPROF_JOURNAL", "no thread could be started: %s; if the program does not end by exit() or a return from main(), "
                                       "its report is lost", strerror(error));
    return;
  }
  pthread_setname_np(thread, "gpuprof");
  atomic_store(&life, ALIVE);
  if (gp_settings()->signals)
    gp_ends_watch();
}

void gp_journal_begin(void) {
  if (atomic_load_explicit(&life, memory_order_relaxed) != UNBORN)
    return;
  const int error = errno;
  pthread_once(&begun, begin);
  errno = error;
}

int gp_journal_stop(void) {
  if (atomic_exchange(&life, OVER) != ALIVE)
    return 0;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += JOIN_SECONDS;
  atomic_store(&stopping, 1);
  call();
  if (pthread_timedjoin_np(thread, NULL, &limit)) /* it waits for a device without response */
    gp_log(GP_DEBUG, "", "the journal did not end in time");
  return atomic_load(&written);
}

void gp_journal_in_child(void) {
  static const pthread_once_t not_yet = PTHREAD_ONCE_INIT;
  begun = not_yet;
  atomic_store(&life, UNBORN);
  atomic_store(&stopping, 0);
  atomic_store(&written, 0);
  atomic_store(&asked, NOT_ASKED);
}

/* ---- A sudden end ---- */

static int was_answered(void) {
  const struct timespec pause = {.tv_nsec = LAST_LOOKS_NS};
  call();
  for (const uint64_t end = gp_now() + LAST_WAIT_NS; gp_now() < end; nanosleep(&pause, NULL))
    if (atomic_load(&asked) == ANSWERED)
      return 1;
  return 0;
}

void gp_journal_last(const char *how, int signal) {
  if (atomic_load(&life) != ALIVE || getpid() != atomic_load(&owner))
    return;
  const int error = errno;
  if (changes(NOT_ASKED, ASKING)) {
    last.how = how;
    last.signal = signal;
    last.excused = (unsigned)gp_gate_is_inside();
    atomic_store(&asked, ASKED);
  }
  if ((is_journal || !was_answered()) && signal)
    gp_report_name_signal(signal);
  errno = error;
}

void gp_journal_goes_on(void) {
  if (atomic_load(&life) != ALIVE || getpid() != atomic_load(&owner))
    return;
  gp_report_changed(); /* the document reports its end */
  atomic_store(&written, 1);
  if (!changes(ANSWERED, NOT_ASKED) && !changes(ASKED, WITHDRAWN))
    changes(ANSWERED, NOT_ASKED); /* in between */
}
