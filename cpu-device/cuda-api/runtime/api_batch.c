// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Batches of copies, prefetches and discards in one call. CUDA 12.8 has a parameter for the index of the
 * failed one; CUDA 13 has none.
 */
#include "common/errors.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/arena.h"
#include "memory/array.h"
#include "sheet/modules.h"

enum { DEFAULT_DIRECTION = 4, CUDA_13 = 13000 };

/* ---- Copies of bytes ----------------------------------------------------------------------------------- */

/* cudaMemcpyAttributes */
struct copy_attributes {
  int order;
  int hints[4];
  unsigned flags;
};

/* Each attribute holds from the copy named by `first` on; the first one holds for all. */
static bool are_attributes(const struct copy_attributes *list, const size_t *first, size_t count,
                           size_t copies) {
  enum { ORDER_STREAM = 1, ORDER_ANY = 3 };
  if (!list || !first || !count || count > copies || first[0])
    return false;
  for (size_t i = 0; i < count; i++)
    if (list[i].order < ORDER_STREAM || list[i].order > ORDER_ANY || first[i] >= copies)
      return false;
  return true;
}

static int copy_batch(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                      size_t *failed, void *stream) {
  if (!to || !from || !bytes || !stream)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < count; i++) {
    int error = gp_cpu_cudaMemcpyAsync(to[i], from[i], bytes[i], DEFAULT_DIRECTION, stream);
    if (error && failed)
      *failed = i;
    if (error)
      return error;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemcpyBatchAsync(void *to, void *from, size_t *bytes, size_t count, void *attributes,
                                size_t *places, size_t attribute_count, void *stream_or_failed,
                                void *stream) {
  if (!count || !are_attributes(attributes, places, attribute_count, count))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (gp_modules_cuda_version() >= CUDA_13)
    return copy_batch(to, from, bytes, count, NULL, stream_or_failed);
  return copy_batch(to, from, bytes, count, stream_or_failed, stream);
}

/* ---- Copies in three dimensions ------------------------------------------------------------------------ */

enum { OPERAND_POINTER = 1, OPERAND_ARRAY };

/* cudaMemcpy3DOperand */
struct operand {
  int type;
  union {
    struct {
      void *memory;
      size_t row_length, layer_height; /* in elements and rows; 0: those of the extent */
      int hint[2];
    } pointer;
    struct {
      void *array;
      struct gp_cuda_pos place;
    } array;
  };
};

/* cudaMemcpy3DBatchOp */
struct operation {
  struct operand from, to;
  struct gp_cuda_extent extent;
  int order;
  unsigned flags;
};

/* Bytes of an element of a participating array; without an array an element is a byte. */
static size_t element_bytes(const struct operation *o) {
  const struct operand *ends[] = {&o->from, &o->to};
  for (int i = 0; i < 2; i++) {
    const struct gp_array *array =
        ends[i]->type == OPERAND_ARRAY ? gp_array_find(ends[i]->array.array) : NULL;
    if (array)
      return array->element_bytes;
  }
  return 1;
}

static void set_end(const struct operand *operand, const struct operation *o, void **array,
                    struct gp_cuda_pos *place, struct gp_cuda_pitched *memory) {
  size_t width = operand->pointer.row_length ? operand->pointer.row_length : o->extent.width;
  size_t height = operand->pointer.layer_height ? operand->pointer.layer_height : o->extent.height;
  if (operand->type == OPERAND_ARRAY) {
    *array = operand->array.array;
    *place = operand->array.place;
  } else {
    *memory = (struct gp_cuda_pitched){operand->pointer.memory, width * element_bytes(o), width, height};
  }
}

static bool is_operand(const struct operand *operand) {
  return operand->type == OPERAND_POINTER || operand->type == OPERAND_ARRAY;
}

static int copy_3d(const struct operation *o, void *stream) {
  struct gp_cuda_memcpy3d copy = {.extent = o->extent, .kind = DEFAULT_DIRECTION};
  if (!is_operand(&o->from) || !is_operand(&o->to) || !o->extent.width || !o->extent.height ||
      !o->extent.depth)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  set_end(&o->from, o, &copy.src_array, &copy.src_pos, &copy.src_ptr);
  set_end(&o->to, o, &copy.dst_array, &copy.dst_pos, &copy.dst_ptr);
  return gp_cpu_cudaMemcpy3DAsync(&copy, stream);
}

static int copy_3d_batch(size_t count, const struct operation *list, size_t *failed, unsigned long long flags,
                         void *stream) {
  if (!count || !list || flags || !stream)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < count; i++) {
    int error = copy_3d(&list[i], stream);
    if (error && failed)
      *failed = i;
    if (error)
      return error;
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaMemcpy3DBatchAsync(size_t count, void *list, uintptr_t flags_or_failed,
                                  uintptr_t stream_or_flags, void *stream) {
  if (gp_modules_cuda_version() >= CUDA_13)
    return copy_3d_batch(count, list, NULL, flags_or_failed, (void *)stream_or_flags);
  return copy_3d_batch(count, list, (size_t *)flags_or_failed, stream_or_flags, stream);
}

/* ---- Managed memory: the preferred place is remembered, the content stays ------------------------------ */

static int check_batch(void *const *pointers, const size_t *bytes, size_t count, unsigned long long flags,
                       const void *stream) {
  if (!pointers || !bytes || !count || flags || !stream)
    return GP_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++) {
    struct gp_allocation found;
    if (!gp_arena_find((uint64_t)pointers[i], &found) || found.kind != GP_MEMORY_MANAGED ||
        bytes[i] > found.address + found.bytes - (uint64_t)pointers[i])
      return GP_ERROR_INVALID_VALUE;
  }
  return 0;
}

/* The location for pointer number i: `first` has the first pointer of each location. */
static uint64_t location_of(size_t i, const uint64_t *locations, const size_t *first, size_t count) {
  size_t at = 0;
  while (at + 1 < count && first[at + 1] <= i)
    at++;
  return locations[at];
}

int gp_cpu_cudaMemPrefetchBatchAsync(void *pointers, void *bytes, size_t count, void *locations, void *first,
                                     size_t location_count, unsigned long long flags, void *stream) {
  int error = locations && first && location_count && location_count <= count && !*(const size_t *)first
                  ? check_batch(pointers, bytes, count, flags, stream)
                  : GP_ERROR_INVALID_VALUE;
  for (size_t i = 0; !error && i < count; i++)
    error = gp_cpu_cudaMemPrefetchAsync(((void **)pointers)[i], ((const size_t *)bytes)[i],
                                        location_of(i, locations, first, location_count), 0, stream);
  return gp_cpu_result(error);
}

int gp_cpu_cudaMemDiscardBatchAsync(void *pointers, void *bytes, size_t count, unsigned long long flags,
                                    void *stream) {
  return gp_cpu_result(check_batch(pointers, bytes, count, flags, stream));
}

int gp_cpu_cudaMemDiscardAndPrefetchBatchAsync(void *pointers, void *bytes, size_t count, void *locations,
                                               void *first, size_t location_count, unsigned long long flags,
                                               void *stream) {
  return gp_cpu_cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, first, location_count, flags,
                                          stream);
}
