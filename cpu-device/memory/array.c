// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/array.h"

#include "common/errors.h"
#include "memory/arena.h"

#include <stdlib.h>

enum { ARRAY = 0x67706361 };                     /* value of `magic` while an array lives */
enum { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT }; /* cudaChannelFormatKind */

struct gp_array *gp_array_find(const void *handle) {
  struct gp_array *array = (struct gp_array *)handle;
  return array && array->magic == ARRAY ? array : NULL;
}

unsigned gp_format_channels(const struct gp_cuda_channel_format *format, unsigned *channel_bytes) {
  const int bits[] = {format->x, format->y, format->z, format->w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels])
    channels++;
  for (unsigned i = 0; i < 4; i++)
    if (bits[i] != (i < channels ? bits[0] : 0))
      return 0;
  if ((channels != 1 && channels != 2 && channels != 4) || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) ||
      format->kind < KIND_SIGNED || format->kind > KIND_FLOAT || (format->kind == KIND_FLOAT && bits[0] == 8))
    return 0;
  *channel_bytes = (unsigned)bits[0] / 8;
  return channels;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

static size_t at_least_one(size_t n) { return n ? n : 1; }

struct gp_array *gp_array_make(const struct gp_cuda_channel_format *format, struct gp_cuda_extent extent,
                               unsigned flags, int *error) {
  struct gp_array shape = {.magic = ARRAY, .extent = extent, .flags = flags};
  *error = GP_ERROR_INVALID_VALUE;
  if (!format || !extent.width || (extent.depth && !extent.height && !(flags & GP_ARRAY_LAYERED)))
    return NULL;
  if ((flags & GP_ARRAY_CUBEMAP) && (extent.width != extent.height || extent.depth % 6))
    return NULL;
  shape.format = *format;
  shape.channels = gp_format_channels(format, &shape.channel_bytes);
  if (!shape.channels)
    return NULL;
  shape.element_bytes = shape.channels * shape.channel_bytes;
  shape.width = extent.width;
  shape.height = at_least_one(extent.height);
  shape.depth = at_least_one(extent.depth);
  shape.row_bytes = shape.width * shape.element_bytes;
  shape.plane_bytes = shape.row_bytes * shape.height;
  *error = GP_ERROR_MEMORY_ALLOCATION;
  struct gp_array *array = malloc(sizeof *array);
  shape.data = array ? (char *)gp_arena_allocate(shape.plane_bytes * shape.depth, GP_MEMORY_DEVICE) : NULL;
  if (!shape.data) {
    free(array);
    return NULL;
  }
  *array = shape;
  *error = 0;
  return array;
}

void gp_array_destroy(struct gp_array *array) {
  gp_arena_release((uint64_t)array->data);
  array->magic = 0;
  free(array);
}
