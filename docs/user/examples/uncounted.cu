// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without counts beside one with counts: libraries.md.
#pragma gpuprof ignore // no counts, as for a kernel of a library
__global__ void vendor_gemm(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
  c[i] = sum;
}
__global__ void scale(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f; }

int main() {
  const int n = 64;
  float *x[3];
  for (float *&matrix : x) {
    cudaMalloc(&matrix, n * n * sizeof(float));
    cudaMemset(matrix, 0, n * n * sizeof(float));
  }
#pragma gpuprof region("layer") phase(forward)
  {
#pragma gpuprof region("gemm")
    {
#pragma gpuprof expect flops(2.0 * n * n * n) bytes(3.0 * n * n * sizeof(float))
      vendor_gemm<<<n * n / 256, 256>>>(x[0], x[1], x[2], n);
    }
    scale<<<n * n / 256, 256>>>(x[2]);
  }
  return cudaDeviceSynchronize();
}
