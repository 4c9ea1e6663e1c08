/* Making texture and surface objects, and asking what they are. */
#include "cpu/api.h"
#include "cpu/errors.h"
#include "cpu/memory.h"
#include "cpu/texture.h"
#include "cpu/work.h"
#include "log.h"
#include "modules.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_FLOAT = 2, TEXTURE_ALIGNMENT = 512, PITCH_ALIGNMENT = 32 };

/* Where the texels lie. Returns a CUDA error. */
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

/* A texture of a mipmapped array is one of each level. */
static int describe_levels(struct gp_object_of_texels *o, const struct gp_cuda_resource *resource) {
  const struct gp_mipmapped *mipmapped = gp_mipmapped_find(resource->array);
  if (!mipmapped)
    return GP_ERROR_INVALID_HANDLE;
  o->levels = calloc(mipmapped->count, sizeof *o->levels);
  if (!o->levels)
    return GP_ERROR_MEMORY_ALLOCATION;
  o->level_count = mipmapped->count;
  for (unsigned i = 0; i < mipmapped->count; i++)
    describe(&o->levels[i],
             &(struct gp_cuda_resource){.type = GP_RESOURCE_ARRAY, .array = mipmapped->levels[i]});
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

/* ---- What differs from CUDA to CUDA -------------------------------------------------------------------- */

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

static int create_texture(unsigned long long *handle, const void *from, const void *texture, size_t bytes,
                          const void *view) {
  struct gp_object_of_texels object = {.magic = GP_TEXTURE};
  if (!handle || !from)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_cuda_resource resource = read_resource(from);
  if (view) {
    gp_log(GP_WARN, "cudaCreateTextureObject", "the CPU device has no resource views");
    return gp_cpu_result(GP_ERROR_NOT_SUPPORTED);
  }
  bool mipmapped = resource.type == GP_RESOURCE_MIPMAPPED;
  int error =
      texture ? (mipmapped ? describe_levels : describe)(&object, &resource) : GP_ERROR_INVALID_HANDLE;
  if (error)
    return gp_cpu_result(error);
  memcpy(&object.texture, texture, bytes);
  bool reads_floats = object.format.kind == KIND_FLOAT || object.texture.read == GP_READ_NORMALIZED;
  if (object.texture.filter == GP_FILTER_LINEAR && !reads_floats &&
      object.resource.type != GP_RESOURCE_LINEAR)
    error = GP_ERROR_INVALID_FILTER;
  if (object.texture.read == GP_READ_NORMALIZED &&
      (object.format.kind == KIND_FLOAT || object.channel_bytes == 4))
    object.texture.read = GP_READ_ELEMENT; /* floats are what they are, and 32 bits do not fit one */
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

/* Of CUDA 11, with the texture of 12. */
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

int gp_cpu_cudaGetSurfaceObjectResourceDesc(void *resource, unsigned long long object) {
  return tell(find(object, GP_SURFACE), resource, offsetof(struct gp_object_of_texels, resource),
              resource_bytes());
}

/* Any width will do. */
int gp_cpu_cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *format, int device) {
  unsigned bytes;
  (void)device;
  if (!width || !format || !gp_format_channels(format, &bytes))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *width = 1u << 28;
  return gp_cpu_result(0);
}
