/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of the cores: independent chains of one instruction, each step of which needs the one before it. */
#ifndef GP_TOOL_PTX_CHAINS_H
#define GP_TOOL_PTX_CHAINS_H

#include "peaks/benchmarks.h"

/* In the lines, @ is the number of the chain; %x and %y are two operands of the input. */
struct chains {
  const char *declare; /* registers; <N> there stands for the number of chains */
  const char *load;    /* %x from [%in], %y from [%in+8] */
  const char *start;   /* %u is a small number that differs between lanes and chains */
  const char *step;
  const char *fold; /* adds the chain's bits to %sum */
  unsigned count, unroll;
  uint64_t operands[2][2]; /* x and y, by enum benchmark_operands */
  /* What `fold` adds after so many steps from a start; null: not known. */
  uint32_t (*after)(uint32_t start, uint64_t steps, const uint64_t *operands);
};

extern const struct benchmark_family chains_family;
extern const struct chains chains_fp64, chains_fp32, chains_fp16, chains_bf16, chains_special,
    chains_multiply_add, chains_add, chains_logic, chains_popc;

#endif
