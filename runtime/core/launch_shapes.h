/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The different shapes of a record's launches: what occupancy depends on. */
#ifndef GP_LAUNCH_SHAPES_H
#define GP_LAUNCH_SHAPES_H

#include "base/device.h"

#include <stddef.h>
#include <stdint.h>

/* Launches of further shapes are counted as missed. */
#define GP_SHAPES_MOST 64u

struct gp_launch_shape {
  uint32_t threads, cluster; /* of a block; blocks of a cluster, 0 if the launch asks for none */
  uint64_t dynamic_shared;
  uint64_t launches, blocks; /* sums */
  uint64_t blocks_least, blocks_most;
};

struct gp_launch_shapes {
  uint64_t missed; /* launches */
  uint32_t count, room;
  struct gp_launch_shape shapes[];
};

/* A shape of one launch. */
struct gp_launch_shape gp_launch_shape_of(const struct gp_launch *launch);
/* Adds to *shapes, which is null until there is something to add. Without memory launches are missed. */
void gp_launch_shapes_add(struct gp_launch_shapes **shapes, const struct gp_launch_shape *shape);

#endif
