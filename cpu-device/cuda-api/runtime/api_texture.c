// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Creation and queries of texture and surface objects. */
#include "common/errors.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/work.h"
#include "memory/memory.h"
#include "sheet/modules.h"
#include "units/texture.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_FLOAT = 2, WORD_BYTES = 4, TEXTURE_ALIGNMENT = 512, PITCH_ALIGNMENT = 32 };

/* Stores the place of the texels. Returns a CUDA error. */
static int describe(struct gp_object_of_texels *o, const struct gp_cuda_resource *resource) {
  o->resource = *resource;
  if (resource->type == GP_RESOURCE_ARRAY) {
    const struct gp_array *array = gp_array_find(resource->array);
    if (!array)
      return GP_ERROR_INVALID_HANDLE;
    o->format = array->format;
    o->width = array->width;
    o->height = array->height;
    o->depth = array->depth;
    o->row_bytes = array->row_bytes;
    o->plane_bytes = array->plane_bytes;
    o->data = array->data;
    o->channels = array->channels;
    o->channel_bytes = array->channel_bytes;
    return 0;
  }
  bool linear = resource->type == GP_RESOURCE_LINEAR;
  if (!linear && resource->type != GP_RESOURCE_PITCHED)
    return GP_ERROR_INVALID_VALUE;
  o->format = linear ? resource->linear.format : resource->pitched.format;
  o->data = linear ? resource->linear.pointer : resource->pitched.pointer;
  o->channels = gp_format_channels(&o->format, &o->channel_bytes);
  size_t element = (size_t)o->channels * o->channel_bytes;
  if (!element || (uint64_t)o->data % TEXTURE_ALIGNMENT || !gp_memory_is_known(o->data))
    return GP_ERROR_INVALID_VALUE;
  o->width = linear ? resource->linear.bytes / element : resource->pitched.width;
  o->height = linear ? 1 : resource->pitched.height;
  o->depth = 1;
  o->row_bytes = linear ? resource->linear.bytes : resource->pitched.pitch;
  if (!o->width || !o->height ||
      (!linear && (o->row_bytes % PITCH_ALIGNMENT || o->width * element > o->row_bytes)))
    return GP_ERROR_INVALID_VALUE;
  o->plane_bytes = o->row_bytes * o->height;
  return gp_memory_is_valid(o->data, o->plane_bytes - (linear ? 0 : o->row_bytes - o->width * element))
             ? 0
             : GP_ERROR_INVALID_VALUE;
}

/* ---- Views: an array in another format, and some levels of a mipmapped one ----------------------------- */

/* The format of a number of cudaResourceViewFormat, from 1 on; false for compressed formats. */
static bool view_format(int number, struct gp_cuda_channel_format *format) {
  static const struct {
    int bits, kind;
  } kinds[] = {{8, 1}, {8, 0}, {16, 1}, {16, 0}, {32, 1}, {32, 0}, {16, 2}, {32, 2}};
  enum { CHOICES = 3 }; /* of 1, 2 and 4 channels */
  if (number < 1 || number > CHOICES * (int)(sizeof kinds / sizeof *kinds))
    return false;
  int bits = kinds[(number - 1) / CHOICES].bits, channels = 1 << (number - 1) % CHOICES;
  *format = (struct gp_cuda_channel_format){.x = bits,
                                            .y = channels > 1 ? bits : 0,
                                            .z = channels > 2 ? bits : 0,
                                            .w = channels > 2 ? bits : 0,
                                            .kind = kinds[(number - 1) / CHOICES].kind};
  return true;
}

/* A view has the array's size, all its layers, and elements of equal size. */
static bool view_fits(const struct gp_cuda_view *view, const struct gp_array *array, unsigned levels) {
  struct gp_cuda_channel_format format;
  unsigned bytes, layers = array->flags & GP_ARRAY_LAYERED ? (unsigned)array->depth : 0;
  if (!view_format(view->format, &format) ||
      gp_format_channels(&format, &bytes) * bytes != array->element_bytes)
    return false;
  return view->width == array->extent.width && view->height == array->extent.height &&
         view->depth == array->extent.depth && !view->first_layer &&
         view->last_layer == (layers ? layers - 1 : 0) && view->first_level <= view->last_level &&
         view->first_level < levels && (levels > 1 || !view->last_level);
}

static void see_as(struct gp_object_of_texels *o, const struct gp_cuda_view *view) {
  if (view_format(view->format, &o->format))
    o->channels = gp_format_channels(&o->format, &o->channel_bytes);
}

