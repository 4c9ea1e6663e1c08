/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The locks of the runtime, in the order in which a thread may take them: a holder of one takes only later
 * ones.
 *
 * BRIEF locks are held for a moment only. A fork waits for them: the child finds their data complete. LONG
 * locks are held while kernels run, files are written or a driver is called. A fork does not wait for them: a
 * child does not use their data, or makes it anew. The WHOLE lock is held while counts are read: a fork waits for it 0.1 s at
 * most, and the child learns whether the counts it has copies of are whole. In the child all locks are free.
 */
#ifndef GP_LOCKS_H
#define GP_LOCKS_H

#include "base/lock_order.h"

#include <pthread.h>

/* The lock of a kernel (struct gp_kernel) stands behind CUDA_GRAPHS. */
#define GP_LOCKS(LOCK)                                                                                                 \
  LOCK(SELECT, BRIEF)       /* the device in use */                                                                   \
  LOCK(REGISTRATION, BRIEF) /* CUDA's own registration of modules */                                                 \
  LOCK(REPORT, WHOLE)                                                                                                  \
  LOCK(CUDA_GRAPHS, LONG)                                                                                              \
  LOCK(COUNTERS, LONG) /* of records: behind the lock of a kernel */                                                  \
  LOCK(WARP_BYTES, LONG)                                                                                               \
  LOCK(HARDWARE, LONG)                                                                                                 \
  LOCK(REPEATS, LONG) /* of launches */                                                                              \
  LOCK(GRAPH_LAUNCHES, LONG)                                                                                           \
  LOCK(ADDRESSES, LONG)                                                                                                \
  LOCK(CLONES, LONG)                                                                                                   \
  LOCK(MARKS, LONG)                                                                                                    \
  LOCK(ATTACH, LONG)                                                                                                   \
  LOCK(STEPS, LONG)                                                                                                    \
  LOCK(CAPTURE, LONG) /* graphs of the CPU device */                                                                  \
  LOCK(IPC, LONG)                                                                                                      \
  LOCK(SHARE, LONG)                                                                                                    \
  LOCK(LAUNCHING, LONG) /* the workers of the CPU device */                                                           \
  LOCK(OUTPUT, LONG)                                                                                                   \
  LOCK(EVENTS, LONG)                                                                                                   \
  LOCK(OWN_MEMORY, LONG)                                                                                               \
  LOCK(MEMORY_WRITES, LONG)                                                                                            \
  LOCK(STREAMS, BRIEF)                                                                                                 \
  LOCK(MACHINE_CODE, BRIEF)                                                                                            \
  LOCK(SIBLINGS, BRIEF)                                                                                                \
  LOCK(CUPTI_POOL, BRIEF)                                                                                              \
  LOCK(TIED_LAUNCHES, BRIEF)                                                                                           \
  LOCK(CORRELATION, BRIEF)                                                                                             \
  LOCK(NVTX, BRIEF)                                                                                                    \
  LOCK(KERNELS, BRIEF)                                                                                                 \
  LOCK(MODULES, BRIEF)                                                                                                 \
  LOCK(RECORDS, BRIEF)                                                                                                 \
  LOCK(REGIONS, BRIEF)                                                                                                 \
  LOCK(UNCOUNTED, BRIEF)                                                                                               \
  LOCK(COMMUNICATION, BRIEF)                                                                                           \
  LOCK(TIMELINE, BRIEF)                                                                                                \
  LOCK(HOST_HISTORY, BRIEF)                                                                                            \
  LOCK(COPIES, BRIEF)                                                                                                  \
  LOCK(TRACE_NAMES, BRIEF)                                                                                             \
  LOCK(TRACE_ROWS, BRIEF)                                                                                              \
  LOCK(STACKS, BRIEF)                                                                                                  \
  LOCK(USAGE, BRIEF)                                                                                                   \
  LOCK(API_POOL_SHARE, BRIEF)                                                                                          \
  LOCK(API_POOL, BRIEF)                                                                                                \
  LOCK(API_LAUNCH, BRIEF)                                                                                              \
  LOCK(API_STREAM, BRIEF)                                                                                              \
  LOCK(API_EVENT, BRIEF)                                                                                               \
  LOCK(API_MEMORY, BRIEF)                                                                                              \
  LOCK(DRIVER_CONTEXTS, BRIEF)                                                                                         \
  LOCK(GRAPH_CONDITIONS, BRIEF)                                                                                        \
  LOCK(GRAPH_MEMORY, BRIEF)                                                                                            \
  LOCK(OBJECTS, BRIEF)                                                                                                 \
  LOCK(MAPPINGS, BRIEF)                                                                                                \
  LOCK(ARENA, BRIEF)                                                                                                   \
  LOCK(LOG, BRIEF)

enum gp_lock {
#define LOCK(name, kind) GP_LOCK_##name,
  GP_LOCKS(LOCK)
#undef LOCK
  GP_LOCK_COUNT
};

/* A waiting thread tries for a moment before it sleeps: most locks are held for less than a sleep takes. */
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define GP_MUTEX_INITIALIZER PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define GP_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#endif

/* Defines a static lock, and makes it known to forks. */
#define GP_MUTEX(name, lock)                                                                                           \
  static pthread_mutex_t name = GP_MUTEX_INITIALIZER;                                                                  \
  __attribute__((constructor)) static void gp_know_##lock(void) { gp_lock_know(lock, &name, NULL); }
#define GP_RWLOCK(name, lock)                                                                                          \
  static pthread_rwlock_t name = PTHREAD_RWLOCK_INITIALIZER;                                                           \
  __attribute__((constructor)) static void gp_know_##lock(void) { gp_lock_know(lock, NULL, &name); }

void gp_lock_know(enum gp_lock lock, pthread_mutex_t *mutex, pthread_rwlock_t *rwlock);
/* True if this lock has been made known. */
int gp_lock_is_known(enum gp_lock lock);
/* The place of a static lock; -1 for any other. */
int gp_lock_place(const void *lock);

/* For pthread_atfork(). */
void gp_locks_before_fork(void);
void gp_locks_in_parent(void);
/* Returns 1 if nobody held the WHOLE lock at the fork. */
int gp_locks_in_child(void);

#endif
