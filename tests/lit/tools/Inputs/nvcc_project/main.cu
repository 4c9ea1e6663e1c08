#include "members.cuh"
#include <cstdio>
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error "nvcc's flags are missing"
#endif
int twice(int);
constexpr int side(int n) { return n * n; }

template <class F> __global__ void each(float *p, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = f(p[i]);
}

__global__ void fill(float *p) { p[threadIdx.x] = scaled(expf(0.0f)) + side(2); }

int main() {
  float *p, value = 0;
  int n = twice(32);
  cudaMalloc(&p, n * sizeof *p);
  fill<<<1, 64>>>(p);
  each<<<2, 32>>>(p, n, [] __device__(float x) { return 2.0f * x; });
  cudaMemcpy(&value, p + n - 1, sizeof value, cudaMemcpyDeviceToHost);
  printf("%g\n", value);
  return cudaDeviceSynchronize();
}
