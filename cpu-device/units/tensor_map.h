/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tensor maps, in the CPU device's own form within the program's 128 bytes: a GPU's form is undocumented. */
#ifndef GP_CPU_TENSOR_MAP_H
#define GP_CPU_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum {
  GP_TENSOR_DIMENSIONS = 5,
  GP_TENSOR_MAP_BYTES = 128,
  GP_TENSOR_MAP_ALIGNMENT = 64 /* of maps in device memory, when used by copies */
};

/* Types of elements, by CUDA's numbers. */
#define GP_TENSOR_TYPES(X)                                                                                   \
  X(UINT8, 1)                                                                                                \
  X(UINT16, 2)                                                                                               \
  X(UINT32, 4)                                                                                               \
  X(INT32, 4)                                                                                                \
  X(UINT64, 8)                                                                                               \
  X(INT64, 8)                                                                                                \
  X(FLOAT16, 2)                                                                                              \
  X(FLOAT32, 4)                                                                                              \
  X(FLOAT64, 8)                                                                                              \
  X(BFLOAT16, 2)                                                                                             \
  X(FLOAT32_FTZ, 4)                                                                                          \
  X(TFLOAT32, 4)                                                                                             \
  X(TFLOAT32_FTZ, 4)

enum gp_tensor_type {
#define GP_TENSOR_ENUM(name, bytes) GP_TENSOR_##name,
  GP_TENSOR_TYPES(GP_TENSOR_ENUM)
#undef GP_TENSOR_ENUM
      GP_TENSOR_TYPE_COUNT
};

/* The replacement for elements outside of the tensor. */
enum gp_tensor_fill { GP_TENSOR_FILL_ZERO, GP_TENSOR_FILL_NAN };

struct gp_tensor_map {
  uint64_t mark; /* GP_TENSOR_MARK: the CPU device has made it */
  uint64_t address;
  uint64_t stride[GP_TENSOR_DIMENSIONS - 1]; /* bytes from one element to the next, of dimensions 1 and up */
  uint32_t last[GP_TENSOR_DIMENSIONS];       /* index of the last element of each dimension */
  uint16_t box[GP_TENSOR_DIMENSIONS];        /* elements spanned by a copy */
  uint8_t step[GP_TENSOR_DIMENSIONS];        /* stride of the copied elements */
  uint8_t rank, type, swizzle, fill;
  bool columns;               /* for im2col; then: */
  int16_t lower[3], upper[3]; /* corners of the pixels' box: from index 0, and from the last index */
  uint16_t channels, pixels;  /* of a copy */
};
#define GP_TENSOR_MARK 0x70616d726f736e74u

/* Bytes of an element. */
uint32_t gp_tensor_element_bytes(uint32_t type);

/* cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col, cuTensorMapReplaceAddress: CUDA errors. */
int gp_tensor_encode_tiled(void *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int fill);
int gp_tensor_encode_columns(void *map, int type, uint32_t rank, void *address, const uint64_t *dimensions,
                             const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                             uint32_t pixels, const uint32_t *steps, int interleave, int swizzle, int fill);
int gp_tensor_replace_address(void *map, void *address);

#endif