/* A texture of a mipmapped array has one texture for each level of the array, or of the view. */
static int describe_levels(struct gp_object_of_texels *o, const struct gp_cuda_resource *resource,
                           const struct gp_cuda_view *view) {
  const struct gp_mipmapped *mipmapped = gp_mipmapped_find(resource->array);
  if (!mipmapped)
    return GP_ERROR_INVALID_HANDLE;
  if (view && !view_fits(view, mipmapped->levels[0], mipmapped->count))
    return GP_ERROR_INVALID_VALUE;
  unsigned first = view ? view->first_level : 0, last = view ? view->last_level : mipmapped->count - 1;
  last = last < mipmapped->count ? last : mipmapped->count - 1;
  o->levels = calloc(last - first + 1, sizeof *o->levels);
  if (!o->levels)
    return GP_ERROR_MEMORY_ALLOCATION;
  o->level_count = last - first + 1;
  for (unsigned i = first; i <= last; i++) {
    describe(&o->levels[i - first],
             &(struct gp_cuda_resource){.type = GP_RESOURCE_ARRAY, .array = mipmapped->levels[i]});
    if (view)
      see_as(&o->levels[i - first], view);
  }
  o->resource = *resource;
  o->format = o->levels[0].format;
  o->channels = o->levels[0].channels;
  o->channel_bytes = o->levels[0].channel_bytes;
  return 0;
}

static int keep(unsigned long long *handle, const struct gp_object_of_texels *made) {
  struct gp_object_of_texels *object = malloc(sizeof *object);
  if (!object)
    return GP_ERROR_MEMORY_ALLOCATION;
  *object = *made;
  *handle = (unsigned long long)(uintptr_t)object;
  return 0;
}

/* ---- Differences between versions of CUDA -------------------------------------------------------------- */

enum { CUDA_12 = 12000, CUDA_13 = 13000, RESOURCE_BYTES_12 = 64 };

static size_t resource_bytes(void) {
  return gp_modules_cuda_version() >= CUDA_13 ? sizeof(struct gp_cuda_resource) : RESOURCE_BYTES_12;
}

static size_t texture_bytes(void) {
  uint32_t version = gp_modules_cuda_version();
  return version && version < CUDA_12 ? offsetof(struct gp_cuda_texture, seamless)
                                      : sizeof(struct gp_cuda_texture);
}

static struct gp_cuda_resource read_resource(const void *from) {
  struct gp_cuda_resource resource = {0};
  memcpy(&resource, from, resource_bytes());
  return resource;
}

/* The resource of a texture, after its view. A view of linear or pitched memory changes nothing. */
static int describe_seen(struct gp_object_of_texels *o, const struct gp_cuda_resource *resource,
                         const void *view) {
  if (view)
    memcpy(&o->view, view, sizeof o->view);
  if (resource->type == GP_RESOURCE_MIPMAPPED)
    return describe_levels(o, resource, view ? &o->view : NULL);
  int error = describe(o, resource);
  if (error || !view || resource->type != GP_RESOURCE_ARRAY)
    return error;
  return view_fits(&o->view, gp_array_find(resource->array), 1) ? 0 : GP_ERROR_INVALID_VALUE;
}

/* The way of reading texels, and CUDA's restrictions. They follow the format of the array, not of the
 * view. */
static int settle_reading(struct gp_object_of_texels *o) {
  struct gp_cuda_texture *t = &o->texture;
  const bool normalizes = t->read == GP_READ_NORMALIZED, has_words = o->channel_bytes == WORD_BYTES;
  if (t->filter == GP_FILTER_LINEAR && o->format.kind != KIND_FLOAT && !normalizes &&
      o->resource.type != GP_RESOURCE_LINEAR)
    return GP_ERROR_INVALID_FILTER;
  if (t->srgb && normalizes && o->format.kind == KIND_FLOAT)
    return GP_ERROR_INVALID_NORM_SETTING;
  if (normalizes && (o->format.kind == KIND_FLOAT || has_words))
    t->read = GP_READ_ELEMENT; /* floats are never normalized, and 32 bits do not fit a fraction */
  if (o->view.format && o->resource.type == GP_RESOURCE_ARRAY) {
    see_as(o, &o->view);
    if (has_words && o->format.kind != KIND_FLOAT && o->channel_bytes < WORD_BYTES)
      t->read = GP_READ_NORMALIZED; /* whatever the texture says, as on a GPU */
  }
  return 0;
}

