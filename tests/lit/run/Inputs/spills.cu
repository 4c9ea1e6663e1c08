// 64 live values with 32 registers a thread; a local array without spills; neither.
#include "run.h"

__global__ void __launch_bounds__(1024, 2) pressure(volatile float *x) {
  float value[64];
#pragma unroll
  for (int i = 0; i < 64; i++)
    value[i] = x[i];
#pragma unroll
  for (int i = 0; i < 64; i++)
    x[i * 7 % 64] = value[i];
}

__global__ void array(float *x, int n) {
  float local[64];
  for (int i = 0; i < 64; i++)
    local[i * n & 63] = x[i];
  x[0] = local[n];
}

__global__ void plain(float *x) { x[threadIdx.x] = 1; }

int main() {
  float *x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  pressure<<<1, 1024>>>(x);
  array<<<1, 32>>>(x, 3);
  plain<<<1, 32>>>(x);
  return cudaDeviceSynchronize();
}
