// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tensor maps: the CUDA driver's checks at their creation, and changes by kernels. */
#include "base/log.h"
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_tensor.h"
#include "units/tensor_map.h"

#include <string.h>

_Static_assert(sizeof(struct gp_tensor_map) <= GP_TENSOR_MAP_BYTES, "CUtensorMap has 128 bytes");

enum {
  ADDRESS_ALIGNMENT = 16, /* of tensors, strides, and rows of a box */
  LARGEST_BOX = 256,
  LARGEST_STEP = 8,
  SWIZZLES = 4 /* none, of 32, 64 and 128 bytes; modes of later chips are missing */
};
#define LARGEST_DIMENSION (1ull << 32)
#define STRIDE_LIMIT (1ull << 40)

uint32_t gp_tensor_element_bytes(uint32_t type) {
  static const uint8_t bytes[] = {
#define BYTES(name, bytes) bytes,
      GP_TENSOR_TYPES(BYTES)
#undef BYTES
  };
  return type < GP_TENSOR_TYPE_COUNT ? bytes[type] : 0;
}

static bool is_float(uint32_t type) { return type >= GP_TENSOR_FLOAT16 && type < GP_TENSOR_TYPE_COUNT; }

/* Fields common to both ways of making a map. The address may be null, until replaced. */
struct tensor {
  int type;
  uint32_t rank;
  uint64_t address;
  const uint64_t *dimensions, *strides;
  const uint32_t *steps;
  int interleave, swizzle, fill;
};

static bool is_valid(const struct tensor *t, const void *map) {
  if (!map || t->type < 0 || t->type >= GP_TENSOR_TYPE_COUNT || !t->rank || t->rank > GP_TENSOR_DIMENSIONS ||
      t->address % ADDRESS_ALIGNMENT || !t->dimensions || !t->steps || (t->rank > 1 && !t->strides))
    return false;
  if (t->swizzle < 0 || t->swizzle >= SWIZZLES || t->fill < GP_TENSOR_FILL_ZERO ||
      t->fill > GP_TENSOR_FILL_NAN || (t->fill == GP_TENSOR_FILL_NAN && !is_float((uint32_t)t->type)))
    return false;
  for (uint32_t i = 0; i < t->rank; i++)
    if (!t->dimensions[i] || t->dimensions[i] > LARGEST_DIMENSION || !t->steps[i] ||
        t->steps[i] > LARGEST_STEP)
      return false;
  for (uint32_t i = 0; i + 1 < t->rank; i++)
    if (t->strides[i] % ADDRESS_ALIGNMENT || t->strides[i] >= STRIDE_LIMIT)
      return false;
  return true;
}

/* Rows of a box in shared memory: whole chunks, and at most the swizzled span. */
static bool is_valid_row(const struct tensor *t, uint32_t elements) {
  static const uint32_t longest[SWIZZLES] = {LARGEST_BOX * 8, 32, 64, 128};
  const uint32_t bytes = elements * gp_tensor_element_bytes((uint32_t)t->type);
  return elements && elements <= LARGEST_BOX && bytes % ADDRESS_ALIGNMENT == 0 &&
         bytes <= longest[t->swizzle];
}

static struct gp_tensor_map map_of(const struct tensor *t) {
  struct gp_tensor_map map = {.mark = GP_TENSOR_MARK,
                              .address = t->address,
                              .rank = (uint8_t)t->rank,
                              .type = (uint8_t)t->type,
                              .swizzle = (uint8_t)t->swizzle,
                              .fill = (uint8_t)t->fill};
  for (uint32_t i = 0; i < t->rank; i++) {
    map.last[i] = (uint32_t)(t->dimensions[i] - 1);
    map.step[i] = i ? (uint8_t)t->steps[i] : 1; /* the first dimension is copied as a whole */
  }
  for (uint32_t i = 0; i + 1 < t->rank; i++)
    map.stride[i] = t->strides[i];
  return map;
}

static int finish(void *to, const struct gp_tensor_map *map) {
  memset(to, 0, GP_TENSOR_MAP_BYTES);
  memcpy(to, map, sizeof *map);
  return 0;
}

static int lacks_interleave(const char *function) {
  gp_log(GP_WARN, function,
         "the CPU device has no interleaved layouts, so it returned CUDA_ERROR_NOT_SUPPORTED");
  return GP_ERROR_NOT_SUPPORTED;
}

int gp_tensor_encode_tiled(void *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int fill) {
  const struct tensor t = {type,  rank,       (uint64_t)address, dimensions, strides,
                           steps, interleave, swizzle,           fill};
  if (!is_valid(&t, map) || !box)
    return GP_ERROR_INVALID_VALUE;
  if (interleave)
    return lacks_interleave("cuTensorMapEncodeTiled");
  if (!is_valid_row(&t, box[0]))
    return GP_ERROR_INVALID_VALUE;
  struct gp_tensor_map made = map_of(&t);
  for (uint32_t i = 0; i < rank; i++) {
    if (!box[i] || box[i] > LARGEST_BOX)
      return GP_ERROR_INVALID_VALUE;
    made.box[i] = (uint16_t)box[i];
  }
  return finish(map, &made);
}

