/* Weights as fp32 or, where the toolkit's header is at hand, as half: loaded 16 bytes a lane, added up in
 * fp32.
 */
#ifndef GPUPROF_KERNELS_WEIGHTS_CUH
#define GPUPROF_KERNELS_WEIGHTS_CUH

#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#define GPUPROF_KERNELS_HALF 1
#else
#define GPUPROF_KERNELS_HALF 0
#endif

/* Columns that a lane takes: a whole vector of 16 bytes. */
template <class Weight> struct WeightVector {
  enum { kColumns = 16 / sizeof(Weight) };
};

__device__ __forceinline__ float weight_value(float weight) { return weight; }

__device__ __forceinline__ void load_weights(const float *from, float (&weight)[4]) {
  float4 four = *reinterpret_cast<const float4 *>(from);
  weight[0] = four.x, weight[1] = four.y, weight[2] = four.z, weight[3] = four.w;
}

#if GPUPROF_KERNELS_HALF
__device__ __forceinline__ float weight_value(__half weight) { return __half2float(weight); }

__device__ __forceinline__ void load_weights(const __half *from, float (&weight)[8]) {
  uint4 four = *reinterpret_cast<const uint4 *>(from);
  const unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    weight[2 * i] = __half2float(__ushort_as_half((unsigned short)(words[i] & 0xffff)));
    weight[2 * i + 1] = __half2float(__ushort_as_half((unsigned short)(words[i] >> 16)));
  }
}
#endif

#endif
