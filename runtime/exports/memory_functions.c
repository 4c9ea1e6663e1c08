// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The exported functions that allocate and release memory: passed on to the device in use, and noted. The tables say what they
 * allocate. */
#include "exports/memory_functions.h"

#include "exports/forward.h"
#include "launch/launch_hook.h"
#include "memory/usage.h"

#define EXPORT __attribute__((visibility("default")))

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- Sizes ---- */

static size_t at_least_1(size_t n) { return n ? n : 1; }

/* cudaArrayLayered, cudaArrayCubemap: the third extent is a number of layers. */
static int has_layers(unsigned flags) { return (flags & 5u) != 0; }

/* The texels alone: what a GPU adds to arrange them is not known. */
static size_t bytes_of_array(const void *format, struct gp_cuda_extent extent, unsigned levels, unsigned flags) {
  const struct gp_cuda_channel_format *f = format;
  size_t width = at_least_1(extent.width), height = at_least_1(extent.height), depth = at_least_1(extent.depth), texels = 0;
  for (unsigned level = 0; level < levels; level++) {
    texels += width * height * depth;
    width = at_least_1(width / 2);
    height = at_least_1(height / 2);
    depth = has_layers(flags) ? depth : at_least_1(depth / 2);
  }
  return f ? texels * (size_t)(f->x + f->y + f->z + f->w) / 8 : 0;
}

/* CUDA_ARRAY_DESCRIPTOR */
struct driver_array {
  size_t width, height;
  int format;
  unsigned channels;
};

/* 0: unknown, as of compressed formats and those of video. */
static size_t bytes_of_format(int format) {
  enum { UNSIGNED_8 = 1, UNSIGNED_16, UNSIGNED_32, SIGNED_8 = 8, SIGNED_16, SIGNED_32, HALF = 16, FLOAT = 32 };
  switch (format) {
  case UNSIGNED_8: case SIGNED_8: return 1;
  case UNSIGNED_16: case SIGNED_16: case HALF: return 2;
  case UNSIGNED_32: case SIGNED_32: case FLOAT: return 4;
  default: return 0;
  }
}

static size_t bytes_of_driver_array(const void *descriptor) {
  const struct driver_array *a = descriptor;
  return a ? at_least_1(a->width) * at_least_1(a->height) * bytes_of_format(a->format) * a->channels : 0;
}

/* cudaExternalMemoryBufferDesc */
static size_t bytes_of_buffer(const void *description) {
  const struct { unsigned long long offset, bytes; } *buffer = description;
  return buffer ? (size_t)buffer->bytes : 0;
}

/* cudaMemAllocNodeParams */
struct node_parameters {
  struct gp_cuda_pool_properties pool;
  const void *accesses;
  size_t access_count, bytes;
  void *address;
};
static size_t node_bytes(const void *parameters) { return parameters ? ((const struct node_parameters *)parameters)->bytes : 0; }
static void *node_address(const void *parameters) { return parameters ? ((const struct node_parameters *)parameters)->address : NULL; }

/* ---- Allocations ---- */

/* A null stream means the per-thread default stream in the _ptsz functions. */
static void *per_thread(void *stream) { return stream ? stream : (void *)2; }
#define NONE GP_USAGE_NO_STREAM

/* With `error` in scope. Where it is not 0, no result is read. */
#define NOTE_REQUEST(function_name, of_kind, on_stream, at_address, of_bytes)                                \
  do {                                                                                                       \
    if (gp_usage_is_on())                                                                                    \
      gp_usage_requested(&(struct gp_usage_request){.function = function_name,                               \
                                                    .kind = GP_USAGE_##of_kind,                              \
                                                    .stream = on_stream,                                     \
                                                    .address = error ? 0 : (uint64_t)(at_address),           \
                                                    .bytes = of_bytes,                                       \
                                                    .caller = __builtin_return_address(0)},                  \
                         error);                                                                             \
    else if (error)                                                                                          \
      gp_launches_tell_off();                                                                                \
  } while (0)

