// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core_calls.h"

#include "cpu/cpu_library.h"

static const struct gp_core_calls *core;

#define GP_CORE_CALL(result, name, parameters, arguments)                                                    \
  result name parameters { return core->name arguments; }
#include "cpu/core_calls.inc"

void gp_log(enum gp_level level, const char *about, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  core->gp_log_list(level, about, format, arguments);
  va_end(arguments);
}

/* ---- Locks: their constructors run while the library is opened ---- */
static struct {
  pthread_mutex_t *mutex;
  pthread_rwlock_t *rwlock;
} locks[GP_LOCK_COUNT];

void gp_lock_know(enum gp_lock lock, pthread_mutex_t *mutex, pthread_rwlock_t *rwlock) {
  locks[lock].mutex = mutex;
  locks[lock].rwlock = rwlock;
}

void gp_core_calls_open(const struct gp_core_calls *calls) {
  core = calls;
  for (int lock = 0; lock < GP_LOCK_COUNT; lock++)
    if (locks[lock].mutex || locks[lock].rwlock)
      core->gp_lock_know((enum gp_lock)lock, locks[lock].mutex, locks[lock].rwlock);
}
