// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kernels by their host stubs, and their settings made by the program. */
#include "base/locks.h"
#include "base/log.h"
#include "base/state.h"
#include "common/errors.h"
#include "cuda-api/work/work.h"
#include "launch/launch_times.h"
#include "sheet/modules.h"
#include "sheet/units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define COMPILE_IT "compile its file with the gpuprof plugin and device=both or cpu"
static const char no_version[] = "it has no version for the CPU device: " COMPILE_IT;

/* An unregistered function is no handle, null no function. A registered one may have no version for the CPU.
 * At the end of the program its kernels are unregistered while threads of the host may still launch them. */
const struct gpuprof_cpu_kernel *gp_cpu_find_kernel(const void *function, int *error) {
  const struct gpuprof_cpu_kernel *kernel = gp_modules_cpu_kernel(function);
  *error = 0;
  if (kernel)
    return kernel;
  const char *name = function ? gp_modules_function_name(function) : NULL;
  *error = !function           ? GP_ERROR_INVALID_FUNCTION
           : gp_modules_lost() ? GP_ERROR_MEMORY_ALLOCATION /* reported at its registration */
           : name              ? GP_ERROR_NO_KERNEL_IMAGE
           : gp_ended()        ? GP_ERROR_CUDART_UNLOADING
                               : GP_ERROR_INVALID_HANDLE;
  if (*error != GP_ERROR_CUDART_UNLOADING && *error != GP_ERROR_MEMORY_ALLOCATION)
    gp_log(GP_ERROR, name ? name : "a kernel", "%s",
           name ? no_version
                : "it was launched, but no file that was compiled for the CPU device registered it: " COMPILE_IT);
  if (*error == GP_ERROR_NO_KERNEL_IMAGE)
    gp_launch_failed(no_version, 0);
  return NULL;
}

/* Kept for the life of the process: the list is read without the lock. The lock guards `settings`. */
struct set_kernel {
  const void *function;
  struct set_kernel *next;
  struct gp_kernel_settings settings;
};

GP_MUTEX(lock, GP_LOCK_API_LAUNCH)
static _Atomic(struct set_kernel *) set_kernels;

static const struct gp_kernel_settings none = {.dynamic_shared_bytes = -1, .carveout = -1};

static struct set_kernel *find_set(const void *function) {
  struct set_kernel *kernel = atomic_load_explicit(&set_kernels, memory_order_acquire);
  while (kernel && kernel->function != function)
    kernel = kernel->next;
  return kernel;
}

/* Most kernels have none: without them nothing is locked. */
struct gp_kernel_settings gp_cpu_kernel_settings(const void *function) {
  struct gp_kernel_settings found = none;
  const struct set_kernel *kernel = find_set(function);
  if (kernel) {
    pthread_mutex_lock(&lock);
    found = kernel->settings;
    pthread_mutex_unlock(&lock);
  }
  found.function = function;
  return found;
}

/* The caller holds the lock. */
static struct set_kernel *add_set(const void *function) {
  struct set_kernel *kernel = malloc(sizeof *kernel);
  if (!kernel)
    return NULL;
  kernel->function = function;
  kernel->next = atomic_load_explicit(&set_kernels, memory_order_relaxed);
  kernel->settings = none;
  atomic_store_explicit(&set_kernels, kernel, memory_order_release);
  return kernel;
}

int gp_cpu_keep_kernel_settings(struct gp_kernel_settings settings) {
  pthread_mutex_lock(&lock);
  struct set_kernel *known = find_set(settings.function);
  struct set_kernel *kernel = known ? known : add_set(settings.function);
  if (kernel)
    kernel->settings = settings;
  pthread_mutex_unlock(&lock);
  return kernel ? 0 : GP_ERROR_MEMORY_ALLOCATION;
}

uint32_t gp_cpu_dynamic_limit(const void *function, const struct gpuprof_cpu_kernel *kernel) {
  struct gp_kernel_settings settings = gp_cpu_kernel_settings(function);
  if (settings.dynamic_shared_bytes >= 0)
    return (uint32_t)settings.dynamic_shared_bytes;
  return kernel->static_shared_bytes < GP_CPU_SHARED_DEFAULT
             ? GP_CPU_SHARED_DEFAULT - kernel->static_shared_bytes
             : 0;
}
