/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays: memory that textures and surfaces read. Here they are rows after rows, without gaps. */
#ifndef GP_CPU_ARRAY_H
#define GP_CPU_ARRAY_H

#include "exports/cudart_types.h"

#include <stdbool.h>
#include <stdint.h>

struct gp_array {
  uint32_t magic;
  struct gp_cuda_channel_format format;
  struct gp_cuda_extent extent; /* as asked for: 0 where there is no such dimension */
  unsigned flags;
  unsigned channels, channel_bytes, element_bytes;
  size_t width, height, depth; /* at least 1 each; depth counts layers too */
  size_t row_bytes, plane_bytes;
  char *data;
  bool is_part; /* a level of a mipmapped array, which frees it */
};

/* A mipmapped array: each level has half the texels of the one before in each dimension, layers excepted. */
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
/* Null: the format or the extent is none of CUDA's, or no memory is left; *error says which. */
struct gp_array *gp_array_make(const struct gp_cuda_channel_format *format, struct gp_cuda_extent extent,
                               unsigned flags, int *error);
void gp_array_destroy(struct gp_array *array);
/* Channels of a format, all of one size; 0: CUDA has no such format. */
unsigned gp_format_channels(const struct gp_cuda_channel_format *format, unsigned *channel_bytes);

#endif
