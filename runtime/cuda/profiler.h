/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hardware counters of single kernels, by CUPTI's range profiler with kernel replay. CUPTI is opened at run
 * time; each function returns null for success, else half a sentence that says why not and what to do.
 */
#ifndef GP_CUDA_PROFILER_H
#define GP_CUDA_PROFILER_H

#include <stddef.h>

/* Counters of one device, ready to be read. */
struct gp_profiler;

/* Sets up `count` metrics for the device and its current context. Metrics that the chip does not have are
 * left out: gp_profiler_read() gives GP_UNKNOWN for them. The names must stay. */
const char *gp_profiler_open(int device, const char *const *metrics, size_t count,
                             struct gp_profiler **profiler);
/* Null is allowed. */
void gp_profiler_close(struct gp_profiler *profiler);
/* Collects over the kernels that `run` launches, exactly one; their memory is put back between passes, and
 * holds the results of one run at the end. *error is run's. values[count] in the order of the metrics. */
const char *gp_profiler_read(struct gp_profiler *profiler, int (*run)(void *closure), void *closure,
                             int *error, double *values);

/* All device memory of the current context as it is now; put it back exactly once. Host memory that is not
 * pinned, and managed memory, are not in it. */
const char *gp_checkpoint_save(void **checkpoint);
const char *gp_checkpoint_restore(void *checkpoint);

#endif
