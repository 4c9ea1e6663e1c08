// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/cpu_library.h"

#include <pthread.h>

struct gpuprof_cpu_sectors __gpuprof_cpu_sectors;

static const struct gp_core_calls calls = {
    .version = GPUPROF_VERSION,
    .bytes = sizeof calls,
#define GP_CORE_CALL(result, name, parameters, arguments) .name = name,
#include "cpu/core_calls.inc"
    .gp_log_list = gp_log_list,
    .gp_lock_know = gp_lock_know,
    .sectors = &__gpuprof_cpu_sectors,
};

static const struct gp_cpu_library *library;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

/* Compiled kernels run on the CPU device alone: none jumps before. */
static void fill_entries(void) {
  size_t i = 0;
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters)                                                          \
  gp_cpu_entry_slots[i] = library->entries[i];                                                               \
  i++;
#include "gpuprof/cpu_entries.inc"
}

static void open_once(void) {
  gp_cpu_open_function *open = gp_cpu_library_open();
  library = open ? open(&calls) : NULL;
  if (library)
    fill_entries();
  else if (open)
    gp_log(GP_ERROR, "CPU device", "libgpuprof-cpu.so is of another version than libgpuprof.so; install gpuprof again");
}

const struct gp_device_ops *gp_cpu_device_open(void) {
  pthread_once(&opened, open_once);
  return library ? library->device : NULL;
}
