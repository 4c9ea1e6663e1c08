// Kernels of 2 us to 2 ms, twenty launches each: gpuprof's times against Nsight Compute's.
#include <cstdio>
#include <cuda_runtime.h>

template <int MICROSECONDS> __global__ void chain(float *x) {
  float value = x[threadIdx.x]; // a step of the loop takes 29 clocks
#pragma unroll 1
  for (int i = 0; i < MICROSECONDS * 68; ++i)
    value = value * 0.5f + 1;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void copy(const float4 *in, float4 *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}

int main() {
  const size_t bytes = size_t(1) << 28;
  char *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  for (int i = 0; i < 20; ++i) {
    chain<1><<<132, 128>>>((float *)out);
    chain<10><<<132, 128>>>((float *)out);
    chain<100><<<132, 128>>>((float *)out);
    chain<2000><<<132, 128>>>((float *)out);
    copy<<<1056, 256>>>((float4 *)in, (float4 *)out, bytes / 16);
  }
  const int error = cudaDeviceSynchronize();
  puts(cudaGetErrorString((cudaError_t)error));
  return error;
}
