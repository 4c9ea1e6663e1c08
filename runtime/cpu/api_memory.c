/* Memory, copies, fills and device variables. */
#include "cpu/api.h"
#include "cpu/emulator.h"
#include "cpu/errors.h"
#include "modules.h"

#include <string.h>
#include <unistd.h>

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_DIRECTION };
enum { PITCH = 512 };

/* ---- Allocation ---------------------------------------------------------------------------------------- */

static int allocate(void **pointer, size_t bytes, enum gp_memory_kind kind) {
  if (!pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!bytes) {
    *pointer = NULL;
    return gp_cpu_result(0);
  }
  uint64_t address = gp_arena_allocate(bytes, kind);
  if (!address)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *pointer = (void *)address;
  return gp_cpu_result(0);
}

static int release(void *pointer, bool host) {
  struct gp_allocation found;
  if (!pointer)
    return gp_cpu_result(0);
  if (!gp_arena_find((uint64_t)pointer, &found) || found.address != (uint64_t)pointer ||
      (found.kind == GP_MEMORY_HOST) != host)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  gp_cpu_wait(); /* cudaFree waits for kernels that may use the memory */
  gp_arena_release(found.address);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMalloc(void **pointer, size_t bytes) { return allocate(pointer, bytes, GP_MEMORY_DEVICE); }
int gp_cpu_cudaFree(void *pointer) { return release(pointer, false); }
int gp_cpu_cudaMallocHost(void **pointer, size_t bytes) { return allocate(pointer, bytes, GP_MEMORY_HOST); }
int gp_cpu_cudaFreeHost(void *pointer) { return release(pointer, true); }

int gp_cpu_cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  (void)flags;
  return allocate(pointer, bytes, GP_MEMORY_HOST);
}

/* A kernel reaches all memory of the host, so there is nothing to do. */
int gp_cpu_cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  (void)flags;
  return gp_cpu_result(pointer && bytes ? 0 : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaHostUnregister(void *pointer) { return gp_cpu_result(pointer ? 0 : GP_ERROR_INVALID_VALUE); }

int gp_cpu_cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  (void)flags;
  if (!device || !host)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *device = host;
  return gp_cpu_result(0);
}

int gp_cpu_cudaHostGetFlags(unsigned *flags, void *host) {
  struct gp_allocation found;
  if (!flags || !gp_arena_find((uint64_t)host, &found) || found.kind != GP_MEMORY_HOST)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = 0;
  return gp_cpu_result(0);
}

int gp_cpu_cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  (void)flags;
  if (!bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return allocate(pointer, bytes, GP_MEMORY_MANAGED);
}

int gp_cpu_cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return allocate(pointer, *pitch * height, GP_MEMORY_DEVICE);
}

int gp_cpu_cudaMalloc3D(struct gp_cuda_pitched *pointer, struct gp_cuda_extent extent) {
  if (!pointer)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return gp_cpu_cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

int gp_cpu_cudaMallocAsync(void **pointer, size_t bytes, void *stream) {
  (void)stream;
  return gp_cpu_cudaMalloc(pointer, bytes);
}

int gp_cpu_cudaFreeAsync(void *pointer, void *stream) {
  (void)stream;
  return gp_cpu_cudaFree(pointer);
}

int gp_cpu_cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  uint64_t free_now, total;
  gp_arena_totals(&free_now, &total);
  if (free_bytes)
    *free_bytes = free_now;
  if (total_bytes)
    *total_bytes = total;
  return gp_cpu_result(0);
}

/* cudaPointerAttributes as CUDA 11 to 13 begin it. */
struct pointer_attributes {
  int type; /* 0 unregistered, 1 host, 2 device, 3 managed */
  int device;
  void *device_pointer, *host_pointer;
};

