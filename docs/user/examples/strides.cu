// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses along rows and along columns: coalescing.md.
__global__ void rows(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void columns(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i % n * n + i / n];
}

int main() {
  const int n = 256;
  float *x, *y;
  cudaMalloc(&x, n * n * sizeof(float));
  cudaMalloc(&y, n * n * sizeof(float));
  cudaMemset(x, 0, n * n * sizeof(float));
  rows<<<n, n>>>(y, x, n);
  columns<<<n, n>>>(y, x, n);
  return cudaDeviceSynchronize();
}
