/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hardware counters of single kernels, by CUPTI's range profiler with kernel replay. CUPTI is opened at run
 * time. Each function returns null for success, or else half a sentence with the reason and the next step.
 */
#ifndef GP_CUDA_PROFILER_H
#define GP_CUDA_PROFILER_H

#include <stddef.h>

/* Counters of one device, ready to be read. */
struct gp_profiler;

/* Sets up `count` metrics for the device and its current context. Metrics missing on the chip are omitted:
 * gp_profiler_read() gives GP_UNKNOWN for them. `gated`: operations of tensor cores are read from the first launch on
 * that executes such instructions, and are 0 before (tensor_gate.h). The names must stay valid. */
const char *gp_profiler_open(int device, const char *const *metrics, size_t count, int gated,
                             struct gp_profiler **profiler);
/* Null is allowed. */
void gp_profiler_close(struct gp_profiler *profiler);

struct gp_profiled {
  int (*run)(void *closure); /* launches exactly one kernel, and waits for it; returns CUDA's error */
  const char *(*undo)(void *closure); /* puts back the memory that the kernel has changed */
  void *closure;
};
/* Collects counters over `run`. Each call of `run` is followed by one of `undo`; in between CUPTI restores the memory
 * for its passes. *error is the result of the last `run`. values[count] has the order of the metrics. */
const char *gp_profiler_read(struct gp_profiler *profiler, const struct gp_profiled *work, int *error,
                             double *values);

/* Saves all device memory of the current context, to be restored as often as needed until it is freed. Excluded are
 * pageable host memory and managed memory. */
const char *gp_checkpoint_save(void **checkpoint);
const char *gp_checkpoint_restore(void *checkpoint);
void gp_checkpoint_free(void *checkpoint);

#endif