int gp_cpu_cudaPointerGetAttributes(void *result, const void *pointer) {
  static const int types[] = {[GP_MEMORY_DEVICE] = 2, [GP_MEMORY_HOST] = 1, [GP_MEMORY_MANAGED] = 3};
  struct gp_allocation found;
  struct pointer_attributes *attributes = result;
  if (!attributes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *attributes = (struct pointer_attributes){.device = -2, .host_pointer = (void *)pointer};
  if (gp_arena_find((uint64_t)pointer, &found)) {
    attributes->type = types[found.kind];
    attributes->device = 0;
    attributes->device_pointer = (void *)pointer;
    if (found.kind == GP_MEMORY_DEVICE)
      attributes->host_pointer = NULL;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemAdvise(const void *pointer, size_t bytes, int advice, uint64_t location) {
  (void)bytes, (void)advice, (void)location;
  return gp_cpu_result(pointer ? 0 : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t location,
                                uintptr_t flags_or_stream, void *stream) {
  (void)bytes, (void)location, (void)flags_or_stream, (void)stream;
  return gp_cpu_result(pointer ? 0 : GP_ERROR_INVALID_VALUE);
}

/* ---- Copies -------------------------------------------------------------------------------------------- */

/* True if the range is not null and does not leave the allocation it begins in. */
static bool is_valid(const void *pointer, size_t bytes) {
  uint64_t address = (uint64_t)pointer, offset = address - __gpuprof_cpu_sectors.base;
  struct gp_allocation found;
  if (!pointer)
    return false;
  if (offset >= __gpuprof_cpu_sectors.size)
    return true; /* memory of the host, or a device variable */
  return gp_arena_find(address, &found) && bytes <= found.address + found.bytes - address;
}

static int copy(void *to, const void *from, size_t bytes, int kind) {
  if (kind < HOST_TO_HOST || kind > DEFAULT_DIRECTION)
    return gp_cpu_result(GP_ERROR_INVALID_DIRECTION);
  if (!bytes)
    return gp_cpu_result(0);
  if (!is_valid(to, bytes) || !is_valid(from, bytes))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_broken())
    memmove(to, from, bytes);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return copy(to, from, bytes, kind);
}

int gp_cpu_cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  (void)stream;
  return copy(to, from, bytes, kind);
}

int gp_cpu_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, int kind) {
  if (width > to_pitch || width > from_pitch)
    return gp_cpu_result(GP_ERROR_INVALID_PITCH);
  for (size_t row = 0; row < height; row++) {
    int error = copy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind);
    if (error)
      return error;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, int kind, void *stream) {
  (void)stream;
  return gp_cpu_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

static char *plane(const struct gp_cuda_pitched *p, const struct gp_cuda_pos *at, size_t z) {
  return (char *)p->ptr + (at->z + z) * p->pitch * p->ysize + at->y * p->pitch + at->x;
}

int gp_cpu_cudaMemcpy3D(const struct gp_cuda_memcpy3d *c) {
  if (!c || !c->src_ptr.ptr || !c->dst_ptr.ptr)
    return gp_cpu_result(c && (c->src_array || c->dst_array) ? GP_ERROR_NOT_SUPPORTED
                                                             : GP_ERROR_INVALID_VALUE);
  for (size_t z = 0; z < c->extent.depth; z++) {
    int error = gp_cpu_cudaMemcpy2D(plane(&c->dst_ptr, &c->dst_pos, z), c->dst_ptr.pitch,
                                    plane(&c->src_ptr, &c->src_pos, z), c->src_ptr.pitch, c->extent.width,
                                    c->extent.height, c->kind);
    if (error)
      return error;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemcpy3DAsync(const struct gp_cuda_memcpy3d *c, void *stream) {
  (void)stream;
  return gp_cpu_cudaMemcpy3D(c);
}

int gp_cpu_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  if (to_device || from_device)
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  return copy(to, from, bytes, DEVICE_TO_DEVICE);
}

int gp_cpu_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                               void *stream) {
  (void)stream;
  return gp_cpu_cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

/* ---- Fills --------------------------------------------------------------------------------------------- */

int gp_cpu_cudaMemset(void *pointer, int value, size_t bytes) {
  if (!bytes)
    return gp_cpu_result(0);
  if (!is_valid(pointer, bytes))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_broken())
    memset(pointer, value, bytes);
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemsetAsync(void *pointer, int value, size_t bytes, void *stream) {
  (void)stream;
  return gp_cpu_cudaMemset(pointer, value, bytes);
}

int gp_cpu_cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  if (width > pitch)
    return gp_cpu_result(GP_ERROR_INVALID_PITCH);
  for (size_t row = 0; row < height; row++) {
    int error = gp_cpu_cudaMemset((char *)pointer + row * pitch, value, width);
    if (error)
      return error;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                             void *stream) {
  (void)stream;
  return gp_cpu_cudaMemset2D(pointer, pitch, value, width, height);
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

/* Address of `bytes` bytes of a variable, or null with the error in *error. */
static char *inside_symbol(const void *symbol, size_t bytes, size_t offset, int *error) {
  const struct gpuprof_cpu_variable *variable = gp_modules_cpu_variable(symbol);
  *error = GP_ERROR_INVALID_SYMBOL;
  if (!variable)
    return NULL;
  *error = GP_ERROR_INVALID_VALUE;
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return NULL;
  return (char *)variable->address + offset;
}

int gp_cpu_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
  int error;
  char *to = inside_symbol(symbol, bytes, offset, &error);
  return to ? copy(to, from, bytes, kind) : gp_cpu_result(error);
}

int gp_cpu_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
  int error;
  const char *from = inside_symbol(symbol, bytes, offset, &error);
  return from ? copy(to, from, bytes, kind) : gp_cpu_result(error);
}

int gp_cpu_cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                   int kind, void *stream) {
  (void)stream;
  return gp_cpu_cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

int gp_cpu_cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                     void *stream) {
  (void)stream;
  return gp_cpu_cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
