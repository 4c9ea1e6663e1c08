// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies, fills and device variables. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/array.h"
#include "memory/memory.h"
#include "sheet/modules.h"

#include <string.h>

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_DIRECTION };

/* A copy without a stream parameter belongs to the default stream and waits for it. */
static int submit_copy(const struct gp_cuda_memcpy3d *copy, void *stream) {
  const struct gp_work work = {.kind = GP_WORK_COPY, .device = gp_cpu_device(), .copy = *copy};
  if (!copy->extent.width || !copy->extent.height || !copy->extent.depth)
    return gp_cpu_result(0);
  /* checked before a capture could see it */
  if (copy->kind < HOST_TO_HOST || copy->kind > DEFAULT_DIRECTION)
    return gp_cpu_result(GP_ERROR_INVALID_DIRECTION);
  return gp_cpu_result(gp_stream_submit(stream, &work));
}

int gp_cpu_cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  const struct gp_cuda_memcpy3d copy = gp_copy_of_bytes(to, from, bytes, kind);
  return submit_copy(&copy, stream);
}

int gp_cpu_cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return gp_cpu_cudaMemcpyAsync(to, from, bytes, kind, NULL);
}

int gp_cpu_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, int kind, void *stream) {
  const struct gp_cuda_memcpy3d copy = {.src_ptr = {(void *)from, from_pitch, width, height},
                                        .dst_ptr = {to, to_pitch, width, height},
                                        .extent = {width, height, 1},
                                        .kind = kind};
  return submit_copy(&copy, stream);
}

int gp_cpu_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, int kind) {
  return gp_cpu_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}

int gp_cpu_cudaMemcpy3DAsync(const struct gp_cuda_memcpy3d *copy, void *stream) {
  return copy ? submit_copy(copy, stream) : gp_cpu_result(GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaMemcpy3D(const struct gp_cuda_memcpy3d *copy) { return gp_cpu_cudaMemcpy3DAsync(copy, NULL); }

/* ---- Between devices: all memory is one ---------------------------------------------------------------- */

int gp_cpu_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                               void *stream) {
  if (!gp_cpu_device_exists(to_device) || !gp_cpu_device_exists(from_device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  return gp_cpu_cudaMemcpyAsync(to, from, bytes, DEVICE_TO_DEVICE, stream);
}

int gp_cpu_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  return gp_cpu_cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

/* cudaMemcpy3DPeerParms */
struct peer_copy {
  void *src_array;
  struct gp_cuda_pos src_pos;
  struct gp_cuda_pitched src_ptr;
  int src_device;
  void *dst_array;
  struct gp_cuda_pos dst_pos;
  struct gp_cuda_pitched dst_ptr;
  int dst_device;
  struct gp_cuda_extent extent;
};

int gp_cpu_cudaMemcpy3DPeerAsync(const void *parameters, void *stream) {
  const struct peer_copy *p = parameters;
  if (!p)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(p->src_device) || !gp_cpu_device_exists(p->dst_device))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  const struct gp_cuda_memcpy3d copy = {p->src_array, p->src_pos, p->src_ptr, p->dst_array,
                                        p->dst_pos,   p->dst_ptr, p->extent,  DEVICE_TO_DEVICE};
  return submit_copy(&copy, stream);
}

int gp_cpu_cudaMemcpy3DPeer(const void *parameters) { return gp_cpu_cudaMemcpy3DPeerAsync(parameters, NULL); }

/* ---- Fills --------------------------------------------------------------------------------------------- */

static int submit_fill(struct gp_fill_work fill, void *stream) {
  struct gp_work work = {.kind = GP_WORK_FILL, .device = gp_cpu_device(), .fill = fill};
  work.fill.value &= 255;
  work.fill.element_bytes = 1;
  if (!fill.width || !fill.height || !fill.depth)
    return gp_cpu_result(0);
  return gp_cpu_result(gp_stream_submit(stream, &work));
}

int gp_cpu_cudaMemset3DAsync(struct gp_cuda_pitched pointer, int value, struct gp_cuda_extent extent,
                             void *stream) {
  return submit_fill((struct gp_fill_work){.to = pointer.ptr,
                                           .pitch = pointer.pitch,
                                           .value = (unsigned)value,
                                           .width = extent.width,
                                           .height = extent.height,
                                           .depth = extent.depth,
                                           .plane_bytes = pointer.pitch * pointer.ysize},
                     stream);
}

int gp_cpu_cudaMemset3D(struct gp_cuda_pitched pointer, int value, struct gp_cuda_extent extent) {
  return gp_cpu_cudaMemset3DAsync(pointer, value, extent, NULL);
}

int gp_cpu_cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                             void *stream) {
  const struct gp_cuda_pitched p = {pointer, pitch, width, height};
  return gp_cpu_cudaMemset3DAsync(p, value, (struct gp_cuda_extent){width, height, 1}, stream);
}

int gp_cpu_cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return gp_cpu_cudaMemset2DAsync(pointer, pitch, value, width, height, NULL);
}

int gp_cpu_cudaMemsetAsync(void *pointer, int value, size_t bytes, void *stream) {
  return gp_cpu_cudaMemset2DAsync(pointer, bytes, value, bytes, 1, stream);
}

int gp_cpu_cudaMemset(void *pointer, int value, size_t bytes) {
  return gp_cpu_cudaMemsetAsync(pointer, value, bytes, NULL);
}

/* ---- Device variables ---------------------------------------------------------------------------------- */

int gp_cpu_cudaGetSymbolAddress(void **pointer, const void *symbol) {
  const struct gpuprof_cpu_variable *variable = gp_modules_cpu_variable(symbol);
  if (!pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!variable)
    return gp_cpu_result(GP_ERROR_INVALID_SYMBOL);
  *pointer = variable->address;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  const struct gpuprof_cpu_variable *variable = gp_modules_cpu_variable(symbol);
  if (!bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!variable)
    return gp_cpu_result(GP_ERROR_INVALID_SYMBOL);
  *bytes = variable->bytes;
  return gp_cpu_result(0);
}

static bool fits(int kind, int direction) {
  return kind == direction || kind == DEVICE_TO_DEVICE || kind == DEFAULT_DIRECTION;
}

int gp_cpu_cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                   int kind, void *stream) {
  int error;
  char *to = gp_cpu_inside_symbol(symbol, bytes, offset, &error);
  if (to && bytes && !fits(kind, HOST_TO_DEVICE))
    error = GP_ERROR_INVALID_DIRECTION;
  return error ? gp_cpu_result(error) : gp_cpu_cudaMemcpyAsync(to, from, bytes, kind, stream);
}

int gp_cpu_cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                     void *stream) {
  int error;
  const char *from = gp_cpu_inside_symbol(symbol, bytes, offset, &error);
  if (from && bytes && !fits(kind, DEVICE_TO_HOST))
    error = GP_ERROR_INVALID_DIRECTION;
  return error ? gp_cpu_result(error) : gp_cpu_cudaMemcpyAsync(to, from, bytes, kind, stream);
}

int gp_cpu_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
  return gp_cpu_cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL);
}

int gp_cpu_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
  return gp_cpu_cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL);
}
