// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels, or one that does the work of both (-DFUSED): compare.md.
__global__ void scale(float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}
__global__ void shift(float *x, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += b;
}
__global__ void scale_shift(float *x, float a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + b;
}

int main() {
  const int n = 1 << 20;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
#pragma gpuprof region("normalize") phase(forward)
  {
#ifdef FUSED
    scale_shift<<<n / 256, 256>>>(x, 2, 1, n);
#else
    scale<<<n / 256, 256>>>(x, 2, n);
    shift<<<n / 256, 256>>>(x, 1, n);
#endif
  }
  return cudaDeviceSynchronize();
}
