// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/select.h"

#include "core/locks.h"
#include "core/log.h"
#include "core/settings.h"
#include "cpu/cpu_library.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "process/no_device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic(const struct gp_device_ops *) chosen;
GP_MUTEX(lock, GP_LOCK_SELECT)

static const struct gp_device_ops *cpu_or_none(void) {
  const struct gp_device_ops *cpu = gp_cpu_device_open();
  return cpu ? cpu : &gp_no_device;
}

static const struct gp_device_ops *choose(void) {
  const char *wanted = gp_settings()->device;
  if (wanted && !strcmp(wanted, "cpu"))
    return cpu_or_none();
  if (gp_cuda_usable())
    return &gp_device_cuda;
  if (wanted)
    gp_log(GP_WARN, "GPUPROF_DEVICE", "no usable GPU was found, so kernels run on the CPU device; "
                                      "'gpuprof doctor' says what is missing");
  return cpu_or_none();
}

const struct gp_device_ops *gp_device(void) {
  const struct gp_device_ops *device = atomic_load_explicit(&chosen, memory_order_acquire);
  if (device)
    return device;
  pthread_mutex_lock(&lock);
  device = atomic_load(&chosen);
  if (!device) {
    device = choose();
    atomic_store(&chosen, device);
  }
  pthread_mutex_unlock(&lock);
  return device;
}

void gp_device_override(const struct gp_device_ops *device) { atomic_store(&chosen, device); }