#define NOTE_RELEASE(of_space, on_stream, at_address)                                                        \
  struct gp_usage_release release = {0};                                                                     \
  if (gp_usage_is_on())                                                                                      \
    release = gp_usage_release_begin(GP_USAGE_##of_space, on_stream, (uint64_t)(at_address))

#define GP_CUDART(name, parameters, arguments, cpu)
#define GP_CUDART_ALLOCATES(name, parameters, arguments, cpu, kind, stream, address, bytes)                  \
  static int forward_##name parameters { GP_CUDART_FORWARD(name, arguments) }                                \
  EXPORT int name parameters {                                                                               \
    const int error = forward_##name arguments;                                                              \
    NOTE_REQUEST(#name, kind, stream, address, bytes);                                                       \
    return error;                                                                                            \
  }
#define GP_CUDART_ALLOCATES_ALIAS(name, base, parameters, arguments, cpu, kind, stream, address, bytes)      \
  GP_CUDART_ALLOCATES(name, parameters, arguments, cpu, kind, stream, address, bytes)
#define GP_CUDART_RELEASES(name, parameters, arguments, cpu, space, stream, address)                         \
  static int forward_##name parameters { GP_CUDART_FORWARD(name, arguments) }                                \
  EXPORT int name parameters {                                                                               \
    NOTE_RELEASE(space, stream, address);                                                                    \
    const int error = forward_##name arguments;                                                              \
    gp_usage_release_end(&release, error);                                                                   \
    return error;                                                                                            \
  }
#define GP_CUDART_RELEASES_ALIAS(name, base, parameters, arguments, cpu, space, stream, address)             \
  GP_CUDART_RELEASES(name, parameters, arguments, cpu, space, stream, address)
#include "exports/cudart.inc"

#define GP_DRIVER(name, parameters, arguments, cpu)
#define GP_DRIVER_ALLOCATES(name, parameters, arguments, cpu, kind, stream, address, bytes)                  \
  static int forward_##name parameters { GP_DRIVER_FORWARD(name, parameters, arguments) }                    \
  EXPORT int name parameters {                                                                               \
    const int error = forward_##name arguments;                                                              \
    NOTE_REQUEST(#name, kind, stream, address, bytes);                                                       \
    return error;                                                                                            \
  }
#define GP_DRIVER_RELEASES(name, parameters, arguments, cpu, space, stream, address)                         \
  static int forward_##name parameters { GP_DRIVER_FORWARD(name, parameters, arguments) }                    \
  EXPORT int name parameters {                                                                               \
    NOTE_RELEASE(space, stream, address);                                                                    \
    const int error = forward_##name arguments;                                                              \
    gp_usage_release_end(&release, error);                                                                   \
    return error;                                                                                            \
  }
#define GP_DRIVER_MEMORY(name, parameters, arguments, cpu)                                                   \
  static int forward_##name parameters { GP_DRIVER_FORWARD(name, parameters, arguments) }
#include "exports/driver_functions.inc"

/* ---- Memory without an address of its own ---- */

EXPORT int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags) {
  const int error = forward_cuMemMap(address, bytes, offset, handle, flags);
  if (!error && gp_usage_is_on())
    gp_usage_mapped(address, bytes, handle);
  return error;
}

EXPORT int cuMemUnmap(uint64_t address, size_t bytes) {
  const int error = forward_cuMemUnmap(address, bytes);
  if (!error && gp_usage_is_on())
    gp_usage_unmapped(address, bytes);
  return error;
}

EXPORT int cuMemRetainAllocationHandle(uint64_t *handle, void *address) {
  const int error = forward_cuMemRetainAllocationHandle(handle, address);
  if (!error && gp_usage_is_on())
    gp_usage_retained(*handle, (uint64_t)address);
  return error;
}

/* ---- Other calls ---- */

/* cudaGraphNodeParams */
void gp_memory_note_node(void *parameters) {
  enum { MEMORY_ALLOCATION = 10 };
  struct { int type, reserved[3]; struct node_parameters allocation; } *node = parameters;
  const int error = 0;
  if (node && node->type == MEMORY_ALLOCATION)
    NOTE_REQUEST("cudaGraphAddNode", GRAPH, NONE, node->allocation.address, node->allocation.bytes);
}

void gp_memory_note_reset(int device) {
  if (gp_usage_is_on())
    gp_usage_device_reset(device);
}
