// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory: allocation, registered memory of the host, queries and advice. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/mappings.h"
#include "memory/memory.h"
#include "sheet/modules.h"

#include <string.h>

enum { PITCH = 512 };

/* ---- Allocation ---------------------------------------------------------------------------------------- */

enum { HOST_PORTABLE = 1, HOST_MAPPED = 2, HOST_FLAGS = 15, ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };

static int allocate(void **pointer, size_t bytes, enum gp_memory_kind kind, unsigned flags) {
  if (!pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_capture_forbids();
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  if (!bytes) {
    *pointer = NULL;
    return gp_cpu_result(0);
  }
  uint64_t address = gp_arena_allocate(bytes, kind);
  if (!address)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  struct gp_allocation made;
  if (flags && gp_arena_find(address, &made)) {
    made.flags = flags;
    gp_arena_note(&made);
  }
  *pointer = (void *)address;
  return gp_cpu_result(0);
}

static int release(void *pointer, bool host) {
  int error = gp_capture_forbids();
  if (!error && !gp_cpu_broken())
    error = host ? gp_memory_release(pointer, true) : gp_graph_memory_free(pointer);
  return gp_cpu_result(error);
}

int gp_cpu_cudaMalloc(void **pointer, size_t bytes) { return allocate(pointer, bytes, GP_MEMORY_DEVICE, 0); }
int gp_cpu_cudaFree(void *pointer) { return release(pointer, false); }
int gp_cpu_cudaMallocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, GP_MEMORY_HOST, HOST_MAPPED);
}
int gp_cpu_cudaFreeHost(void *pointer) { return release(pointer, true); }

/* With unified addresses all pinned memory is mapped. */
int gp_cpu_cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return flags & ~(unsigned)HOST_FLAGS ? gp_cpu_result(GP_ERROR_INVALID_VALUE)
                                       : allocate(pointer, bytes, GP_MEMORY_HOST, flags | HOST_MAPPED);
}

int gp_cpu_cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return allocate(pointer, bytes, GP_MEMORY_MANAGED, flags);
}

int gp_cpu_cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return allocate(pointer, *pitch * height, GP_MEMORY_DEVICE, 0);
}

int gp_cpu_cudaMalloc3D(struct gp_cuda_pitched *pointer, struct gp_cuda_extent extent) {
  if (!pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return gp_cpu_cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

int gp_cpu_cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  uint64_t free_now, total;
  gp_arena_totals(gp_cpu_device(), &free_now, &total);
  if (free_bytes)
    *free_bytes = free_now;
  if (total_bytes)
    *total_bytes = total;
  return gp_cpu_result(0);
}

/* ---- Memory of the host -------------------------------------------------------------------------------- */

/* A kernel reaches all memory of the host: the range is only recorded. */
int gp_cpu_cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  static const int errors[] = {[GP_REGISTRATION_OVERLAPS] = GP_ERROR_HOST_REGISTERED,
                               [GP_REGISTRATION_NO_MEMORY] = GP_ERROR_MEMORY_ALLOCATION};
  struct gp_allocation pinned;
  if (!pointer || !bytes || flags & ~(unsigned)HOST_FLAGS || gp_arena_find((uint64_t)pointer, &pinned))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gp_registered range = {.address = pointer, .bytes = bytes, .flags = flags | HOST_MAPPED};
  int error = gp_capture_forbids();
  return gp_cpu_result(error ? error : errors[gp_registered_add(&range)]);
}

int gp_cpu_cudaHostUnregister(void *pointer) {
  static const int errors[] = {[GP_REGISTRATION_OVERLAPS] = GP_ERROR_INVALID_VALUE,
                               [GP_REGISTRATION_UNKNOWN] = GP_ERROR_HOST_NOT_REGISTERED};
  struct gp_allocation pinned;
  if (!pointer || gp_arena_find((uint64_t)pointer, &pinned))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(errors[gp_registered_remove(pointer)]);
}

