// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel on each device: several-gpus.md.
__global__ void fill(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2.0f * i + 1.0f;
}

int main() {
  const int n = 1 << 16;
  int devices = 0;
  cudaGetDeviceCount(&devices);
  for (int device = 0; device < devices; ++device) {
    float *x;
    cudaSetDevice(device);
    cudaMalloc(&x, n * sizeof(float));
#pragma gpuprof region("fill") phase(forward)
    fill<<<(device + 1) * n / 512, 256>>>(x);
    cudaDeviceSynchronize();
  }
}
