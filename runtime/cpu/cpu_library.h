/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The CPU device is a library of its own, libgpuprof-cpu.so, opened by processes using this device. These are
 * the tables exchanged with libgpuprof; both are built together.
 */
#ifndef GP_CPU_LIBRARY_H
#define GP_CPU_LIBRARY_H

#include "base/device.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/own_file.h"
#include "base/settings.h"
#include "base/signal_calls.h"
#include "base/state.h"
#include "exports/cudart.h"
#include "exports/driver_functions.h"
#include "gpuprof/abi.h"
#include "launch/launch_hook.h"
#include "launch/launch_times.h"
#include "sheet/modules.h"
#include "sheet/units.h"

#include <stdarg.h>

struct gp_core_calls {
  const char *version; /* both have one version, or the library is refused */
  size_t bytes;        /* of this structure */
#define GP_CORE_CALL(result, name, parameters, arguments) result(*name) parameters;
#include "cpu/core_calls.inc"
  void (*gp_log_list)(enum gp_level level, const char *about, const char *format, va_list arguments);
  void (*gp_lock_know)(enum gp_lock lock, pthread_mutex_t *mutex, pthread_rwlock_t *rwlock);
  struct gpuprof_cpu_sectors *sectors; /* compiled code reads them */
};

struct gp_cpu_library {
  const struct gp_device_ops *device;
  const void *const *entries; /* in the order of gpuprof/cpu_entries.inc */
};

/* The only function exported by the library. Null: it has another version. */
typedef const struct gp_cpu_library *gp_cpu_open_function(const struct gp_core_calls *core);
#define GP_CPU_OPEN "gp_cpu_open"

/* The CPU device; the first call opens its library. Returns null after one sentence if it cannot be
 * opened. */
const struct gp_device_ops *gp_cpu_device_open(void);

/* cpu_library_file.c. Finds and opens the library; null after one sentence. */
gp_cpu_open_function *gp_cpu_library_open(void);

/* cpu_entries.S: the target of each entry's jump. */
extern const void *gp_cpu_entry_slots[];

#endif
