/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A copy by a tensor map as described by compiled kernels to the CPU device: cp.async.bulk.tensor
 * and its reductions, and tensormap.replace. Plain C, read by the plugin, too. */
#ifndef GPUPROF_TENSOR_ABI_H
#define GPUPROF_TENSOR_ABI_H

/* The form of a copy: coordinates, the change of the tensor's elements, and the way a load reads. */
#define GPUPROF_TENSOR_RANK_MASK 7u
#define GPUPROF_TENSOR_OPERATION_SHIFT 4 /* enum gpuprof_tensor_operation */
#define GPUPROF_TENSOR_OPERATION_MASK 15u
#define GPUPROF_TENSOR_IM2COL 0x100u

enum { GPUPROF_TENSOR_COORDINATES = 5, GPUPROF_TENSOR_OFFSETS = 3 };

/* By their names in PTX; the first is a plain store. */
#define GPUPROF_TENSOR_OPERATIONS(X) X(store) X(add) X(min) X(max) X(inc) X(dec) X(and) X(or) X(xor)

enum gpuprof_tensor_operation {
#define GPUPROF_TENSOR_ENUM(name) GPUPROF_TENSOR_##name,
  GPUPROF_TENSOR_OPERATIONS(GPUPROF_TENSOR_ENUM)
#undef GPUPROF_TENSOR_ENUM
};

/* Fields of a map named by tensormap.replace. */
#define GPUPROF_TENSOR_FIELDS(X)                                                                             \
  X(global_address)                                                                                          \
  X(rank)                                                                                                    \
  X(box_dim)                                                                                                 \
  X(global_dim)                                                                                              \
  X(global_stride)                                                                                           \
  X(element_stride)                                                                                          \
  X(elemtype)                                                                                                \
  X(interleave_layout)                                                                                       \
  X(swizzle_mode)                                                                                            \
  X(fill_mode)

enum gpuprof_tensor_field {
#define GPUPROF_TENSOR_ENUM(name) GPUPROF_TENSOR_FIELD_##name,
  GPUPROF_TENSOR_FIELDS(GPUPROF_TENSOR_ENUM)
#undef GPUPROF_TENSOR_ENUM
};

#endif
