// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/chip_rates.h"

static const struct gp_chip_rates rates[] = {
#define GPUPROF_RATES(capability, fp64, fp32, fp16, bf16, tensor_bf16, tensor_fp16, tensor_tf32, tensor_fp64, tensor_fp8,        \
                      tensor_int8, special, multiply_add, add, logic, popc, shared)                                               \
  {capability,                                                                                                                    \
   {fp64, fp32, fp16, bf16},                                                                                                      \
   {tensor_bf16, tensor_fp16, tensor_tf32, tensor_fp64, tensor_fp8, tensor_int8},                                                 \
   special,                                                                                                                       \
   {multiply_add, add, logic, popc},                                                                                              \
   shared},
#include "report/chip_rates.inc"
};

static const struct gp_mma_sync_rates mma_sync_rates[] = {
#define GPUPROF_MMA_SYNC_RATES(capability, fastest, bf16, fp16, tf32, fp64, fp8, int8)                                            \
  {capability, fastest, {bf16, fp16, tf32, fp64, fp8, int8}},
#include "report/chip_rates.inc"
};

const struct gp_chip_rates *gp_chip_rates(unsigned capability) {
  for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++)
    if (rates[i].capability == capability)
      return &rates[i];
  return 0;
}

const struct gp_mma_sync_rates *gp_mma_sync_rates(unsigned capability) {
  for (unsigned i = 0; i < sizeof mma_sync_rates / sizeof *mma_sync_rates; i++)
    if (mma_sync_rates[i].capability == capability)
      return &mma_sync_rates[i];
  return 0;
}
