// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel, and a version that does more work (-DSLOWER): ci.md.
#ifndef BLOCK
#define BLOCK 256
#endif
#pragma gpuprof region("normalize") phase(forward)
__global__ void scale(float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
#ifdef SLOWER
  if (i < n) x[i] = sqrtf(x[i]) * x[i];
#endif
}

int main() {
  const int n = 100000;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  scale<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, 2, n);
  return cudaDeviceSynchronize();
}
