/* The attention kernels on tensor cores, of one size. */
#include "kernels/attention/attention.cuh"
#include "kernels/attention/attention_hopper.cuh"

template int attention_forward<Bf16, 64>(const FlashArguments &, cudaStream_t);
template int attention_gradients<Fp16, 128>(const AttentionGradients &, cudaStream_t);
template int attention_hopper_forward<Bf16, 128>(TensorEncode, const FlashArguments &, int, cudaStream_t);
