// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies and fills: CUDA's checks, and the movement of bytes. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/work/work.h"
#include "memory/array.h"
#include "memory/mappings.h"
#include "memory/memory.h"
#include "sheet/modules.h"

#include <string.h>

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_DIRECTION };

/* ---- The targets of pointers --------------------------------------------------------------------------- */

static bool is_valid(const void *pointer, size_t bytes, bool write) {
  uint64_t address = (uint64_t)pointer, offset = address - gp_cpu_sectors->base;
  struct gp_allocation found;
  if (!pointer)
    return false;
  if (offset >= gp_cpu_sectors->size)
    return true; /* memory of the host, or a device variable */
  if (!gp_arena_find(address, &found))
    return false;
  return found.mapping ? gp_mapping_is_valid(&found, address, bytes, write)
                       : bytes <= found.address + found.bytes - address;
}

bool gp_memory_is_valid(const void *pointer, size_t bytes) { return is_valid(pointer, bytes, false); }

struct search {
  uint64_t address;
  const struct gpuprof_cpu_variable *found;
};

static int holds(struct gpuprof_host_unit *unit, void *closure) {
  struct search *search = closure;
  for (uint64_t i = 0; i < unit->cpu_variable_count && unit->cpu_variables; i++)
    if (search->address - (uint64_t)unit->cpu_variables[i].address < unit->cpu_variables[i].bytes)
      search->found = &unit->cpu_variables[i];
  return search->found != NULL;
}

const struct gpuprof_cpu_variable *gp_memory_variable(const void *pointer) {
  struct search search = {.address = (uint64_t)pointer};
  gp_modules_each_unit(holds, &search);
  return search.found;
}

void *gp_cpu_inside_symbol(const void *symbol, size_t bytes, size_t offset, int *error) {
  const struct gpuprof_cpu_variable *variable = gp_modules_cpu_variable(symbol);
  *error = GP_ERROR_INVALID_SYMBOL;
  if (!variable)
    return NULL;
  *error = GP_ERROR_INVALID_VALUE;
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return NULL;
  *error = 0;
  return (char *)variable->address + offset;
}

bool gp_memory_is_known(const void *pointer) {
  struct gp_allocation found;
  return gp_arena_find((uint64_t)pointer, &found) || gp_registered_find(pointer, NULL) ||
         gp_memory_variable(pointer);
}

/* ---- Copies -------------------------------------------------------------------------------------------- */

/* One side of a copy: its start, and the bytes from row to row and from plane to plane. */
struct side {
  char *start;
  size_t pitch, plane;
};

/* The unit of the copy's width and positions in bytes: an element with a participating array, otherwise a
 * byte. */
static size_t unit_of(const struct gp_cuda_memcpy3d *copy) {
  const struct gp_array *array = gp_array_find(copy->src_array ? copy->src_array : copy->dst_array);
  return array ? array->element_bytes : 1;
}

static struct side side_of(void *handle, const struct gp_cuda_pitched *p, const struct gp_cuda_pos *at,
                           size_t unit) {
  struct side side;
  const struct gp_array *array = handle ? gp_array_find(handle) : NULL;
  if (array) {
    side = (struct side){array->data, array->row_bytes, array->plane_bytes};
    side.start += at->z * side.plane + at->y * side.pitch + at->x * array->element_bytes;
  } else {
    side = (struct side){p->ptr, p->pitch, p->pitch * p->ysize};
    side.start += at->z * side.plane + at->y * side.pitch + at->x * unit;
  }
  return side;
}

static int check_side(void *handle, const struct gp_cuda_pitched *p, const struct gp_cuda_pos *at,
                      const struct gp_cuda_extent *extent, size_t unit, bool on_device, bool write) {
  if (handle) {
    const struct gp_array *array = gp_array_find(handle);
    if (!array)
      return GP_ERROR_INVALID_HANDLE;
    return at->x + extent->width > array->width || at->y + extent->height > array->height ||
                   at->z + extent->depth > array->depth
               ? GP_ERROR_INVALID_VALUE
               : 0;
  }
  size_t bytes = extent->width * unit;
  if (p->ptr && bytes > p->pitch && extent->height > 1)
    return GP_ERROR_INVALID_PITCH;
  if (!p->ptr || bytes > p->pitch || (extent->depth > 1 && extent->height > p->ysize))
    return GP_ERROR_INVALID_VALUE;
  struct side side = side_of(NULL, p, at, unit);
  size_t span = (extent->depth - 1) * side.plane + (extent->height - 1) * side.pitch + bytes;
  if (!is_valid(side.start, span, write) || (on_device && !gp_memory_is_known(side.start)))
    return GP_ERROR_INVALID_VALUE;
  return 0;
}

