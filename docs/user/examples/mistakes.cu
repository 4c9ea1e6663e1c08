// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes that the CPU device shows, one for each letter of the argument: kernel-mistakes.md.
#include <cstdio>

__global__ void sum(const float *x, float *total) { // d: a deadlock
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 40)
    __syncthreads();
  if (threadIdx.x > 50)
    __syncwarp();
  if (threadIdx.x == 0)
    *total = part[0] + part[63];
}

__global__ void sides(float *x) { // b: a divergent barrier
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    x[threadIdx.x] = 0;
    __syncthreads();
  }
}

__global__ void reverse(float *x) { // r: a race, since a barrier is missing
  __shared__ float copy[64];
  copy[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = copy[63 - threadIdx.x];
}

__global__ void fill(float *x) { // o: an access out of bounds
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void copy(const float *x, float *y) { // u: memory that nobody has written
  y[threadIdx.x] = x[threadIdx.x];
}

int main(int argc, char **argv) {
  float *x, *y, host[64];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  const char mistake = argc > 1 ? argv[1][0] : 'd';
  if (mistake != 'u')
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  switch (mistake) {
  case 'd': sum<<<1, 64>>>(x, y); break;
  case 'b': sides<<<1, 64>>>(x); break;
  case 'r': reverse<<<1, 64>>>(x); break;
  case 'o': fill<<<1, 96>>>(x); break;
  case 'u': copy<<<1, 64>>>(x, y); break;
  }
  const cudaError_t error = cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %g %g\n", cudaGetErrorString(error), host[0], host[63]);
}
