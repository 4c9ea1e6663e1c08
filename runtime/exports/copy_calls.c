// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/copy_calls.h"

#include "base/log.h"
#include "base/state.h"
#include "exports/captures.h"
#include "exports/cuda_functions.h"

#include <string.h>

/* ---- Addresses ---- */

/* The start of cudaPointerAttributes; the rest is room for later versions. */
union attributes {
  struct {
    int type, device;
  } start;
  char room[256];
};
enum { UNREGISTERED, HOST, DEVICE, MANAGED };

/* The kind of memory at an address; null stands for memory of a device. */
static int memory_at(const void *address) {
  union attributes attributes;
  if (!address)
    return DEVICE;
  memset(&attributes, 0, sizeof attributes);
  if (!gp_cudart()->cudaPointerGetAttributes(&attributes, address))
    return attributes.start.type;
  gp_cudart()->cudaGetLastError(); /* before CUDA 11 memory of the host is an error */
  return UNREGISTERED;
}

static int is_on_device(int memory) { return memory == DEVICE || memory == MANAGED; }

static enum gp_copy_direction direction_between(int to, int from) {
  if (is_on_device(to))
    return is_on_device(from) ? GP_COPY_DEVICE_TO_DEVICE : GP_COPY_HOST_TO_DEVICE;
  return is_on_device(from) ? GP_COPY_DEVICE_TO_HOST : GP_COPY_HOST_TO_HOST;
}

static enum gp_copy_memory host_memory(int memory) {
  return memory == HOST ? GP_COPY_PINNED : memory == UNREGISTERED ? GP_COPY_PAGEABLE : GP_COPY_OTHER;
}

static struct gp_copy copy_by_address(const void *to, const void *from, size_t bytes) {
  const int to_memory = memory_at(to), from_memory = memory_at(from);
  const enum gp_copy_direction direction = direction_between(to_memory, from_memory);
  return (struct gp_copy){.direction = direction,
                          .memory = direction == GP_COPY_HOST_TO_DEVICE   ? host_memory(from_memory)
                                    : direction == GP_COPY_DEVICE_TO_HOST ? host_memory(to_memory)
                                                                          : GP_COPY_OTHER,
                          .bytes = bytes,
                          .count = 1};
}

static struct gp_copy copy_of_kind(const void *to, const void *from, size_t bytes, int kind) {
  static const enum gp_copy_direction directions[] = {[GP_KIND_HOST_TO_HOST] = GP_COPY_HOST_TO_HOST,
                                                      [GP_KIND_HOST_TO_DEVICE] = GP_COPY_HOST_TO_DEVICE,
                                                      [GP_KIND_DEVICE_TO_HOST] = GP_COPY_DEVICE_TO_HOST,
                                                      [GP_KIND_DEVICE_TO_DEVICE] = GP_COPY_DEVICE_TO_DEVICE};
  if (kind < GP_KIND_HOST_TO_HOST || kind > GP_KIND_DEVICE_TO_DEVICE)
    return copy_by_address(to, from, bytes);
  const void *host = kind == GP_KIND_HOST_TO_DEVICE ? from : kind == GP_KIND_DEVICE_TO_HOST ? to : NULL;
  return (struct gp_copy){.direction = directions[kind],
                          .memory = host ? host_memory(memory_at(host)) : GP_COPY_OTHER,
                          .bytes = bytes,
                          .count = 1};
}

/* ---- Calls ---- */

static int is_captured(void *stream) {
  if (!gp_captures() || !gp_device()->capturing(stream))
    return 0;
  gp_remark("copies", "copies that were captured into graphs are not counted, in no run of a graph; its kernels are");
  return 1;
}

/* Copies of gpuprof's own calls within a launch are none of the program's. */
static int is_counted(void *stream) { return gp_state() == GP_ON && !is_captured(stream); }

static int describe(struct gp_copied *c, struct gp_copy copy, void *stream) {
  *c = (struct gp_copied){.call = {.copy = copy, .stream = stream}};
  return 1;
}

int gp_copied_bytes(struct gp_copied *c, const void *to, const void *from, size_t bytes, int kind, void *stream) {
  return is_counted(stream) && describe(c, copy_of_kind(to, from, bytes, kind), stream);
}

int gp_copied_peer(struct gp_copied *c, int to_device, int from_device, size_t bytes, void *stream) {
  const enum gp_copy_direction direction = to_device == from_device ? GP_COPY_DEVICE_TO_DEVICE : GP_COPY_PEER;
  return is_counted(stream) && describe(c, (struct gp_copy){.direction = direction, .bytes = bytes, .count = 1}, stream);
}

int gp_filled(struct gp_copied *c, size_t bytes, void *stream) {
  return is_counted(stream) && describe(c, (struct gp_copy){.direction = GP_COPY_MEMSET, .bytes = bytes, .count = 1}, stream);
}

/* ---- Boxes ---- */

/* Bytes of an element of the first array of the two; without an array an extent is in bytes. */
static size_t element_bytes(void *array, void *other) {
  struct gp_cuda_channel_format format = {0};
  struct gp_cuda_extent extent;
  unsigned flags;
  void *known = array ? array : other;
  if (!known || gp_cudart()->cudaArrayGetInfo(&format, &extent, &flags, known))
    return 1;
  return (size_t)(format.x + format.y + format.z + format.w) / 8;
}

