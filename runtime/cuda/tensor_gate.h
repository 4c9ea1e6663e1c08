/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of tensor cores need most of the passes of GPUPROF_HARDWARE=check, and most kernels execute no tensor
 * instruction. Instructions of the tensor pipe are counted in the passes of the other metrics. Where there is none, the
 * operations are 0, and need not be read.
 */
#ifndef GP_CUDA_TENSOR_GATE_H
#define GP_CUDA_TENSOR_GATE_H

/* Instructions of the tensor pipe, by what they compute. */
enum gp_tensor_instructions {
  GP_TENSOR_FLOAT,   /* on matrices of fp8, fp16, bf16 and tf32; with GP_TENSOR_HALVES */
  GP_TENSOR_INTEGER, /* on matrices of integers */
  GP_TENSOR_HALVES,  /* on halves without matrices; missing on chips where other units execute them */
  GP_TENSOR_INSTRUCTIONS
};

const char *gp_tensor_metric(enum gp_tensor_instructions instructions);
/* Whether the metric is 0 where no tensor instruction is executed. */
int gp_tensor_is_gated(const char *metric);
/* Whether gated metrics may be other than 0, by the values of gp_tensor_metric(); negative: unknown. */
int gp_tensor_is_executed(const double values[GP_TENSOR_INSTRUCTIONS]);

#endif
