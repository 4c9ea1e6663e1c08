/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The shapes of a row's launches, as long as they are of one kernel. */
#ifndef GP_ROW_SHAPES_H
#define GP_ROW_SHAPES_H

#include "core/kernels.h"

struct gp_row_shapes {
  const struct gp_kernel *kernel; /* null: of several */
  struct gp_launch_shapes *list;  /* null where memory was exhausted */
};

/* Adds to *shapes, which is null until there is something to add. */
void gp_row_shapes_add(struct gp_row_shapes **shapes, const struct gp_kernel *kernel, const struct gp_launch_shapes *list);
void gp_row_shapes_join(struct gp_row_shapes **to, const struct gp_row_shapes *from);
void gp_row_shapes_free(struct gp_row_shapes *shapes);
/* Launches of all shapes; 0 for null, and for those of several kernels. */
uint64_t gp_row_shapes_launches(const struct gp_row_shapes *shapes);

#endif
