// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain matrix product of any size: counts-without-running.md.
#include <cstdlib>

#pragma gpuprof region("gemm") phase(forward)
__global__ void gemm(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 64;
  const size_t bytes = sizeof(float) * n * n;
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  gemm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  return cudaDeviceSynchronize();
}
