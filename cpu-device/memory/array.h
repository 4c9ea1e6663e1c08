/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays: memory read by textures and surfaces. Here rows follow one another without gaps. */
#ifndef GP_CPU_ARRAY_H
#define GP_CPU_ARRAY_H

#include "exports/cudart_types.h"

#include <stdbool.h>
#include <stdint.h>

struct gp_array {
  uint32_t magic;
  struct gp_cuda_channel_format format;
  struct gp_cuda_extent extent; /* as requested: 0 for a missing dimension */
  unsigned flags;
  unsigned channels, channel_bytes, element_bytes;
  size_t width, height, depth; /* at least 1 each; depth also counts layers */
  size_t row_bytes, plane_bytes;
  char *data;
  bool is_part; /* a level of a mipmapped array; the mipmapped array frees it */
};

/* A mipmapped array: each level has half the texels of the previous one in each dimension, except layers. */
struct gp_mipmapped {
  uint32_t magic;
  unsigned count;
  struct gp_array *levels[]; /* arrays of their own */
};

/* Null: it is none. */
struct gp_mipmapped *gp_mipmapped_find(const void *handle);

enum { GP_ARRAY_LAYERED = 1, GP_ARRAY_SURFACE = 2, GP_ARRAY_CUBEMAP = 4, GP_ARRAY_GATHER = 8 };

/* Null: it is none. */
struct gp_array *gp_array_find(const void *handle);
/* Null: CUDA has no such format or extent, or no memory is left; *error has the CUDA error. */
struct gp_array *gp_array_make(const struct gp_cuda_channel_format *format, struct gp_cuda_extent extent,
                               unsigned flags, int *error);
void gp_array_destroy(struct gp_array *array);
/* Channels of a format, all of one size; 0: CUDA has no such format. */
unsigned gp_format_channels(const struct gp_cuda_channel_format *format, unsigned *channel_bytes);

#endif
