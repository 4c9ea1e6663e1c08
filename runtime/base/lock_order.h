/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builds with assertions check each lock taken: it must stand behind all locks held by the thread (locks.h).
 * A breach ends the process with a sentence. Builds without assertions contain no check.
 *
 * Macros replace the names of the pthread functions: the check covers every call in a file including locks.h.
 */
#ifndef GP_LOCK_ORDER_H
#define GP_LOCK_ORDER_H

#include <pthread.h>

#ifdef NDEBUG

#define gp_assert_held(lock) ((void)0)
#define gp_assert_holds(place) ((void)0)
#define gp_lock_stands_behind(lock, before) ((void)0)
static inline void gp_lock_order_forget(void) {}

#else

int gp_checked_mutex_lock(pthread_mutex_t *lock);
int gp_checked_mutex_trylock(pthread_mutex_t *lock);
int gp_checked_mutex_unlock(pthread_mutex_t *lock);
int gp_checked_rdlock(pthread_rwlock_t *lock);
int gp_checked_wrlock(pthread_rwlock_t *lock);
int gp_checked_rwlock_unlock(pthread_rwlock_t *lock);

/* The calling thread holds the lock. */
void gp_assert_held(const void *lock);
/* The same for a static lock of another file: an `enum gp_lock`. */
void gp_assert_holds(int lock);
/* A non-static lock, just taken by the thread, stands directly behind `before`. */
void gp_lock_stands_behind(const void *lock, int before);
/* A child of a fork holds none. */
void gp_lock_order_forget(void);

#ifndef GP_LOCK_ORDER_UNCHECKED
#define pthread_mutex_lock gp_checked_mutex_lock
#define pthread_mutex_trylock gp_checked_mutex_trylock
#define pthread_mutex_unlock gp_checked_mutex_unlock
#define pthread_rwlock_rdlock gp_checked_rdlock
#define pthread_rwlock_wrlock gp_checked_wrlock
#define pthread_rwlock_unlock gp_checked_rwlock_unlock
#endif

#endif

#endif
