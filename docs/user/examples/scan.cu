// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

__global__ void attention_softmax_kernel(float *x) { x[threadIdx.x] = expf(x[threadIdx.x]); }

template <typename T>
__global__ void relu_backward(T *x) { x[threadIdx.x] *= x[threadIdx.x] > 0; }

#pragma gpuprof region("scale") phase(forward)
__global__ void scale(float *x) { x[threadIdx.x] *= 2; }

struct Model {
  float *x;
  void forward() {
    scale<<<1, 32>>>(x);
    attention_softmax_kernel<<<1, 32>>>(x);
  }
  void backward() { relu_backward<<<1, 32>>>(x); }
};

int main() {
  Model model;
  cudaMalloc(&model.x, 32 * sizeof(float));
  cudaMemset(model.x, 0, 32 * sizeof(float));
  model.forward();
  model.backward();
  cudaDeviceSynchronize();
}