int gp_copy_check(const struct gp_cuda_memcpy3d *copy) {
  if (!copy->extent.width || !copy->extent.height || !copy->extent.depth)
    return 0;
  if (copy->kind < HOST_TO_HOST || copy->kind > DEFAULT_DIRECTION)
    return GP_ERROR_INVALID_DIRECTION;
  size_t unit = unit_of(copy);
  bool from_device = copy->kind == DEVICE_TO_HOST || copy->kind == DEVICE_TO_DEVICE;
  bool to_device = copy->kind == HOST_TO_DEVICE || copy->kind == DEVICE_TO_DEVICE;
  int error = check_side(copy->src_array, &copy->src_ptr, &copy->src_pos, &copy->extent, unit, from_device, false);
  return error ? error
               : check_side(copy->dst_array, &copy->dst_ptr, &copy->dst_pos, &copy->extent, unit, to_device, true);
}

static void move(void *closure) {
  const struct gp_cuda_memcpy3d *copy = closure;
  size_t unit = unit_of(copy), bytes = copy->extent.width * unit;
  struct side from = side_of(copy->src_array, &copy->src_ptr, &copy->src_pos, unit),
              to = side_of(copy->dst_array, &copy->dst_ptr, &copy->dst_pos, unit);
  for (size_t z = 0; z < copy->extent.depth; z++)
    for (size_t y = 0; y < copy->extent.height; y++)
      memmove(to.start + z * to.plane + y * to.pitch, from.start + z * from.plane + y * from.pitch, bytes);
}

void gp_copy_do(const struct gp_cuda_memcpy3d *copy) {
  if (copy->extent.width && copy->extent.height && copy->extent.depth)
    gp_cpu_device_do(move, (void *)copy);
}

struct gp_cuda_memcpy3d gp_copy_of_bytes(void *to, const void *from, size_t bytes, int kind) {
  return (struct gp_cuda_memcpy3d){.src_ptr = {(void *)from, bytes, bytes, 1},
                                   .dst_ptr = {to, bytes, bytes, 1},
                                   .extent = {bytes, 1, 1},
                                   .kind = kind};
}

/* ---- Fills --------------------------------------------------------------------------------------------- */

int gp_fill_check(const struct gp_fill_work *fill) {
  size_t row = fill->width * fill->element_bytes;
  if (!row || !fill->height || !fill->depth)
    return 0;
  if (fill->element_bytes != 1 && fill->element_bytes != 2 && fill->element_bytes != 4)
    return GP_ERROR_INVALID_VALUE;
  if ((fill->height > 1 && row > fill->pitch))
    return GP_ERROR_INVALID_VALUE;
  size_t span = (fill->depth - 1) * fill->plane_bytes + (fill->height - 1) * fill->pitch + row;
  return is_valid(fill->to, span, true) ? 0 : GP_ERROR_INVALID_VALUE;
}

static void fill_rows(void *closure) {
  const struct gp_fill_work *fill = closure;
  for (size_t z = 0; z < fill->depth; z++)
    for (size_t y = 0; y < fill->height; y++) {
      char *row = (char *)fill->to + z * fill->plane_bytes + y * fill->pitch;
      if (fill->element_bytes == 1)
        memset(row, (int)fill->value, fill->width);
      else /* the machine is little-endian */
        for (size_t x = 0; x < fill->width; x++)
          memcpy(row + x * fill->element_bytes, &fill->value, fill->element_bytes);
    }
}

void gp_fill_do(const struct gp_fill_work *fill) {
  if (fill->width && fill->height && fill->depth)
    gp_cpu_device_do(fill_rows, (void *)fill);
}