int gp_tensor_encode_columns(void *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                             const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                             uint32_t pixels, const uint32_t *steps, int interleave, int swizzle, int fill) {
  enum { LEAST_RANK = 3, LARGEST_PIXELS = 1024 };
  const struct tensor t = {type,  rank,       (uint64_t)address, dimensions, strides,
                           steps, interleave, swizzle,           fill};
  if (!is_valid(&t, map) || rank < LEAST_RANK || !lower || !upper || !pixels || pixels > LARGEST_PIXELS)
    return GP_ERROR_INVALID_VALUE;
  if (interleave)
    return lacks_interleave("cuTensorMapEncodeIm2col");
  if (!is_valid_row(&t, channels))
    return GP_ERROR_INVALID_VALUE;
  struct gp_tensor_map made = map_of(&t);
  made.columns = true;
  made.channels = (uint16_t)channels;
  made.pixels = (uint16_t)pixels;
  for (uint32_t i = 0; i + 2 < rank; i++) {
    if (lower[i] < INT16_MIN || lower[i] > INT16_MAX || upper[i] < INT16_MIN || upper[i] > INT16_MAX)
      return GP_ERROR_INVALID_VALUE;
    made.lower[i] = (int16_t)lower[i];
    made.upper[i] = (int16_t)upper[i];
  }
  return finish(map, &made);
}

int gp_tensor_replace_address(void *map, void *address) {
  struct gp_tensor_map own;
  if (!map || (uint64_t)map % GP_TENSOR_MAP_ALIGNMENT || !address || (uint64_t)address % ADDRESS_ALIGNMENT)
    return GP_ERROR_INVALID_VALUE;
  memcpy(&own, map, sizeof own);
  if (own.mark != GP_TENSOR_MARK)
    return GP_ERROR_INVALID_VALUE;
  own.address = (uint64_t)address;
  memcpy(map, &own, sizeof own);
  return 0;
}

/* ---- tensormap.replace ---- */

/* PTX and CUDA number types of elements differently. */
static uint8_t type_in_ptx(uint64_t number) {
  static const uint8_t from_8[] = {GP_TENSOR_FLOAT32_FTZ, GP_TENSOR_FLOAT64, GP_TENSOR_BFLOAT16};
  return number >= 8 && number - 8 < sizeof from_8 ? from_8[number - 8] : (uint8_t)number;
}

static void replace(struct gp_tensor_map *map, uint32_t field, uint32_t number, uint64_t value) {
  switch (field) {
  case GPUPROF_TENSOR_FIELD_global_address:
    map->address = value;
    break;
  case GPUPROF_TENSOR_FIELD_rank: /* counted from 0 */
    map->rank = (uint8_t)(value + 1);
    break;
  case GPUPROF_TENSOR_FIELD_box_dim:
    map->box[number] = (uint16_t)value;
    break;
  case GPUPROF_TENSOR_FIELD_global_dim:
    map->last[number] = (uint32_t)(value - 1);
    break;
  case GPUPROF_TENSOR_FIELD_global_stride:
    map->stride[number] = value;
    break;
  case GPUPROF_TENSOR_FIELD_element_stride:
    map->step[number] = number ? (uint8_t)value : 1;
    break;
  case GPUPROF_TENSOR_FIELD_elemtype:
    map->type = type_in_ptx(value);
    break;
  case GPUPROF_TENSOR_FIELD_swizzle_mode:
    map->swizzle = (uint8_t)value;
    break;
  case GPUPROF_TENSOR_FIELD_fill_mode:
    map->fill = (uint8_t)value;
    break;
  default: /* interleaved layouts, refused below */
    break;
  }
}

void __gpuprof_cpu_tensor_replace(void *map, uint32_t field, uint32_t number, uint64_t value) {
  struct gp_tensor_map own;
  memcpy(&own, map, sizeof own);
  const uint32_t numbers =
      field == GPUPROF_TENSOR_FIELD_global_stride ? GP_TENSOR_DIMENSIONS - 1 : GP_TENSOR_DIMENSIONS;
  if (own.mark != GP_TENSOR_MARK || number >= numbers ||
      (field == GPUPROF_TENSOR_FIELD_interleave_layout && value) ||
      (field == GPUPROF_TENSOR_FIELD_rank && value >= GP_TENSOR_DIMENSIONS) ||
      (field == GPUPROF_TENSOR_FIELD_elemtype && value >= GP_TENSOR_TYPE_COUNT) ||
      (field == GPUPROF_TENSOR_FIELD_swizzle_mode && value >= SWIZZLES))
    gp_cpu_stop(GP_ERROR_NOT_SUPPORTED, "tensormap.replace changes what is no tensor map, or to what the CPU "
                                        "device has not: start from a map "
                                        "that cuTensorMapEncodeTiled has made, without interleaved layouts");
  replace(&own, field, number, value);
  memcpy(map, &own, sizeof own);
}
