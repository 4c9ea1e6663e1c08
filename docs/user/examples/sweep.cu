// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums x[i]·x[j] over all pairs, or over those with j <= i: sweep N CAUSAL.
#include <stdio.h>
#include <stdlib.h>

#pragma gpuprof region("pairs") phase(forward)
__global__ void pairs(const float *x, float *y, int n, int causal) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < (causal ? i + 1 : n); ++j)
    sum = fmaf(x[j], x[i], sum);
  y[i] = sum;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return fprintf(stderr, "usage: %s N CAUSAL\n", argv[0]), 2;
  const int n = atoi(argv[1]);
  float *x, *y;
  cudaMalloc(&x, n * sizeof *x);
  cudaMalloc(&y, n * sizeof *y);
  cudaMemset(x, 0, n * sizeof *x);
  pairs<<<(n + 127) / 128, 128>>>(x, y, n, atoi(argv[2]));
  return cudaDeviceSynchronize();
}
