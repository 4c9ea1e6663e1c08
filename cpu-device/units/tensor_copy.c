// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies by tensor maps (TMA): a box of a tensor is copied to or from shared memory, row by row of its first
 * dimension. Copies are done at once. */
#include "common/errors.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_tensor.h"
#include "memory/arena.h"
#include "units/matrix.h"
#include "units/tensor_map.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CHUNK_BYTES = 16, SHARED_ALIGNMENT = 128, LONGEST_ROW = 256 * 8 };

/* One copy under way. */
struct copy {
  struct gp_tensor_map map;
  uint32_t operation; /* of copies to the tensor: enum gpuprof_tensor_operation */
  bool load;
  uint32_t element_bytes, width; /* elements of a row */
  char *shared;                  /* the next row in shared memory */
};

static uint32_t row_bytes(const struct copy *c) { return c->width * c->element_bytes; }

/* ---- Shared memory ------------------------------------------------------------------------------------- */

/* Bytes from one row to the next: rows shorter than the swizzled span leave the rest free. */
static uint32_t pitch(const struct copy *c) {
  static const uint32_t spans[] = {CHUNK_BYTES, 32, 64, 128};
  const uint32_t span = spans[c->map.swizzle];
  return row_bytes(c) > span ? row_bytes(c) : span;
}

/* Swizzling changes a chunk's place in its row by the number of the row of 128 bytes. */
static char *chunk_of(const struct copy *c, char *address) {
  const uint64_t row = (uint64_t)address / SHARED_ALIGNMENT, mask = (1u << c->map.swizzle) - 1;
  return (char *)((uint64_t)address ^ (row & mask) * CHUNK_BYTES); // NOLINT(performance-no-int-to-ptr)
}

static void move_chunks(const struct copy *c, char *row) {
  for (uint32_t at = 0; at < row_bytes(c); at += CHUNK_BYTES) {
    char *chunk = chunk_of(c, c->shared + at);
    memcpy(c->load ? chunk : row + at, c->load ? row + at : chunk, CHUNK_BYTES);
  }
}

/* ---- Elements ------------------------------------------------------------------------------------------ */

/* A GPU's replacement for floats outside of the tensor: a NaN of 16 bits, repeated. */
static const uint64_t not_there = 0x7ff77ff77ff77ff7;

/* A float rounded for a tensor core: 10 bits of fraction, to nearest even; every NaN becomes one and the
 * same. */
static uint32_t tensor_float(uint32_t bits) {
  enum { LOST = 13, NOT_A_NUMBER = 0x7fffe000 };
  if ((bits & 0x7fffffff) > 0x7f800000)
    return NOT_A_NUMBER;
  return (bits + (1u << (LOST - 1)) - 1 + (bits >> LOST & 1)) >> LOST << LOST;
}

static void round_row(const struct copy *c, char *row, uint32_t count) {
  if (c->map.type != GP_TENSOR_TFLOAT32 && c->map.type != GP_TENSOR_TFLOAT32_FTZ)
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, row + (size_t)4 * i, sizeof bits);
    bits = tensor_float(bits);
    memcpy(row + (size_t)4 * i, &bits, sizeof bits);
  }
}

#define BIT(operation) (1u << GPUPROF_TENSOR_##operation)

