// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/row_shapes.h"

#include <stdlib.h>
#include <string.h>

static int is_same(const struct gp_kernel *a, const struct gp_kernel *b) { return a && b && (a == b || !strcmp(a->name, b->name)); }

/* Kernels differ in what their machine code needs: nothing common can be said of several. */
static void forget(struct gp_row_shapes *shapes) {
  free(shapes->list);
  *shapes = (struct gp_row_shapes){.kernel = NULL};
}

void gp_row_shapes_add(struct gp_row_shapes **shapes, const struct gp_kernel *kernel, const struct gp_launch_shapes *list) {
  struct gp_row_shapes *to = *shapes;
  if (!list && (kernel || !to))
    return;
  if (!to && (to = *shapes = calloc(1, sizeof *to)))
    to->kernel = kernel;
  if (!to)
    return;
  if (!is_same(to->kernel, kernel)) {
    forget(to);
    return;
  }
  for (uint32_t i = 0; i < list->count; i++)
    gp_launch_shapes_add(&to->list, &list->shapes[i]);
  if (to->list)
    to->list->missed += list->missed;
}

void gp_row_shapes_join(struct gp_row_shapes **to, const struct gp_row_shapes *from) {
  if (!from)
    return;
  if (!*to && !from->kernel)
    *to = calloc(1, sizeof **to);
  else
    gp_row_shapes_add(to, from->kernel, from->list);
}

void gp_row_shapes_free(struct gp_row_shapes *shapes) {
  if (shapes)
    free(shapes->list);
  free(shapes);
}

uint64_t gp_row_shapes_launches(const struct gp_row_shapes *shapes) {
  uint64_t launches = 0;
  for (uint32_t i = 0; shapes && shapes->list && i < shapes->list->count; i++)
    launches += shapes->list->shapes[i].launches;
  return launches;
}
