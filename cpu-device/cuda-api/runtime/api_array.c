// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays: creation, and copies to and from them. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/arena.h"
#include "memory/array.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_DIRECTION };

int gp_cpu_cudaMalloc3DArray(void **handle, const void *format, struct gp_cuda_extent extent,
                             unsigned flags) {
  int error = handle ? gp_capture_forbids() : GP_ERROR_INVALID_VALUE;
  struct gp_array *array = error ? NULL : gp_array_make(format, extent, flags, &error);
  if (array)
    *handle = array;
  return gp_cpu_result(error);
}

int gp_cpu_cudaMallocArray(void **array, const void *format, size_t width, size_t height, unsigned flags) {
  return gp_cpu_cudaMalloc3DArray(array, format, (struct gp_cuda_extent){width, height, 0}, flags);
}

int gp_cpu_cudaFreeArray(void *handle) {
  struct gp_array *array = gp_array_find(handle);
  if (handle && (!array || array->is_part))
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  int error = array ? gp_capture_forbids() : 0;
  if (array && !error)
    gp_array_destroy(array);
  return gp_cpu_result(error);
}

int gp_cpu_cudaArrayGetInfo(void *format, void *extent, unsigned *flags, void *handle) {
  const struct gp_array *array = gp_array_find(handle);
  if (!array)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  if (format)
    memcpy(format, &array->format, sizeof array->format);
  if (extent)
    memcpy(extent, &array->extent, sizeof array->extent);
  if (flags)
    *flags = array->flags;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetChannelDesc(void *format, const void *handle) {
  const struct gp_array *array = gp_array_find(handle);
  if (!array || !format)
    return gp_cpu_result(array ? GP_ERROR_INVALID_VALUE : GP_ERROR_INVALID_HANDLE);
  memcpy(format, &array->format, sizeof array->format);
  return gp_cpu_result(0);
}

/* ---- Copies: positions in an array come in bytes, heights in rows -------------------------------------- */

/* Both ends of a copy between an array and memory, or between two arrays. */
struct end {
  struct gp_array *array;
  size_t x, y; /* in bytes and rows */
  void *memory;
  size_t pitch;
};

static int copy_rows(struct end to, struct end from, size_t width, size_t height, int kind, void *stream) {
  const struct gp_array *array = to.array ? to.array : from.array;
  if (!array)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  if (!width || !height)
    return gp_cpu_result(0);
  if (kind < HOST_TO_HOST || kind > DEFAULT_DIRECTION)
    return gp_cpu_result(GP_ERROR_INVALID_DIRECTION);
  if ((!to.array && to.pitch < width) || (!from.array && from.pitch < width))
    return gp_cpu_result(GP_ERROR_INVALID_PITCH);
  if (width % array->element_bytes || to.x % array->element_bytes || from.x % array->element_bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_work work = {.kind = GP_WORK_COPY, .device = gp_cpu_device()};
  work.copy = (struct gp_cuda_memcpy3d){.src_array = from.array,
                                        .src_pos = {from.x / array->element_bytes, from.y, 0},
                                        .src_ptr = {from.memory, from.pitch, width, height},
                                        .dst_array = to.array,
                                        .dst_pos = {to.x / array->element_bytes, to.y, 0},
                                        .dst_ptr = {to.memory, to.pitch, width, height},
                                        .extent = {width / array->element_bytes, height, 1},
                                        .kind = kind};
  return gp_cpu_result(gp_stream_submit(stream, &work));
}

static struct end in_array(const void *handle, size_t x, size_t y) {
  return (struct end){.array = gp_array_find(handle), .x = x, .y = y};
}

static struct end in_memory(const void *memory, size_t pitch) {
  return (struct end){.memory = (void *)memory, .pitch = pitch};
}

int gp_cpu_cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *from, size_t pitch,
                                    size_t width, size_t height, int kind, void *stream) {
  return copy_rows(in_array(array, x, y), in_memory(from, pitch), width, height, kind, stream);
}

int gp_cpu_cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                               size_t height, int kind) {
  return gp_cpu_cudaMemcpy2DToArrayAsync(array, x, y, from, pitch, width, height, kind, NULL);
}