/* True if a GPU reduces elements of a type by the operation. */
static bool has_operation(uint32_t type, uint32_t operation) {
  enum {
    ADD = BIT(add),
    EXTREMES = BIT(min) | BIT(max),
    BITWISE = BIT(and) | BIT(or) | BIT(xor),
    COUNTING = BIT(inc) | BIT(dec)
  };
  static const uint32_t operations[GP_TENSOR_TYPE_COUNT] = {
      [GP_TENSOR_UINT32] = ADD | EXTREMES | BITWISE | COUNTING,
      [GP_TENSOR_INT32] = ADD | EXTREMES | BITWISE,
      [GP_TENSOR_UINT64] = ADD | EXTREMES | BITWISE,
      [GP_TENSOR_INT64] = EXTREMES,
      [GP_TENSOR_FLOAT16] = ADD | EXTREMES,
      [GP_TENSOR_BFLOAT16] = ADD | EXTREMES,
      [GP_TENSOR_FLOAT32] = ADD,
      [GP_TENSOR_FLOAT64] = ADD,
      [GP_TENSOR_FLOAT32_FTZ] = ADD,
      [GP_TENSOR_TFLOAT32] = ADD,
      [GP_TENSOR_TFLOAT32_FTZ] = ADD,
  };
  return operation == GPUPROF_TENSOR_store || (operations[type] >> operation & 1);
}
#undef BIT

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Rounds to nearest even. */
static uint32_t bfloat_of(float value) {
  const uint32_t bits = bits_of(value);
  return value != value ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* For types computed by a GPU without subnormal numbers. */
static uint32_t flushed(uint32_t bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

static uint32_t sum_of_floats(uint32_t type, uint32_t x, uint32_t y) {
  const bool flushes = type == GP_TENSOR_FLOAT32_FTZ || type == GP_TENSOR_TFLOAT32_FTZ;
  const float sum = flushes ? float_of(flushed(x)) + float_of(flushed(y)) : float_of(x) + float_of(y);
  if (sum != sum)
    return 0x7fffffff;
  return flushes ? flushed(bits_of(sum)) : bits_of(sum);
}

static double number(uint32_t operation, double x, double y) {
  return operation == GPUPROF_TENSOR_add ? x + y : operation == GPUPROF_TENSOR_min ? fmin(x, y) : fmax(x, y);
}

static uint64_t combine_floats(const struct copy *c, uint64_t old, uint64_t given) {
  if (c->map.type == GP_TENSOR_FLOAT16)
    return gp_double_to_half(
        number(c->operation, gp_half_to_float((uint32_t)old), gp_half_to_float((uint32_t)given)));
  if (c->map.type == GP_TENSOR_BFLOAT16)
    return bfloat_of(
        (float)number(c->operation, float_of((uint32_t)old << 16), float_of((uint32_t)given << 16)));
  if (c->map.type == GP_TENSOR_FLOAT64) {
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &given, sizeof y);
    x += y;
    memcpy(&old, &x, sizeof x);
    return old;
  }
  return sum_of_floats(c->map.type, (uint32_t)old, (uint32_t)given);
}

static bool is_less(uint32_t type, uint64_t x, uint64_t y) {
  return type == GP_TENSOR_INT32   ? (int32_t)x < (int32_t)y
         : type == GP_TENSOR_INT64 ? (int64_t)x < (int64_t)y
                                   : x < y;
}

static uint64_t combine(const struct copy *c, uint64_t old, uint64_t given) {
  switch (c->operation) {
  case GPUPROF_TENSOR_and:
    return old & given;
  case GPUPROF_TENSOR_or:
    return old | given;
  case GPUPROF_TENSOR_xor:
    return old ^ given;
  case GPUPROF_TENSOR_inc:
    return old >= given ? 0 : old + 1;
  case GPUPROF_TENSOR_dec:
    return !old || old > given ? given : old - 1;
  default:
    break;
  }
  if (c->map.type >= GP_TENSOR_FLOAT16)
    return combine_floats(c, old, given);
  if (c->operation == GPUPROF_TENSOR_add)
    return old + given;
  return is_less(c->map.type, old, given) == (c->operation == GPUPROF_TENSOR_min) ? old : given;
}

/* Other blocks may change the same element. */
#define REDUCE(type, to, from)                                                                               \
  do {                                                                                                       \
    type given, old = __atomic_load_n((type *)(to), __ATOMIC_RELAXED);                                       \
    memcpy(&given, from, sizeof given);                                                                      \
    while (!__atomic_compare_exchange_n((type *)(to), &old, (type)combine(c, old, given), true,              \
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))                                 \
      ;                                                                                                      \
  } while (0)

static void reduce_row(const struct copy *c, char *to, const char *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++, to += c->element_bytes, from += c->element_bytes)
    switch (c->element_bytes) {
    case 2:
      REDUCE(uint16_t, to, from);
      break;
    case 4:
      REDUCE(uint32_t, to, from);
      break;
    default:
      REDUCE(uint64_t, to, from);
    }
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

/* The end of a copy in the first dimension. A GPU stores whole chunks, including elements behind the last one
 * in its chunk. */
static int64_t end_of_rows(const struct copy *c) {
  const int64_t elements = (int64_t)c->map.last[0] + 1, chunk = CHUNK_BYTES / c->element_bytes;
  return c->load ? elements : (elements + chunk - 1) / chunk * chunk;
}

/* The address in the tensor of the row beginning at `place`, and the range of its existing elements; null:
 * none. */
static char *row_at(const struct copy *c, const int64_t *place, uint32_t *first, uint32_t *count) {
  const struct gp_tensor_map *map = &c->map;
  uint64_t address = map->address;
  for (uint32_t i = 1; i < map->rank; i++) {
    if (place[i] < 0 || place[i] > (int64_t)map->last[i])
      return NULL;
    address += (uint64_t)place[i] * map->stride[i - 1];
  }
  const int64_t begin = place[0] < 0 ? -place[0] : 0, inside = end_of_rows(c) - place[0];
  const int64_t end = inside < c->width ? inside : c->width;
  if (begin >= end)
    return NULL;
  *first = (uint32_t)begin;
  *count = (uint32_t)(end - begin);
  return (char *)(address +
                  (uint64_t)(place[0] + begin) * c->element_bytes); // NOLINT(performance-no-int-to-ptr)
}

static void fill_row(const struct copy *c, char *row) {
  if (c->map.fill == GP_TENSOR_FILL_ZERO) {
    memset(row, 0, row_bytes(c));
    return;
  }
  for (uint32_t at = 0; at < row_bytes(c); at += sizeof not_there)
    memcpy(row + at, &not_there, sizeof not_there);
}

static void copy_row(struct copy *c, const int64_t *place) {
  char row[LONGEST_ROW];
  uint32_t first = 0, count = 0;
  char *tensor = row_at(c, place, &first, &count), *own = row + (size_t)first * c->element_bytes;
  const size_t bytes = (size_t)count * c->element_bytes;
  if (tensor)
    __gpuprof_cpu_record_access(tensor, bytes);
  if (c->load) {
    fill_row(c, row);
    if (tensor) {
      memcpy(own, tensor, bytes);
      round_row(c, own, count);
    }
    move_chunks(c, row);
  } else if (tensor) {
    move_chunks(c, row);
    if (c->operation == GPUPROF_TENSOR_store)
      memcpy(tensor, own, bytes);
    else
      reduce_row(c, tensor, own, count);
  }
  c->shared += pitch(c);
}

/* Copies all rows of a box; returns their number. */
static uint32_t copy_tile(struct copy *c, const int32_t *corner) {
  const struct gp_tensor_map *map = &c->map;
  uint32_t counts[GP_TENSOR_DIMENSIONS] = {1, 1, 1, 1, 1}, rows = 1;
  int64_t place[GP_TENSOR_DIMENSIONS] = {corner[0]};
  for (uint32_t i = 1; i < map->rank; i++)
    rows *= counts[i] = (map->box[i] + map->step[i] - 1u) / map->step[i];
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t rest = row;
    for (uint32_t i = 1; i < map->rank; rest /= counts[i++])
      place[i] = corner[i] + (int64_t)(rest % counts[i]) * map->step[i];
    copy_row(c, place);
  }
  return rows;
}

