// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Work kept by nodes, with copies of its data. */
#include "cuda-api/graph/graph.h"

#include <stdlib.h>
#include <string.h>

enum { ARGUMENT_ALIGNMENT = 16 };

static size_t aligned(size_t bytes) {
  return (bytes + ARGUMENT_ALIGNMENT - 1) / ARGUMENT_ALIGNMENT * ARGUMENT_ALIGNMENT;
}

/* One block of memory: the pointers, followed by their targets. */
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
