// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaky integrate-and-fire neurons over eight time steps: neuron n gets the input n / 1024 at each step.
#include <cuda_runtime.h>

#pragma gpuprof region("lif") category(snn)
__global__ void lif(float *membrane, int *fired, int steps) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float v = membrane[n], input = n / 1024.0f;
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
    v = 0.9f * v + input;
    bool spike = v >= 1;
#pragma gpuprof spike(spike)
    v -= spike;
    fired[n] += spike;
  }
  membrane[n] = v;
}

int main() {
  const int neurons = 1024;
  float *membrane;
  int *fired;
  cudaMalloc(&membrane, neurons * sizeof(float));
  cudaMalloc(&fired, neurons * sizeof(int));
  cudaMemset(membrane, 0, neurons * sizeof(float));
  cudaMemset(fired, 0, neurons * sizeof(int));
  lif<<<neurons / 128, 128>>>(membrane, fired, 8);
  cudaDeviceSynchronize();
}
