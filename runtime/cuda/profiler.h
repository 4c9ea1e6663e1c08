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
 * gp_profiler_read() gives GP_UNKNOWN for them. The names must stay valid. */
const char *gp_profiler_open(int device, const char *const *metrics, size_t count,
                             struct gp_profiler **profiler);
/* Null is allowed. */
void gp_profiler_close(struct gp_profiler *profiler);
/* Collects counters over `run`; it must launch exactly one kernel. The kernel's memory is restored between
 * passes, and holds the results of one run at the end. *error is the result of `run`. values[count] has the
 * order of the metrics. */
const char *gp_profiler_read(struct gp_profiler *profiler, int (*run)(void *closure), void *closure,
                             int *error, double *values);

/* Saves all device memory of the current context; restore it exactly once. Excluded are pageable host memory
 * and managed memory. */
const char *gp_checkpoint_save(void **checkpoint);
const char *gp_checkpoint_restore(void *checkpoint);

#endif
