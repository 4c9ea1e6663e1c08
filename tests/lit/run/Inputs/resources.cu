// Kernels whose occupancy is worked out by hand: registers are few, shared memory is given.
#include "run.h"

__global__ void __launch_bounds__(256, 8) full(float *x) { x[threadIdx.x] += 1; }

__global__ void tiles(float *x) {
  __shared__ float tile[12288]; // 48 KiB
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void dynamic(float *x) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[127 - threadIdx.x];
}

// A local array with indices that are not known at compile time: 4 KiB a thread.
__global__ void __launch_bounds__(256, 8) spills(float *x) {
  volatile float local[1024];
  local[threadIdx.x & 1023] = x[threadIdx.x];
  x[threadIdx.x] = local[(int)x[0] & 1023];
}

int main() {
  float *x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  full<<<528, 256>>>(x);
  tiles<<<528, 64>>>(x);
  cudaFuncSetAttribute((const void *)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  dynamic<<<66, 128, 100 * 1024>>>(x);
  spills<<<528, 256>>>(x);
  return cudaDeviceSynchronize();
}
