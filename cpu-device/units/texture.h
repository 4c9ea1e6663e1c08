/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texture and surface objects: the memory to read, and the way of reading. */
#ifndef GP_CPU_TEXTURE_H
#define GP_CPU_TEXTURE_H

#include "memory/array.h"

/* cudaResourceDesc since CUDA 13; before, it ends 64 bytes after its start and has no flags. The numbers are
 * cudaResourceType's. */
enum { GP_RESOURCE_ARRAY, GP_RESOURCE_MIPMAPPED, GP_RESOURCE_LINEAR, GP_RESOURCE_PITCHED };
struct gp_cuda_resource {
  int type;
  union {
    void *array;
    struct {
      void *pointer;
      struct gp_cuda_channel_format format;
      size_t bytes;
    } linear;
    struct {
      void *pointer;
      struct gp_cuda_channel_format format;
      size_t width, height, pitch;
    } pitched;
    int room[32];
  };
  unsigned flags;
};

/* cudaTextureDesc; the CUDA 11 form ends before `seamless`. */
enum { GP_ADDRESS_WRAP, GP_ADDRESS_CLAMP, GP_ADDRESS_MIRROR, GP_ADDRESS_BORDER };
enum { GP_FILTER_POINT, GP_FILTER_LINEAR };
enum { GP_READ_ELEMENT, GP_READ_NORMALIZED };
struct gp_cuda_texture {
  int address[3], filter, read, srgb;
  float border[4];
  int normalized;
  unsigned anisotropy;
  int level_filter;
  float level_bias, least_level, greatest_level;
  int no_trilinear, seamless;
};

/* cudaResourceViewDesc; CUDA 13 has room behind it. */
struct gp_cuda_view {
  int format;
  size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
};

/* An object's handle is its address. */
struct gp_object_of_texels {
  uint32_t magic;
  struct gp_cuda_resource resource;
  struct gp_cuda_texture texture; /* of a texture */
  struct gp_cuda_view view;       /* zeroes: none */
  struct gp_cuda_channel_format format;
  unsigned channels, channel_bytes;
  size_t width, height, depth; /* at least 1 each */
  size_t row_bytes, plane_bytes;
  char *data;
  unsigned level_count; /* of a mipmapped array, else 0 */
  struct gp_object_of_texels *levels;
};

enum { GP_TEXTURE = 0x67706374, GP_SURFACE = 0x67706375 }; /* values of `magic` during their life */

#endif