/* im2col: copies the box's consecutive pixels, image by image, and of each the channels at its place and
 * offset. Returns the number of pixels. */
static uint32_t copy_columns(struct copy *c, const int32_t *corner) {
  const struct gp_tensor_map *map = &c->map;
  const int32_t *offsets = corner + GPUPROF_TENSOR_COORDINATES;
  const uint32_t images = map->rank - 1u; /* the dimension of the image's number */
  int64_t pixel[GP_TENSOR_DIMENSIONS], place[GP_TENSOR_DIMENSIONS];
  for (uint32_t i = 0; i < map->rank; i++)
    pixel[i] = corner[i];
  for (uint32_t n = 0; n < map->pixels; n++) {
    for (uint32_t i = 0; i < map->rank; i++)
      place[i] = pixel[i] + (i && i < images ? offsets[i - 1] : 0);
    copy_row(c, place);
    for (uint32_t i = 1; i <= images; i++) {
      pixel[i] += i < images ? map->step[i] : 1;
      if (i == images || pixel[i] <= (int64_t)map->last[i] + map->upper[i - 1])
        break;
      pixel[i] = map->lower[i - 1];
    }
  }
  return map->pixels;
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

/* Maps in parameters may lie anywhere in host memory. A GPU reports misalignment for maps in device memory
 * only. */
static bool is_misaligned(const void *map) {
  return (uint64_t)map % GP_TENSOR_MAP_ALIGNMENT &&
         (uint64_t)map - gp_cpu_sectors->base < gp_cpu_sectors->size;
}

static struct copy begin(const void *map, uint32_t form, void *shared, bool load) {
  struct copy c = {.operation = form >> GPUPROF_TENSOR_OPERATION_SHIFT & GPUPROF_TENSOR_OPERATION_MASK,
                   .load = load,
                   .shared = shared};
  if (is_misaligned(map))
    gp_cpu_stop(GP_ERROR_MISALIGNED_ADDRESS,
                "a copy goes by a tensor map at %p, which is no multiple of %d: align it", map,
                GP_TENSOR_MAP_ALIGNMENT);
  memcpy(&c.map, map, sizeof c.map);
  if (c.map.mark != GP_TENSOR_MARK)
    gp_cpu_stop(GP_ERROR_ILLEGAL_INSTRUCTION,
                "a copy names a tensor map at %p where there is none: make it with cuTensorMapEncodeTiled, "
                "and give it "
                "to the kernel as a __grid_constant__ parameter or in global or constant memory",
                map);
  if ((form & GPUPROF_TENSOR_RANK_MASK) != c.map.rank || !(form & GPUPROF_TENSOR_IM2COL) == c.map.columns)
    gp_cpu_stop(GP_ERROR_ILLEGAL_INSTRUCTION,
                "a copy of %u dimensions%s goes by a tensor map of %u%s: use the instruction that the map "
                "was made for",
                form & GPUPROF_TENSOR_RANK_MASK, form & GPUPROF_TENSOR_IM2COL ? " in im2col mode" : "",
                c.map.rank, c.map.columns ? " in im2col mode" : "");
  if ((uint64_t)shared % SHARED_ALIGNMENT)
    gp_cpu_stop(
        GP_ERROR_MISALIGNED_ADDRESS,
        "a copy by a tensor map uses shared memory at %p, which is no multiple of %d: align its buffer",
        shared, SHARED_ALIGNMENT);
  c.element_bytes = gp_tensor_element_bytes(c.map.type);
  c.width = c.map.columns ? c.map.channels : c.map.box[0];
  return c;
}

/* A store may end behind the tensor's end, but not begin before its start. */
static void check_store(const struct copy *c, const int32_t *place) {
  static const char *const names[] = {
#define NAME(name) #name,
      GPUPROF_TENSOR_OPERATIONS(NAME)
#undef NAME
  };
  for (uint32_t i = 0; i < c->map.rank; i++)
    if (place[i] < 0)
      gp_cpu_stop(GP_ERROR_ILLEGAL_INSTRUCTION,
                  "a copy to a tensor begins at element %d of dimension %u: a GPU calls that an illegal "
                  "instruction, since only loads may begin before the first element",
                  place[i], i);
  if (!has_operation(c->map.type, c->operation))
    gp_cpu_stop(GP_ERROR_ILLEGAL_INSTRUCTION,
                "a reduction by a tensor map is \"%s\", of elements of CUtensorMapDataType %u: a GPU calls "
                "that an illegal instruction; docs/user/cpu-device.md says what it reduces",
                names[c->operation], c->map.type);
}

/* Chunks of shared memory are chunks of the tensor. */
static uint32_t copy_box(struct copy *c, const int32_t *place) {
  if ((int64_t)place[0] * c->element_bytes % CHUNK_BYTES)
    gp_cpu_stop(GP_ERROR_ILLEGAL_INSTRUCTION,
                "a copy by a tensor map begins at element %d of its first dimension, which is no multiple of "
                "%d bytes "
                "from the start: a GPU calls that an illegal instruction",
                place[0], CHUNK_BYTES);
  const uint32_t rows = c->map.columns ? copy_columns(c, place) : copy_tile(c, place);
  return rows * row_bytes(c);
}

static void load(const void *map, uint32_t form, const int32_t *place, void *shared, void *barrier) {
  struct copy c = begin(map, form, shared, true);
  const uint32_t bytes = copy_box(&c, place);
  __gpuprof_cpu_mbarrier_transact(barrier, -bytes);
}

/* `blocks`: mask of the cluster's blocks; each receives the copy at the same place in its shared memory. 0:
 * the copy goes to `shared`. */
void __gpuprof_cpu_tensor_load(void *map, uint32_t form, void *place, void *shared, void *barrier,
                               uint32_t blocks) {
  if (!blocks)
    load(map, form, place, shared, barrier);
  for (uint32_t rank = 0; rank < GP_CPU_CLUSTER_BLOCKS; rank++) {
    char *there = blocks >> rank & 1 ? gp_cluster_address(shared, rank) : NULL;
    void *told = there ? gp_cluster_address(barrier, rank) : NULL;
    if (told)
      load(map, form, place, there, told);
  }
}

void __gpuprof_cpu_tensor_store(void *map, uint32_t form, void *place, void *shared) {
  struct copy c = begin(map, form, shared, false);
  check_store(&c, place);
  copy_box(&c, place);
}
