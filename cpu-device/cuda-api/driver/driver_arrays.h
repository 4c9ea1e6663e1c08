/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's arrays, copies in two dimensions and texture objects on the CPU device. They are the
 * runtime's, described by the driver's structures. All return CUDA errors. */
#ifndef GP_CPU_DRIVER_ARRAYS_H
#define GP_CPU_DRIVER_ARRAYS_H

#include <stddef.h>

/* CUDA_ARRAY_DESCRIPTOR. Height 0: one dimension. The format is CUarray_format. */
struct gp_driver_array_descriptor {
  size_t width, height;
  int format;
  unsigned channels;
};

/* One side of CUDA_MEMCPY2D. `type` is CUmemorytype: it selects one of the three pointers. */
struct gp_driver_copy_side {
  size_t x_bytes, y;
  int type;
  void *host, *device, *array;
  size_t pitch;
};

/* CUDA_MEMCPY2D */
struct gp_driver_copy_2d {
  struct gp_driver_copy_side from, to;
  size_t width_bytes, height;
};

/* CUDA_RESOURCE_DESC, of the array kind */
struct gp_driver_resource {
  int type;
  union {
    void *array;
    struct {
      void *pointer;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      void *pointer;
      int format;
      unsigned channels;
      size_t width, height, pitch;
    } pitched;
    int room[32];
  };
  unsigned flags;
};

/* CUDA_TEXTURE_DESC */
struct gp_driver_texture {
  int address[3], filter;
  unsigned flags, anisotropy;
  int level_filter;
  float level_bias, least_level, greatest_level;
  float border[4];
  int room[12];
};

int gp_driver_array(void **array, const void *descriptor);
int gp_driver_copy_2d(const void *copy);
int gp_driver_texture_object(unsigned long long *object, const void *resource, const void *texture,
                             const void *view);

#endif