static bool is_host_memory(const void *pointer, unsigned *flags) {
  struct gp_allocation pinned;
  struct gp_registered range;
  if (gp_arena_find((uint64_t)pointer, &pinned)) {
    *flags = pinned.flags;
    return pinned.kind == GP_MEMORY_HOST;
  }
  bool found = gp_registered_find(pointer, &range);
  if (found)
    *flags = range.flags;
  return found;
}

int gp_cpu_cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  unsigned found;
  if (!device || flags || !is_host_memory(host, &found))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *device = host;
  return gp_cpu_result(0);
}

int gp_cpu_cudaHostGetFlags(unsigned *flags, void *host) {
  unsigned found;
  if (!flags || !is_host_memory(host, &found))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = found;
  return gp_cpu_result(0);
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

/* The fields of cudaPointerAttributes common to CUDA 11 to 13. */
struct pointer_attributes {
  int type;
  int device;
  void *device_pointer, *host_pointer;
};

enum { UNREGISTERED, HOST, DEVICE, MANAGED, NO_DEVICE = -2 };

int gp_cpu_cudaPointerGetAttributes(void *result, const void *pointer) {
  static const int types[] = {
      [GP_MEMORY_DEVICE] = DEVICE, [GP_MEMORY_HOST] = HOST, [GP_MEMORY_MANAGED] = MANAGED};
  struct gp_allocation found;
  struct pointer_attributes *attributes = result;
  void *same = (void *)pointer;
  if (!attributes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  const struct gpuprof_cpu_variable *variable = gp_memory_variable(pointer);
  if (gp_arena_find((uint64_t)pointer, &found))
    *attributes = (struct pointer_attributes){types[found.kind], found.device, same,
                                              found.kind == GP_MEMORY_DEVICE ? NULL : same};
  else if (gp_registered_find(pointer, NULL))
    *attributes = (struct pointer_attributes){HOST, gp_cpu_device(), same, same};
  else if (variable)
    *attributes = variable->flags & GPUPROF_CPU_VARIABLE_MANAGED
                      ? (struct pointer_attributes){MANAGED, gp_cpu_device(), same, same}
                      : (struct pointer_attributes){DEVICE, gp_cpu_device(), same, NULL};
  else
    *attributes = (struct pointer_attributes){UNREGISTERED, NO_DEVICE, NULL, same};
  return gp_cpu_result(0);
}

/* ---- Advice: kept for queries -------------------------------------------------------------------------- */

enum { PLACE_DEVICE = 1, PLACE_HOST = 2, PLACE_HOST_NUMA = 3, PLACE_HOST_NUMA_CURRENT = 4, HOST_PLACE = -1 };

/* A device, -1 for the host; false: there is no such place. */
static bool place_of(struct gp_cuda_location location, int *place) {
  *place = location.type == PLACE_DEVICE ? location.id : HOST_PLACE;
  return location.type == PLACE_DEVICE
             ? gp_cpu_device_exists(location.id)
             : location.type >= PLACE_HOST && location.type <= PLACE_HOST_NUMA_CURRENT;
}

/* The place for a number of CUDA up to 12. */
static struct gp_cuda_location location_of(int device) {
  return (struct gp_cuda_location){device == HOST_PLACE ? PLACE_HOST : PLACE_DEVICE, device};
}

static bool find_managed(const void *pointer, size_t bytes, struct gp_allocation *found) {
  return bytes && gp_arena_find((uint64_t)pointer, found) && found->kind == GP_MEMORY_MANAGED &&
         bytes <= found->address + found->bytes - (uint64_t)pointer;
}

enum { READ_MOSTLY = 1, NOT_READ_MOSTLY, PREFERRED, NOT_PREFERRED, ACCESSED_BY, NOT_ACCESSED_BY };

static int advise(const void *pointer, size_t bytes, int advice, struct gp_cuda_location location) {
  struct gp_allocation found;
  int place;
  if (advice < READ_MOSTLY || advice > NOT_ACCESSED_BY || !find_managed(pointer, bytes, &found))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  bool exists = place_of(location, &place);
  if ((advice == PREFERRED || advice == ACCESSED_BY || advice == NOT_ACCESSED_BY) && !exists)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (advice == READ_MOSTLY || advice == NOT_READ_MOSTLY)
    found.read_mostly = advice == READ_MOSTLY;
  if (advice == PREFERRED || advice == NOT_PREFERRED)
    found.preferred = advice == PREFERRED ? place : NO_DEVICE;
  gp_arena_note(&found);
  return gp_cpu_result(0);
}

static struct gp_cuda_location unpack(uint64_t location) {
  struct gp_cuda_location l;
  memcpy(&l, &location, sizeof l);
  return l;
}

/* From CUDA 13 on, and as _v2 in 12, a structure of two numbers has the place; it comes in one register. */
int gp_cpu_cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, uint64_t location) {
  return advise(pointer, bytes, advice, unpack(location));
}

int gp_cpu_cudaMemAdvise(const void *pointer, size_t bytes, int advice, uint64_t location) {
  return advise(pointer, bytes, advice,
                gp_modules_cuda_version() >= 13000 ? unpack(location) : location_of((int)(uint32_t)location));
}

static int prefetch(const void *pointer, size_t bytes, struct gp_cuda_location location, void *handle) {
  struct gp_stream *stream;
  struct gp_allocation found;
  int place, error = gp_stream_check(handle, &stream);
  if (!error && !place_of(location, &place))
    error = GP_ERROR_INVALID_DEVICE;
  if (!error && !find_managed(pointer, bytes, &found))
    error = GP_ERROR_INVALID_VALUE;
  if (!error) {
    found.prefetched = place;
    gp_arena_note(&found);
  }
  return gp_cpu_result(error);
}

int gp_cpu_cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, uint64_t location, uintptr_t flags,
                                   void *stream) {
  return flags ? gp_cpu_result(GP_ERROR_INVALID_VALUE) : prefetch(pointer, bytes, unpack(location), stream);
}

