/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches of plain kernels among counted ones (GPUPROF_SAMPLE), and alone (GPUPROF_TIMES_ONLY). */
#ifndef GP_SAMPLING_H
#define GP_SAMPLING_H

#include "core/kernels.h"

enum gp_sampling {
  GP_SAMPLING_NONE,    /* counted and timed, like each launch of its record */
  GP_SAMPLING_COUNTED, /* counted among plain launches */
  GP_SAMPLING_PLAIN    /* timed alone */
};

/* What the next launch of the kernel in `context` on `device` is. The caller holds kernel->lock. */
enum gp_sampling gp_sampling_of(struct gp_kernel *kernel, struct gp_context *context, int device);

#endif
