#include <cuda_runtime.h>

#include <cstdio>

#pragma gpuprof region("package.scale")
__global__ void scale(float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * factor;
}

int main() {
  const int n = 1000;
  float *x;
  if (cudaMallocManaged((void **)&x, n * sizeof(float)) != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    x[i] = float(i);
  scale<<<4, 256>>>(x, 2.0f, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    if (x[i] != 2.0f * i) {
      std::fprintf(stderr, "x[%d] is %g\n", i, x[i]);
      return 1;
    }
  return cudaFree(x) != cudaSuccess;
}
