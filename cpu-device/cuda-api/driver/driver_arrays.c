// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/errors.h"
#include "cuda-api/driver/driver_arrays.h"
#include "cuda-api/work/api.h"
#include "memory/array.h"
#include "units/texture.h"

#include <string.h>

/* CUarray_format: bits of a channel and cudaChannelFormatKind. */
static const struct {
  int format, bits, kind;
} formats[] = {{0x01, 8, 1},  {0x02, 16, 1}, {0x03, 32, 1}, {0x08, 8, 0},
               {0x09, 16, 0}, {0x0a, 32, 0}, {0x10, 16, 2}, {0x20, 32, 2}};

static int channel_format(struct gp_cuda_channel_format *out, int format, unsigned channels) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].format == format && channels && channels <= 4 && channels != 3) {
      const int bits = formats[i].bits;
      *out = (struct gp_cuda_channel_format){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                             channels > 2 ? bits : 0, formats[i].kind};
      return 0;
    }
  return GP_ERROR_INVALID_VALUE;
}

int gp_driver_array(void **array, const void *descriptor) {
  const struct gp_driver_array_descriptor *d = descriptor;
  struct gp_cuda_channel_format format;
  if (!array || !d || channel_format(&format, d->format, d->channels))
    return GP_ERROR_INVALID_VALUE;
  return gp_cpu_cudaMallocArray(array, &format, d->width, d->height, 0);
}

/* Converts a side to cudaMemcpy3D's form: positions in arrays are elements, in other memory bytes. Returns
 * the bytes of an element, or 0 for an invalid side. */
static size_t side_of(const struct gp_driver_copy_side *side, size_t width_bytes, size_t height, void **array,
                      struct gp_cuda_pos *pos, struct gp_cuda_pitched *memory) {
  enum { HOST = 1, DEVICE, ARRAY, UNIFIED };
  const struct gp_array *found = side->type == ARRAY ? gp_array_find(side->array) : NULL;
  if (found) {
    *array = side->array;
    *pos = (struct gp_cuda_pos){side->x_bytes / found->element_bytes, side->y, 0};
    return found->element_bytes;
  }
  void *pointer = side->type == HOST                              ? side->host
                  : side->type == DEVICE || side->type == UNIFIED ? side->device
                                                                  : NULL;
  size_t pitch = side->pitch ? side->pitch : side->x_bytes + width_bytes;
  char *first = pointer ? (char *)pointer + side->y * pitch + side->x_bytes : NULL;
  *memory = (struct gp_cuda_pitched){first, pitch, width_bytes, height};
  return pointer ? 1 : 0;
}

int gp_driver_copy_2d(const void *given) {
  enum { DEFAULT_DIRECTION = 4 };
  const struct gp_driver_copy_2d *copy = given;
  struct gp_cuda_memcpy3d whole = {.kind = DEFAULT_DIRECTION};
  if (!copy)
    return GP_ERROR_INVALID_VALUE;
  size_t from = side_of(&copy->from, copy->width_bytes, copy->height, &whole.src_array, &whole.src_pos,
                        &whole.src_ptr),
         to = side_of(&copy->to, copy->width_bytes, copy->height, &whole.dst_array, &whole.dst_pos,
                      &whole.dst_ptr),
         element = from > to ? from : to;
  if (!from || !to || copy->width_bytes % element)
    return GP_ERROR_INVALID_VALUE;
  whole.extent = (struct gp_cuda_extent){copy->width_bytes / element, copy->height, 1};
  return gp_cpu_cudaMemcpy3D(&whole);
}

static int resource_of(struct gp_cuda_resource *out, const struct gp_driver_resource *given) {
  *out = (struct gp_cuda_resource){.type = given->type};
  switch (given->type) {
  case GP_RESOURCE_ARRAY:
  case GP_RESOURCE_MIPMAPPED:
    out->array = given->array;
    return 0;
  case GP_RESOURCE_LINEAR:
    out->linear.pointer = given->linear.pointer;
    out->linear.bytes = given->linear.bytes;
    return channel_format(&out->linear.format, given->linear.format, given->linear.channels);
  case GP_RESOURCE_PITCHED:
    out->pitched.pointer = given->pitched.pointer;
    out->pitched.width = given->pitched.width;
    out->pitched.height = given->pitched.height;
    out->pitched.pitch = given->pitched.pitch;
    return channel_format(&out->pitched.format, given->pitched.format, given->pitched.channels);
  default:
    return GP_ERROR_INVALID_VALUE;
  }
}

int gp_driver_texture_object(unsigned long long *object, const void *resource, const void *texture,
                             const void *view) {
  enum { READ_AS_INTEGER = 1, NORMALIZED_COORDINATES = 2, SRGB = 16 };
  const struct gp_driver_texture *t = texture;
  struct gp_cuda_resource what;
  if (!object || !resource || !texture || resource_of(&what, resource))
    return GP_ERROR_INVALID_VALUE;
  struct gp_cuda_texture how = {.address = {t->address[0], t->address[1], t->address[2]},
                                .filter = t->filter,
                                /* the opposite of the runtime's default */
                                .read = t->flags & READ_AS_INTEGER ? GP_READ_ELEMENT : GP_READ_NORMALIZED,
                                .srgb = (t->flags & SRGB) != 0,
                                .normalized = (t->flags & NORMALIZED_COORDINATES) != 0,
                                .anisotropy = t->anisotropy,
                                .level_filter = t->level_filter,
                                .level_bias = t->level_bias,
                                .least_level = t->least_level,
                                .greatest_level = t->greatest_level};
  memcpy(how.border, t->border, sizeof how.border);
  return gp_cpu_cudaCreateTextureObject(object, &what, &how, view);
}