int gp_cpu_cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, const void *array, size_t x, size_t y,
                                      size_t width, size_t height, int kind, void *stream) {
  return copy_rows(in_memory(to, pitch), in_array(array, x, y), width, height, kind, stream);
}

int gp_cpu_cudaMemcpy2DFromArray(void *to, size_t pitch, const void *array, size_t x, size_t y, size_t width,
                                 size_t height, int kind) {
  return gp_cpu_cudaMemcpy2DFromArrayAsync(to, pitch, array, x, y, width, height, kind, NULL);
}

int gp_cpu_cudaMemcpy2DArrayToArray(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x,
                                    size_t from_y, size_t width, size_t height, int kind) {
  return copy_rows(in_array(to, to_x, to_y), in_array(from, from_x, from_y), width, height, kind, NULL);
}

/* Consecutive bytes continue in the next row at the end of one. */
static int copy_bytes(void *handle, size_t x, size_t y, void *memory, size_t bytes, int kind, bool to_array,
                      void *stream) {
  const struct gp_array *array = gp_array_find(handle);
  int error = array ? 0 : gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  if (array &&
      (x > array->row_bytes || y >= array->height || bytes > (array->height - y) * array->row_bytes - x))
    error = gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (char *at = memory; bytes && !error; y++, x = 0) {
    size_t part = array->row_bytes - x < bytes ? array->row_bytes - x : bytes;
    error = to_array ? gp_cpu_cudaMemcpy2DToArrayAsync(handle, x, y, at, part, part, 1, kind, stream)
                     : gp_cpu_cudaMemcpy2DFromArrayAsync(at, part, handle, x, y, part, 1, kind, stream);
    at += part;
    bytes -= part;
  }
  return error;
}

int gp_cpu_cudaMemcpyToArrayAsync(void *array, size_t x, size_t y, const void *from, size_t bytes, int kind,
                                  void *stream) {
  return copy_bytes(array, x, y, (void *)from, bytes, kind, true, stream);
}

int gp_cpu_cudaMemcpyToArray(void *array, size_t x, size_t y, const void *from, size_t bytes, int kind) {
  return copy_bytes(array, x, y, (void *)from, bytes, kind, true, NULL);
}

int gp_cpu_cudaMemcpyFromArrayAsync(void *to, const void *array, size_t x, size_t y, size_t bytes, int kind,
                                    void *stream) {
  return copy_bytes((void *)array, x, y, to, bytes, kind, false, stream);
}

int gp_cpu_cudaMemcpyFromArray(void *to, const void *array, size_t x, size_t y, size_t bytes, int kind) {
  return copy_bytes((void *)array, x, y, to, bytes, kind, false, NULL);
}

int gp_cpu_cudaMemcpyArrayToArray(void *to, size_t to_x, size_t to_y, const void *from, size_t from_x,
                                  size_t from_y, size_t bytes, int kind) {
  return gp_cpu_cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, bytes, 1, kind);
}

/* ---- Missing: sparse arrays, arrays of several planes or without memory -------------------------------- */

static int none_of(const void *handle) {
  return gp_cpu_result(gp_array_find(handle) || gp_mipmapped_find(handle) ? GP_ERROR_INVALID_VALUE
                                                                          : GP_ERROR_INVALID_HANDLE);
}

int gp_cpu_cudaArrayGetPlane(void *plane, void *array, unsigned index) {
  (void)plane, (void)index;
  return none_of(array);
}

int gp_cpu_cudaArrayGetMemoryRequirements(void *requirements, void *array, int device) {
  (void)requirements, (void)device;
  return none_of(array);
}

int gp_cpu_cudaMipmappedArrayGetMemoryRequirements(void *requirements, void *array, int device) {
  return gp_cpu_cudaArrayGetMemoryRequirements(requirements, array, device);
}

int gp_cpu_cudaArrayGetSparseProperties(void *properties, void *array) {
  (void)properties;
  return none_of(array);
}

int gp_cpu_cudaMipmappedArrayGetSparseProperties(void *properties, void *array) {
  return gp_cpu_cudaArrayGetSparseProperties(properties, array);
}
