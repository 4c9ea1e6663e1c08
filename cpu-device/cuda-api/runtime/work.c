// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"
#include "cuda-api/graph/graph.h"
#include "cuda-api/runtime/stream.h"
#include "cuda-api/runtime/work.h"
#include "engine/devices.h"
#include "engine/errors.h"
#include "memory/memory.h"

#include <stdlib.h>
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

/* Memory of a node has its address from the start; what CUDA gives and takes back is whether it may be used.
 */
static int do_memory(const struct gp_work *work) {
  if (work->kind == GP_WORK_FREE)
    return gp_graph_memory_set(work->memory.pointer, false) ? 0
                                                            : gp_memory_release(work->memory.pointer, false);
  return gp_graph_memory_set(work->memory.pointer, true) ? 0 : GP_ERROR_INVALID_VALUE;
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
  case GP_WORK_ALLOCATE:
  case GP_WORK_FREE:
    return do_memory(work);
  case GP_WORK_GRAPH:
  case GP_WORK_CONDITION: /* graph_run.c has them */
  case GP_WORK_EMPTY:
  case GP_WORK_EVENT_WAIT:
    break;
  }
  return 0;
}

/* ---- Keeping ------------------------------------------------------------------------------------------- */

enum { ARGUMENT_ALIGNMENT = 16 };

static size_t aligned(size_t bytes) {
  return (bytes + ARGUMENT_ALIGNMENT - 1) / ARGUMENT_ALIGNMENT * ARGUMENT_ALIGNMENT;
}

/* One block of memory: the pointers, then what they point to. */
static void **keep_arguments(const struct gpuprof_cpu_kernel *kernel, void **arguments) {
  size_t bytes = aligned((kernel->parameter_count + 1) * sizeof(void *)), at = bytes;
  for (uint32_t i = 0; i < kernel->parameter_count; i++)
    bytes += aligned(kernel->parameter_bytes[i]);
  void **kept = aligned_alloc(ARGUMENT_ALIGNMENT, bytes);
  for (uint32_t i = 0; kept && i < kernel->parameter_count; i++) {
    kept[i] = (char *)kept + at;
    if (arguments)
      memcpy(kept[i], arguments[i], kernel->parameter_bytes[i]);
    at += aligned(kernel->parameter_bytes[i]);
  }
  return kept;
}

static bool keep_bodies(struct gp_condition_work *kept, const struct gp_condition_work *work) {
  kept->bodies = calloc(work->size, sizeof *kept->bodies);
  for (unsigned i = 0; kept->bodies && i < work->size; i++) {
    kept->bodies[i] = gp_graph_copy(work->bodies[i]);
    if (!kept->bodies[i])
      return false;
    kept->bodies[i]->is_part = true;
  }
  return kept->bodies != NULL;
}

bool gp_work_keep(struct gp_work *kept, const struct gp_work *work) {
  *kept = *work;
  if (work->kind == GP_WORK_KERNEL)
    return (kept->kernel.arguments = keep_arguments(work->kernel.kernel, work->kernel.arguments)) != NULL;
  if (work->kind == GP_WORK_GRAPH) {
    kept->graph = gp_graph_copy(work->graph);
    if (kept->graph)
      kept->graph->is_part = true;
    return kept->graph != NULL;
  }
  return work->kind != GP_WORK_CONDITION || keep_bodies(&kept->condition, &work->condition);
}

void gp_work_release(struct gp_work *kept) {
  if (kept->kind == GP_WORK_KERNEL)
    free(kept->kernel.arguments);
  if (kept->kind == GP_WORK_GRAPH && kept->graph)
    gp_graph_destroy(kept->graph);
  if (kept->kind == GP_WORK_CONDITION && kept->condition.bodies) {
    for (unsigned i = 0; i < kept->condition.size; i++)
      if (kept->condition.bodies[i])
        gp_graph_destroy(kept->condition.bodies[i]);
    free(kept->condition.bodies);
  }
}
