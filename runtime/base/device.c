// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/device.h"

#include "base/locks.h"
#include "base/process_calls.h"

#include <pthread.h>

_Atomic(const struct gp_device_ops *) gp_chosen_device;
GP_MUTEX(lock, GP_LOCK_SELECT)

const struct gp_device_ops *gp_choose_device(void) {
  pthread_mutex_lock(&lock);
  const struct gp_device_ops *device = atomic_load(&gp_chosen_device);
  if (!device) {
    device = gp_process_calls.choose_device();
    atomic_store(&gp_chosen_device, device);
  }
  pthread_mutex_unlock(&lock);
  return device;
}

void gp_device_override(const struct gp_device_ops *device) { atomic_store(&gp_chosen_device, device); }