static size_t box_bytes(const struct gp_cuda_extent *extent, void *array, void *other) {
  return extent->width * extent->height * extent->depth * element_bytes(array, other);
}

int gp_copied_3d(struct gp_copied *c, const struct gp_cuda_memcpy3d *copy, void *stream) {
  if (!copy || !is_counted(stream))
    return 0;
  const size_t bytes = box_bytes(&copy->extent, copy->src_array, copy->dst_array);
  return describe(c, copy_of_kind(copy->dst_ptr.ptr, copy->src_ptr.ptr, bytes, copy->kind), stream);
}

/* cudaMemcpy3DPeerParms */
struct peer_copy {
  void *from_array;
  struct gp_cuda_pos from_place;
  struct gp_cuda_pitched from;
  int from_device;
  void *to_array;
  struct gp_cuda_pos to_place;
  struct gp_cuda_pitched to;
  int to_device;
  struct gp_cuda_extent extent;
};

int gp_copied_3d_peer(struct gp_copied *c, const void *parameters, void *stream) {
  const struct peer_copy *p = parameters;
  return p && gp_copied_peer(c, p->to_device, p->from_device, box_bytes(&p->extent, p->from_array, p->to_array), stream);
}

/* CUDA_MEMCPY2D */
struct driver_side {
  size_t x_bytes, y;
  int type;
  void *host, *device, *array;
  size_t pitch;
};
struct driver_copy {
  struct driver_side from, to;
  size_t width_bytes, height;
};

static const void *address_of(const struct driver_side *side) {
  enum { OF_HOST = 1, OF_DEVICE, OF_ARRAY, UNIFIED };
  return side->type == OF_HOST ? side->host : side->type == UNIFIED ? side->device : NULL;
}

int gp_copied_2d_of_driver(struct gp_copied *c, const void *copy) {
  const struct driver_copy *d = copy;
  return d && gp_copied_bytes(c, address_of(&d->to), address_of(&d->from), d->width_bytes * d->height, GP_KIND_BY_ADDRESS, NULL);
}

/* ---- Batches: each copy is counted after the call; their times are not known ---- */

/* The place of the stream among the parameters depends on CUDA's version: any capture may be that of the batch. */
static int is_counted_batch(void) {
  if (gp_state() != GP_ON || !gp_captures())
    return gp_state() == GP_ON;
  gp_remark("copies", "copies of batches were not counted while a stream was captured into a graph");
  return 0;
}

int gp_copied_batch(struct gp_copied *c, void *to, void *from, const size_t *bytes, size_t count) {
  if (!to || !from || !bytes || !is_counted_batch())
    return 0;
  *c = (struct gp_copied){.to = to, .from = from, .bytes = bytes, .count = count};
  return 1;
}

/* cudaMemcpy3DBatchOp */
struct operand {
  int type;
  union {
    struct {
      void *memory;
      size_t row_length, layer_height;
      int hint[2];
    } pointer;
    struct {
      void *array;
      struct gp_cuda_pos place;
    } array;
  } of;
};
struct operation {
  struct operand from, to;
  struct gp_cuda_extent extent;
  int order;
  unsigned flags;
};
enum { POINTER = 1, ARRAY };

static void *array_of(const struct operand *o) { return o->type == ARRAY ? o->of.array.array : NULL; }
static const void *memory_of(const struct operand *o) { return o->type == POINTER ? o->of.pointer.memory : NULL; }

static void count_operation(const struct gp_context *context, const struct operation *o) {
  const size_t bytes = box_bytes(&o->extent, array_of(&o->from), array_of(&o->to));
  const struct gp_copy copy = copy_by_address(memory_of(&o->to), memory_of(&o->from), bytes);
  gp_copies_count(context, &copy);
}

int gp_copied_3d_batch(struct gp_copied *c, const void *list, size_t count) {
  if (!list || !is_counted_batch())
    return 0;
  *c = (struct gp_copied){.to = list, .count = count};
  return 1;
}

static void count_batch(const struct gp_copied *c) {
  const struct operation *list = (const void *)c->to;
  for (size_t i = 0; i < c->count; i++) {
    if (!c->from) {
      count_operation(c->call.context, &list[i]);
      continue;
    }
    const struct gp_copy copy = copy_by_address(c->to[i], c->from[i], c->bytes[i]);
    gp_copies_count(c->call.context, &copy);
  }
}

/* ---- Around the call ---- */

static int is_of_driver(const char *name) { return strncmp(name, "cuda", 4) != 0; }

int gp_copied_begin(struct gp_copied *c, const char *name) {
  c->call.name = name;
  if (is_of_driver(name) && gp_cuda_functions()->before_driver_launch)
    gp_cuda_functions()->before_driver_launch();
  return gp_timeline_copy_begin(&c->call);
}

void gp_copied_end(const struct gp_copied *c, int error) {
  gp_timeline_copy_end(&c->call, error);
  if (!error && c->to)
    count_batch(c);
  if (gp_device_is_in_use())
    gp_report_changed();
}
