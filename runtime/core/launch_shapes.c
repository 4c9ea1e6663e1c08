// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/launch_shapes.h"

#include <stdlib.h>

/* cudaLaunchAttribute: its number, and from byte 8 on its value. */
#define ATTRIBUTE_CLUSTER 4
struct attribute {
  int id;
  char unused[4];
  union {
    uint32_t cluster[3];
    char room[64];
  } value;
};

static uint32_t cluster_of(const struct gp_launch *launch) {
  const struct attribute *attributes = launch->attributes;
  for (unsigned i = 0; attributes && i < launch->attribute_count; i++)
    if (attributes[i].id == ATTRIBUTE_CLUSTER)
      return attributes[i].value.cluster[0] * attributes[i].value.cluster[1] * attributes[i].value.cluster[2];
  return 0;
}

struct gp_launch_shape gp_launch_shape_of(const struct gp_launch *launch) {
  const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  return (struct gp_launch_shape){.threads = launch->block[0] * launch->block[1] * launch->block[2],
                                  .cluster = cluster_of(launch),
                                  .dynamic_shared = launch->dynamic_shared_bytes,
                                  .launches = 1,
                                  .blocks = blocks,
                                  .blocks_least = blocks,
                                  .blocks_most = blocks};
}

static int is_same(const struct gp_launch_shape *a, const struct gp_launch_shape *b) {
  return a->threads == b->threads && a->cluster == b->cluster && a->dynamic_shared == b->dynamic_shared;
}

static void join(struct gp_launch_shape *to, const struct gp_launch_shape *from) {
  to->launches += from->launches;
  to->blocks += from->blocks;
  to->blocks_least = from->blocks_least < to->blocks_least ? from->blocks_least : to->blocks_least;
  to->blocks_most = from->blocks_most > to->blocks_most ? from->blocks_most : to->blocks_most;
}

static struct gp_launch_shapes *with_room(struct gp_launch_shapes **shapes) {
  struct gp_launch_shapes *s = *shapes;
  const uint32_t room = s ? 2 * s->room : 2;
  if ((s && s->count < s->room) || room > GP_SHAPES_MOST)
    return s;
  struct gp_launch_shapes *grown = realloc(s, sizeof *s + room * sizeof *s->shapes);
  if (!grown)
    return s;
  if (!s)
    *grown = (struct gp_launch_shapes){.count = 0};
  grown->room = room;
  return *shapes = grown;
}

void gp_launch_shapes_add(struct gp_launch_shapes **shapes, const struct gp_launch_shape *shape) {
  struct gp_launch_shapes *s = *shapes;
  for (uint32_t i = 0; s && i < s->count; i++)
    if (is_same(&s->shapes[i], shape)) {
      join(&s->shapes[i], shape);
      return;
    }
  s = with_room(shapes);
  if (s && s->count < s->room)
    s->shapes[s->count++] = *shape;
  else if (s)
    s->missed += shape->launches;
}
