// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
constexpr int N = 512, D = 32, TILE = 32; // queries, size of a head

// One thread a query. Keys behind the query are masked, or their tiles are left out.
__global__ void attention(const float *q, const float *k, const float *v, float *out, bool skip) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int end = skip ? (row / TILE + 1) * TILE : N;
  float sum = 0, result[D] = {};
  for (int key = 0; key < end; ++key) {
    float score = 0;
    for (int c = 0; c < D; ++c)
      score += q[row * D + c] * k[key * D + c];
    float weight = key <= row ? __expf(score) : 0;
    sum += weight;
    for (int c = 0; c < D; ++c)
      result[c] += weight * v[key * D + c];
  }
  for (int c = 0; c < D; ++c)
    out[row * D + c] = result[c] / sum;
}

int main() {
  const double needed = 4.0 * N * N * D / 2; // two products, half of them: keys up to the query
  float *data;
  cudaMalloc(&data, 4 * N * D * sizeof(float));
  cudaMemset(data, 0, 4 * N * D * sizeof(float));
#pragma gpuprof region("masked")
  {
#pragma gpuprof expect flops(needed)
    attention<<<N / 64, 64>>>(data, data + N * D, data + 2 * N * D, data + 3 * N * D, false);
  }
#pragma gpuprof region("skipped")
  {
#pragma gpuprof expect flops(needed)
    attention<<<N / 64, 64>>>(data, data + N * D, data + 2 * N * D, data + 3 * N * D, true);
  }
  cudaDeviceSynchronize();
}
