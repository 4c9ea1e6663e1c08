// Kernels whose bytes differ between L1, L2 and DRAM: gpuprof's against Nsight Compute's.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void copy(const float4 *in, float4 *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}

// A sector a lane: L1 and L2 move eight times what is asked for.
__global__ void strided(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 8; i += gridDim.x * blockDim.x)
    sum += in[8 * i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// All blocks read the same 8 MB again: L2 serves what DRAM does not.
__global__ void from_l2(const float4 *in, float *out, int n) {
  float sum = 0;
  for (int round = 0; round < 4; ++round)
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      const float4 v = __ldcg(&in[i]);
      sum += v.x + v.y + v.z + v.w;
    }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each block reads its own 16 KB again: L1 serves it.
__global__ void from_l1(const float4 *in, float *out) {
  float sum = 0;
  for (int round = 0; round < 256; ++round)
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      const float4 v = in[1024 * blockIdx.x + (i + round) % 1024];
      sum += v.x + v.y + v.z + v.w;
    }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Few warps: registers leave room for one block of four.
__global__ void __launch_bounds__(128, 1) few_warps(float *x, int steps) {
  float value[180];
#pragma unroll
  for (int i = 0; i < 180; ++i)
    value[i] = x[threadIdx.x + i];
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int i = 0; i < 180; ++i)
      value[i] = value[i] * value[(i + 1) % 180] + 1;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 180; ++i)
    sum += value[i];
  x[threadIdx.x] = sum;
}

int main() {
  const size_t bytes = size_t(1) << 28;
  char *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  copy<<<1056, 256>>>((float4 *)in, (float4 *)out, bytes / 16);
  strided<<<1056, 256>>>((float *)in, (float *)out, bytes / 4);
  from_l2<<<132, 512>>>((float4 *)in, (float *)out, (8 << 20) / 16);
  from_l1<<<132, 512>>>((float4 *)in, (float *)out);
  few_warps<<<1320, 128>>>((float *)in, 1000);
  const int error = cudaDeviceSynchronize();
  puts(cudaGetErrorString((cudaError_t)error));
  return error;
}
