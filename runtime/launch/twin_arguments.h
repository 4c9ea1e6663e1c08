/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a launch and the address of its counters behind them, as instrumented kernels get them. */
#ifndef GP_TWIN_ARGUMENTS_H
#define GP_TWIN_ARGUMENTS_H

#include "core/kernels.h"

#include <stdlib.h>
#include <string.h>

#define GP_ARGUMENTS_IN_PLACE 32
struct gp_twin_arguments {
  uint64_t counters; /* 0: those bound for the kernel */
  void *in_place[GP_ARGUMENTS_IN_PLACE], **more;
};

/* Gives the launch these arguments, if its kernel's instrumented one takes the address. Returns 0 without memory. */
static inline int gp_twin_arguments_add(struct gp_twin_arguments *all, const struct gp_kernel *kernel, uint64_t counters,
                                        struct gp_launch *launch) {
  const struct gp_sheet_kernel *sheet = gp_kernel_counters_argument(kernel);
  all->more = NULL;
  if (!sheet)
    return 1;
  const size_t count = sheet->parameters;
  void **arguments = count < GP_ARGUMENTS_IN_PLACE ? all->in_place : (all->more = malloc((count + 1) * sizeof *arguments));
  if (!arguments || (count && !launch->arguments))
    return 0;
  if (count)
    memcpy(arguments, launch->arguments, count * sizeof *arguments);
  all->counters = counters;
  arguments[count] = &all->counters;
  launch->arguments = arguments;
  return 1;
}

static inline void gp_twin_arguments_free(struct gp_twin_arguments *all) { free(all->more); }

#endif
