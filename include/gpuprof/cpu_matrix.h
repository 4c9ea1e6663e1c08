/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A matrix product as described by compiled kernels to the CPU device:
 * mma.sync, wmma's mma, or wgmma. Plain C, read by the plugin, too. */
#ifndef GPUPROF_MATRIX_ABI_H
#define GPUPROF_MATRIX_ABI_H

/* Types of elements, by their names in PTX, with their bits in a register. */
#define GPUPROF_MATRIX_TYPES(X)                                                                              \
  X(f16, 16)                                                                                                 \
  X(bf16, 16)                                                                                                \
  X(tf32, 32)                                                                                                \
  X(f32, 32)                                                                                                 \
  X(f64, 64)                                                                                                 \
  X(e4m3, 8)                                                                                                 \
  X(e5m2, 8)                                                                                                 \
  X(s32, 32)                                                                                                 \
  X(s8, 8)                                                                                                   \
  X(u8, 8)                                                                                                   \
  X(s4, 4)                                                                                                   \
  X(u4, 4)                                                                                                   \
  X(b1, 1)

enum gpuprof_matrix_type {
#define GPUPROF_MATRIX_ENUM(name, bits) GPUPROF_MATRIX_##name,
  GPUPROF_MATRIX_TYPES(GPUPROF_MATRIX_ENUM)
#undef GPUPROF_MATRIX_ENUM
};

/* Instructions of a whole warp. */
enum gpuprof_matrix_operation {
  GPUPROF_MATRIX_PRODUCT,
  GPUPROF_MATRIX_LOAD,     /* ldmatrix */
  GPUPROF_MATRIX_STORE,    /* stmatrix */
  GPUPROF_MATRIX_TRANSPOSE /* movmatrix */
};

/* The form of a product as one number: D (m x n) = A (m x k) * B (k x n) + C (m x n). */
#define GPUPROF_MATRIX_M_SHIFT 0
#define GPUPROF_MATRIX_N_SHIFT 8  /* wgmma: in eights, since there are up to 256 */
#define GPUPROF_MATRIX_K_SHIFT 16 /* up to 256 */
#define GPUPROF_MATRIX_A_SHIFT 32 /* enum gpuprof_matrix_type, like the following three */
#define GPUPROF_MATRIX_B_SHIFT 36
#define GPUPROF_MATRIX_C_SHIFT 40
#define GPUPROF_MATRIX_D_SHIFT 44
#define GPUPROF_MATRIX_FLAG_SHIFT 48
#define GPUPROF_MATRIX_SATURATE 1u /* .satfinite of integers */
#define GPUPROF_MATRIX_AND 2u      /* b1: .and.popc, else .xor.popc */
/* m8n8k4 of f16, four products of eight lanes each,
 * has fragments of its own; these are their layouts. */
#define GPUPROF_MATRIX_QUADS 4u
#define GPUPROF_MATRIX_A_COLUMN 8u /* of wgmma too: elements of a column of A lie side by side */
#define GPUPROF_MATRIX_B_ROW 16u
#define GPUPROF_MATRIX_NEGATE 32u /* wgmma: C - A * B */
/* Half the elements of A are present, selected by metadata of the lanes in the selector (two bits). */
#define GPUPROF_MATRIX_SPARSE 64u
#define GPUPROF_MATRIX_SELECTOR_SHIFT 7

#endif
