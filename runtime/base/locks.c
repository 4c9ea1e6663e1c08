// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define GP_LOCK_ORDER_UNCHECKED /* a fork takes them in order, whatever its thread holds */
#include "base/locks.h"

#include <stdint.h>
#include <time.h>

enum kind { BRIEF, LONG, WHOLE };

static const enum kind kinds[] = {
#define LOCK(name, kind) kind,
    GP_LOCKS(LOCK)
#undef LOCK
};

static struct {
  pthread_mutex_t *mutex;
  pthread_rwlock_t *rwlock;
} all[GP_LOCK_COUNT];

static _Thread_local uint64_t taken; /* by a fork of this thread: a bit a lock */
_Static_assert(GP_LOCK_COUNT <= 64, "a lock has no bit");
static int is_taken(size_t i) { return (int)(taken >> i & 1); }

void gp_lock_know(enum gp_lock lock, pthread_mutex_t *mutex, pthread_rwlock_t *rwlock) {
  all[lock].mutex = mutex;
  all[lock].rwlock = rwlock;
}

int gp_lock_is_known(enum gp_lock lock) { return all[lock].mutex || all[lock].rwlock; }

int gp_lock_place(const void *lock) {
  for (int i = 0; i < GP_LOCK_COUNT; i++)
    if (lock == all[i].mutex || lock == all[i].rwlock)
      return i;
  return -1;
}

/* A bound, since a signal handler may fork while its own thread holds one of them. */
static struct timespec deadline(enum kind kind) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_nsec += kind == WHOLE ? 100000000 : 1000000000;
  now.tv_sec += now.tv_nsec / 1000000000;
  now.tv_nsec %= 1000000000;
  return now;
}

static int take(size_t i, const struct timespec *end) {
  if (all[i].mutex)
    return !pthread_mutex_timedlock(all[i].mutex, end);
  return all[i].rwlock && !pthread_rwlock_timedwrlock(all[i].rwlock, end);
}

void gp_locks_before_fork(void) {
  const struct timespec ends[] = {[BRIEF] = deadline(BRIEF), [WHOLE] = deadline(WHOLE)};
  taken = 0;
  for (size_t i = 0; i < GP_LOCK_COUNT; i++)
    if (kinds[i] != LONG && take(i, &ends[kinds[i]]))
      taken |= 1ull << i;
}

void gp_locks_in_parent(void) {
  for (size_t i = GP_LOCK_COUNT; i-- > 0;) {
    if (is_taken(i) && all[i].mutex)
      pthread_mutex_unlock(all[i].mutex);
    else if (is_taken(i))
      pthread_rwlock_unlock(all[i].rwlock);
  }
  taken = 0;
}

/* Their owners are threads missing in the child. */
int gp_locks_in_child(void) {
  int whole = 1;
  gp_lock_order_forget();
  for (size_t i = 0; i < GP_LOCK_COUNT; i++) {
    whole &= kinds[i] != WHOLE || is_taken(i);
    if (all[i].mutex)
      *all[i].mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (all[i].rwlock)
      *all[i].rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  }
  taken = 0;
  return whole;
}
