// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/tensor_gate.h"

#include <stddef.h>
#include <string.h>

/* Chips from Blackwell on have no metrics with these names: there all metrics are read. */
static const char *const metrics[GP_TENSOR_INSTRUCTIONS] = {
    [GP_TENSOR_FLOAT] = "sm__inst_executed_pipe_tensor_op_hmma.sum",
    [GP_TENSOR_INTEGER] = "sm__inst_executed_pipe_tensor_op_imma.sum",
    [GP_TENSOR_HALVES] = "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
};

const char *gp_tensor_metric(enum gp_tensor_instructions instructions) { return metrics[instructions]; }

/* Matrices of fp64 are always read: on some chips the tensor pipe does not execute them, and they need no further pass. */
int gp_tensor_is_gated(const char *metric) {
  static const char operations[] = "sm__ops_path_tensor_src_";
  static const char *const types[] = {"fp8.sum",           "fp16.sum",          "fp16_dst_fp16.sum",
                                      "fp16_dst_fp32.sum", "bf16_dst_fp32.sum", "tf32_dst_fp32.sum",
                                      "int8.sum"};
  if (strncmp(metric, operations, sizeof operations - 1))
    return 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(metric + sizeof operations - 1, types[i]))
      return 1;
  return 0;
}

int gp_tensor_is_executed(const double values[GP_TENSOR_INSTRUCTIONS]) {
  const double halves = values[GP_TENSOR_HALVES] > 0 ? values[GP_TENSOR_HALVES] : 0;
  return values[GP_TENSOR_FLOAT] != halves || values[GP_TENSOR_INTEGER] != 0;
}