static int create_texture(unsigned long long *handle, const void *from, const void *texture, size_t bytes,
                          const void *view) {
  struct gp_object_of_texels object = {.magic = GP_TEXTURE};
  if (!handle || !from)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_cuda_resource resource = read_resource(from);
  int error = texture ? describe_seen(&object, &resource, view) : GP_ERROR_INVALID_HANDLE;
  if (error)
    return gp_cpu_result(error);
  memcpy(&object.texture, texture, bytes);
  error = settle_reading(&object);
  for (unsigned i = 0; i < object.level_count; i++) {
    object.levels[i].texture = object.texture;
    object.levels[i].texture.normalized = 1; /* whatever the texture says, as on a GPU */
  }
  error = error ? error : keep(handle, &object);
  if (error)
    free(object.levels);
  return gp_cpu_result(error);
}

int gp_cpu_cudaCreateTextureObject(unsigned long long *handle, const void *resource, const void *texture,
                                   const void *view) {
  return create_texture(handle, resource, texture, texture_bytes(), view);
}

/* CUDA 11's function with CUDA 12's texture structure. */
int gp_cpu_cudaCreateTextureObject_v2(unsigned long long *handle, const void *resource, const void *texture,
                                      const void *view) {
  return create_texture(handle, resource, texture, sizeof(struct gp_cuda_texture), view);
}

int gp_cpu_cudaCreateSurfaceObject(unsigned long long *handle, const void *resource) {
  struct gp_object_of_texels object = {.magic = GP_SURFACE};
  if (!handle || !resource)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_cuda_resource r = read_resource(resource);
  int error = r.type == GP_RESOURCE_ARRAY ? describe(&object, &r) : GP_ERROR_INVALID_VALUE;
  return gp_cpu_result(error ? error : keep(handle, &object));
}

/* Null: it is none of these. */
static struct gp_object_of_texels *find(unsigned long long handle, uint32_t magic) {
  struct gp_object_of_texels *object = (void *)(uintptr_t)handle;
  return object && object->magic == magic ? object : NULL;
}

static int destroy(unsigned long long handle, uint32_t magic) {
  struct gp_object_of_texels *object = find(handle, magic);
  if (handle && !object)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (object) {
    object->magic = 0;
    free(object->levels);
  }
  free(object);
  return gp_cpu_result(0);
}

int gp_cpu_cudaDestroyTextureObject(unsigned long long object) { return destroy(object, GP_TEXTURE); }
int gp_cpu_cudaDestroySurfaceObject(unsigned long long object) { return destroy(object, GP_SURFACE); }

static int tell(const struct gp_object_of_texels *object, void *place, size_t offset, size_t bytes) {
  if (!object || !place)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  memcpy(place, (const char *)object + offset, bytes);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetTextureObjectResourceDesc(void *resource, unsigned long long object) {
  return tell(find(object, GP_TEXTURE), resource, offsetof(struct gp_object_of_texels, resource),
              resource_bytes());
}

int gp_cpu_cudaGetTextureObjectTextureDesc(void *texture, unsigned long long object) {
  return tell(find(object, GP_TEXTURE), texture, offsetof(struct gp_object_of_texels, texture),
              texture_bytes());
}

int gp_cpu_cudaGetTextureObjectTextureDesc_v2(void *texture, unsigned long long object) {
  return tell(find(object, GP_TEXTURE), texture, offsetof(struct gp_object_of_texels, texture),
              sizeof(struct gp_cuda_texture));
}

/* Without a place for the result nothing is stored; this is no error. */
int gp_cpu_cudaGetTextureObjectResourceViewDesc(void *view, unsigned long long object) {
  const struct gp_object_of_texels *found = find(object, GP_TEXTURE);
  if (found && !view)
    return gp_cpu_result(0);
  return tell(found, view, offsetof(struct gp_object_of_texels, view), sizeof(struct gp_cuda_view));
}

int gp_cpu_cudaGetSurfaceObjectResourceDesc(void *resource, unsigned long long object) {
  return tell(find(object, GP_SURFACE), resource, offsetof(struct gp_object_of_texels, resource),
              resource_bytes());
}

/* There is no limit of the width. */
int gp_cpu_cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *format, int device) {
  unsigned bytes;
  (void)device;
  if (!width || !format || !gp_format_channels(format, &bytes))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *width = 1u << 28;
  return gp_cpu_result(0);
}