int gp_cpu_cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t location,
                                uintptr_t flags_or_stream, void *stream) {
  if (gp_modules_cuda_version() >= 13000)
    return gp_cpu_cudaMemPrefetchAsync_v2(pointer, bytes, location, flags_or_stream, stream);
  return prefetch(pointer, bytes, location_of((int)(uint32_t)location), (void *)flags_or_stream);
}

enum { RANGE_READ_MOSTLY = 1, RANGE_PREFERRED, RANGE_ACCESSED_BY, RANGE_PREFETCHED };

int gp_cpu_cudaMemRangeGetAttribute(void *data, size_t bytes, int attribute, const void *pointer,
                                    size_t count) {
  struct gp_allocation found;
  int value;
  if (!data || !find_managed(pointer, count, &found) || !bytes || bytes % sizeof value)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (attribute != RANGE_ACCESSED_BY && bytes != sizeof value)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  switch (attribute) {
  case RANGE_READ_MOSTLY:
    value = found.read_mostly;
    break;
  case RANGE_PREFERRED:
    value = found.preferred;
    break;
  case RANGE_PREFETCHED:
    value = found.prefetched;
    break;
  case RANGE_ACCESSED_BY:
    value = NO_DEVICE; /* every device reaches all memory; no access needs to be granted */
    break;
  default:
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  }
  for (size_t i = 0; i < bytes / sizeof value; i++)
    ((int *)data)[i] = value;
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemRangeGetAttributes(void **data, size_t *sizes, int *attributes, size_t count,
                                     const void *pointer, size_t bytes) {
  int error = data && sizes && attributes ? 0 : gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < count && !error; i++)
    error = gp_cpu_cudaMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, bytes);
  return error;
}
