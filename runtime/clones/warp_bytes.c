// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/warp_bytes.h"

#include "base/locks.h"
#include "base/log.h"
#include "core/kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One a device, used by one launch at a time. */
GP_MUTEX(lock, GP_LOCK_WARP_BYTES)
static uint64_t tables[GP_DEVICES]; /* device addresses; 0: none yet */

void gp_warp_bytes_forget(int device) {
  pthread_mutex_lock(&lock);
  tables[device] = 0;
  pthread_mutex_unlock(&lock);
}

static int has_warp_kernel(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (!gp_instance_sheet(&kernel->instances[i])->has_warp_kernel)
      return 0;
  return kernel->instance_count > 0;
}

static int is_wanted(const struct gp_kernel *kernel) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  return plan && plan->check && has_warp_kernel(kernel);
}

int gp_warp_bytes_in_place(const struct gp_kernel *kernel) { return is_wanted(kernel) && !gp_device()->undo; }

/* ---- One launch ---- */

struct run {
  struct gp_launch launch;
  uint64_t table;
  struct gp_warp_bytes *bytes;
  int error;
};

static int read_table(const struct run *run) {
  struct gpuprof_warp_table *table = malloc(sizeof *table);
  const int failed = !table || gp_device()->read(table, run->table, sizeof *table);
  for (size_t line = 0; !failed && line < GPUPROF_WARP_LINES; line++)
    for (size_t i = 0; i < GPUPROF_WARP_COUNTS; i++) {
      run->bytes->requested[i] += table->bytes[line][i].requested;
      run->bytes->distinct[i] += table->bytes[line][i].distinct;
    }
  free(table);
  return failed;
}

/* Null, or the reason for a failure. */
static const char *run_copy(void *closure) {
  struct run *run = closure;
  if (gp_device()->zero(run->table, sizeof(struct gpuprof_warp_table)))
    return "the device reports an error";
  const char *why = gp_device()->launch_instrumented(&run->launch, GPUPROF_WARPS_SUFFIX, &run->error);
  if (why || run->error)
    return why;
  if (read_table(run))
    return "the device reports an error";
  run->bytes->launches = 1;
  return NULL;
}

void gp_warp_bytes_count(const struct gp_kernel *kernel, const struct gp_launch *launch,
                         struct gp_warp_bytes *bytes, int *ran, int *error) {
  *bytes = (struct gp_warp_bytes){0};
  *ran = *error = 0;
  if (!is_wanted(kernel))
    return;
  const size_t parameters = gp_instance_sheet(&kernel->instances[0])->parameters;
  void **arguments = malloc((parameters + 1) * sizeof *arguments);
  struct run run = {.launch = *launch, .bytes = bytes};
  const char *why = "memory is exhausted";
  pthread_mutex_lock(&lock);
  uint64_t *table = &tables[launch->device];
  if (arguments && (*table || !gp_device()->allocate(table, sizeof(struct gpuprof_warp_table)))) {
    run.table = *table;
    if (parameters)
      memcpy(arguments, launch->arguments, parameters * sizeof *arguments);
    arguments[parameters] = &run.table;
    run.launch.arguments = arguments;
    why = gp_device()->undo ? gp_device()->undo(run_copy, &run) : run_copy(&run);
  }
  pthread_mutex_unlock(&lock);
  free(arguments);
  *ran = !why || bytes->launches;
  *error = run.error;
  if (why)
    gp_remark(kernel->name, "what its lanes share is known as a range only: %s", why);
}
