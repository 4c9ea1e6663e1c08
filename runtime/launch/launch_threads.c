// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_threads.h"

#include "base/log.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The first place is that of launches without a thread. */
static _Atomic(struct gp_launch_thread *) threads[GP_LAUNCH_THREADS];
static _Atomic uint64_t strays;

struct gp_launch_thread *gp_launch_thread_of(uint32_t number) {
  return number && number < GP_LAUNCH_THREADS ? atomic_load_explicit(&threads[number], memory_order_acquire) : NULL;
}

static struct gp_launch_thread *left_by_another(void) {
  struct gp_launch_thread *thread;
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&thread->heirloom.is_owned, &nobody, 1))
      return thread;
  }
  return NULL;
}

/* The first free number; 0: there is none. */
static uint32_t number_of(struct gp_launch_thread *thread) {
  for (thread->number = 1; thread->number < GP_LAUNCH_THREADS; thread->number++) {
    struct gp_launch_thread *nobody = NULL;
    if (atomic_compare_exchange_strong(&threads[thread->number], &nobody, thread))
      return thread->number;
  }
  return 0;
}

static struct gp_launch_thread *make(void) {
  struct gp_launch_thread *thread = aligned_alloc(_Alignof(struct gp_launch_thread), sizeof *thread);
  if (!thread) {
    gp_log_exhausted("launches");
    return NULL;
  }
  memset(thread, 0, sizeof *thread);
  atomic_init(&thread->heirloom.is_owned, 1);
  if (!number_of(thread)) {
    free(thread);
    return NULL;
  }
  gp_unlocked_launches_join(&thread->unlocked);
  return thread;
}

static struct gp_launch_thread *take(struct gp_thread_facts *own) {
  struct gp_launch_thread *thread = left_by_another();
  if (!thread && !(thread = make()))
    return NULL;
  own->left[0] = &thread->heirloom;
  return own->launches = thread;
}

struct gp_launch_thread *gp_launch_thread(void) {
  struct gp_thread_facts *own = gp_thread_facts();
  return !own ? NULL : own->launches ? own->launches : take(own);
}

uint64_t gp_launch_next_id(struct gp_launch_thread *own) {
  return own ? ++own->launches * GP_LAUNCH_THREADS + own->number : (atomic_fetch_add(&strays, 1) + 1) * GP_LAUNCH_THREADS;
}

void gp_launch_threads_in_child(void) {
  const struct gp_thread_facts *own = gp_thread_facts();
  struct gp_launch_thread *thread;
  for (uint32_t number = 1; (thread = gp_launch_thread_of(number)); number++)
    if (!own || thread != own->launches)
      atomic_store(&thread->heirloom.is_owned, 0);
}
