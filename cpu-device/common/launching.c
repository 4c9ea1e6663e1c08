// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/launching.h"

#include "base/locks.h"

GP_MUTEX(launching, GP_LOCK_LAUNCHING)

void gp_cpu_launching_lock(void) { pthread_mutex_lock(&launching); }
void gp_cpu_launching_unlock(void) { pthread_mutex_unlock(&launching); }

void gp_cpu_exclusive(void (*f)(void *), void *closure) {
  gp_cpu_launching_lock();
  f(closure);
  gp_cpu_launching_unlock();
}

void gp_cpu_wait(void) {
  gp_cpu_launching_lock();
  gp_cpu_launching_unlock();
}
