/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of the tensor cores: mma.sync of a warp, and wgmma of four warps on Hopper. */
#ifndef GP_TOOL_PTX_MATRICES_H
#define GP_TOOL_PTX_MATRICES_H

#include "peaks/benchmarks.h"

/* Words of an element type: a register full of ones, and the type of sums. */
enum sums { SUMS_FP32, SUMS_FP64, SUMS_INT32, SUMS_FP16 };

struct matrices {
  const char *shape, *types; /* of the instruction's name */
  unsigned a, b, c;          /* registers of a thread */
  unsigned k;                /* what an instruction adds to each sum of ones */
  enum sums sums;
  uint64_t ones;          /* a register of ones */
  unsigned count, unroll; /* independent products, repeated */
  const char *tail;       /* of wgmma: scales and transpositions behind the descriptors */
};

extern const struct benchmark_family mma_family, wgmma_family;
extern const struct matrices mma_volta, mma_turing, mma_turing_int8, mma_bf16, mma_fp16, mma_fp16_fp16,
    mma_tf32, mma_int8, mma_fp8, mma_fp64, mma_fp64_wide;
extern const struct matrices wgmma_bf16, wgmma_fp16, wgmma_tf32, wgmma_fp8, wgmma_int8;

#endif
