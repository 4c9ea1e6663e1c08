// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define GP_LOCK_ORDER_UNCHECKED
#include "base/locks.h"

#ifndef NDEBUG

#include <stdio.h>
#include <stdlib.h>

/* A thread holding more is a bug, or has graphs of more kernels than are checked. */
#define HELD 64

enum { NO_PLACE = -1 };

static const char *const names[] = {
#define LOCK(name, kind) #name,
    GP_LOCKS(LOCK)
#undef LOCK
};

/* Places of static locks are even. The odd ones between them are for locks directly behind a static one. */
struct held {
  const void *lock;
  int place;
};
static _Thread_local struct held held[HELD];
static _Thread_local int held_count;

static const char *name_of(int place) { return place == NO_PLACE ? "a lock of an object" : names[place / 2]; }
static const char *behind(int place) { return place != NO_PLACE && place % 2 ? "one behind " : ""; }

static void breach(const char *what, int place, int other) {
  fprintf(stderr, "gpuprof: %s%s is taken %s%s%s; runtime/base/locks.h has the order\n", behind(place), name_of(place), what,
          behind(other), name_of(other));
  abort();
}

static int holds_place(int place) {
  for (int i = 0; i < held_count; i++)
    if (held[i].place == place)
      return 1;
  return 0;
}

/* A thread holding a static lock may hold several of the locks directly behind it. */
static void check_order(int place, int count) {
  for (int i = 0; i < count && place != NO_PLACE; i++)
    if (held[i].place != NO_PLACE && held[i].place > place)
      breach("after ", place, held[i].place);
    else if (held[i].place == place && (place % 2 == 0 || !holds_place(place - 1)))
      breach("again after ", place, place);
}

static int place_of(const void *lock) {
  const int found = gp_lock_place(lock);
  return found < 0 ? NO_PLACE : 2 * found;
}

static void note(const void *lock, int place) {
  if (held_count < HELD)
    held[held_count++] = (struct held){lock, place};
}

static void forget(const void *lock) {
  for (int i = held_count; i-- > 0;)
    if (held[i].lock == lock) {
      for (held_count--; i < held_count; i++)
        held[i] = held[i + 1];
      return;
    }
}

int gp_checked_mutex_lock(pthread_mutex_t *lock) {
  const int place = place_of(lock);
  check_order(place, held_count);
  const int error = pthread_mutex_lock(lock);
  if (!error)
    note(lock, place);
  return error;
}

/* Does not wait: any order is allowed. */
int gp_checked_mutex_trylock(pthread_mutex_t *lock) {
  const int error = pthread_mutex_trylock(lock);
  if (!error)
    note(lock, NO_PLACE);
  return error;
}

int gp_checked_mutex_unlock(pthread_mutex_t *lock) {
  forget(lock);
  return pthread_mutex_unlock(lock);
}

int gp_checked_rdlock(pthread_rwlock_t *lock) {
  const int place = place_of(lock);
  check_order(place, held_count);
  const int error = pthread_rwlock_rdlock(lock);
  if (!error)
    note(lock, place);
  return error;
}

int gp_checked_wrlock(pthread_rwlock_t *lock) {
  const int place = place_of(lock);
  check_order(place, held_count);
  const int error = pthread_rwlock_wrlock(lock);
  if (!error)
    note(lock, place);
  return error;
}

int gp_checked_rwlock_unlock(pthread_rwlock_t *lock) {
  forget(lock);
  return pthread_rwlock_unlock(lock);
}

void gp_assert_held(const void *lock) {
  for (int i = held_count; i-- > 0;)
    if (held[i].lock == lock)
      return;
  if (held_count == HELD)
    return;
  fprintf(stderr, "gpuprof: %s is not held where it has to be\n", name_of(place_of(lock)));
  abort();
}

void gp_assert_holds(int lock) {
  if (holds_place(2 * lock) || held_count == HELD)
    return;
  fprintf(stderr, "gpuprof: %s is not held where it has to be\n", name_of(2 * lock));
  abort();
}

void gp_lock_stands_behind(const void *lock, int before) {
  for (int i = held_count; i-- > 0;)
    if (held[i].lock == lock) {
      check_order(2 * before + 1, i);
      held[i].place = 2 * before + 1;
      return;
    }
}

void gp_lock_order_forget(void) { held_count = 0; }

#endif
