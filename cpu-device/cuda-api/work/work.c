// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/work/stream.h"
#include "cuda-api/work/work.h"

#include <string.h>

static void launch_shape(const struct gp_kernel_work *k, uint32_t grid[3], uint32_t block[3]) {
  const uint32_t g[3] = {k->grid.x, k->grid.y, k->grid.z}, b[3] = {k->block.x, k->block.y, k->block.z};
  memcpy(grid, g, sizeof g);
  memcpy(block, b, sizeof b);
}

static uint32_t shared_limit(const struct gp_kernel_work *k) {
  return k->kernel->static_shared_bytes + gp_cpu_dynamic_limit(k->function, k->kernel);
}

static int check_kernel(const struct gp_kernel_work *k, uint32_t cluster[3]) {
  uint32_t grid[3], block[3];
  launch_shape(k, grid, block);
  int error = gp_cpu_check(k->kernel, grid, block, k->dynamic_shared_bytes, shared_limit(k));
  return error ? error : gp_work_cluster(k, cluster);
}

int gp_work_check(const struct gp_work *work) {
  uint32_t cluster[3];
  switch (work->kind) {
  case GP_WORK_KERNEL:
    return check_kernel(&work->kernel, cluster);
  case GP_WORK_COPY:
    return gp_copy_check(&work->copy);
  case GP_WORK_FILL:
    return gp_fill_check(&work->fill);
  default:
    return 0;
  }
}

static int do_kernel(const struct gp_kernel_work *k) {
  uint32_t grid[3], block[3], cluster[3];
  int error = check_kernel(k, cluster);
  if (error)
    return error;
  launch_shape(k, grid, block);
  error = gp_cpu_run_together(k->kernel, grid, block, k->arguments, k->dynamic_shared_bytes, shared_limit(k),
                              cluster[0] ? cluster : NULL, k->cooperative);
  if (error == GP_ERROR_COOPERATIVE_TOO_LARGE)
    gp_log(
        GP_ERROR, k->kernel->name,
        "a cooperative launch needs all its blocks at once; the CPU device runs up to %llu of this size, as "
        "an "
        "H200 does: ask for fewer blocks",
        (unsigned long long)gp_cpu_resident_blocks((uint64_t)block[0] * block[1] * block[2],
                                                   k->dynamic_shared_bytes + k->kernel->static_shared_bytes));
  return error;
}

int gp_work_do(const struct gp_work *work) {
  switch (work->kind) {
  case GP_WORK_KERNEL:
    return do_kernel(&work->kernel);
  case GP_WORK_COPY:
    gp_copy_do(&work->copy);
    return 0;
  case GP_WORK_FILL:
    gp_fill_do(&work->fill);
    return 0;
  case GP_WORK_HOST:
    gp_cpu_call_host(work->host.call, work->host.data);
    return 0;
  case GP_WORK_EVENT_RECORD:
    gp_event_record(work->event);
    return 0;
  case GP_WORK_ALLOCATE: /* graph_run.c has these four */
  case GP_WORK_FREE:
  case GP_WORK_GRAPH:
  case GP_WORK_CONDITION:
  case GP_WORK_EMPTY:
  case GP_WORK_EVENT_WAIT:
    break;
  }
  return 0;
}

void gp_cpu_call_host(void (*call)(void *), void *data) {
  int last = gp_cpu_last_error(1); /* a GPU calls it on a thread of its own */
  gp_cpu_permit(false);
  call(data);
  gp_cpu_permit(true);
  gp_cpu_last_error(1);
  gp_cpu_answer(last);
}
