// -fsanitize=address: an access beyond a block's shared memory, static or dynamic, stops the launch with the line.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 32 2>&1 | %FileCheck --check-prefix=OVER %s
// RUN: env GPUPROF_OUTPUT=%t.json %t 31 2>&1 | %FileCheck --check-prefix=WITHIN %s
#include "run.h"

__global__ void fill(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x + 1] = 1;
// OVER: gpuprof: error: fill(float*): block (0,0,0): out of bounds: {{.*}}sanitized-shared.cu:[[#@LINE-1]]: thread (31,0,0) writes 4 bytes at 0x{{[0-9a-f]+}}, 128 bytes into the 128 bytes of shared memory of its block
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 1];
}

int main(int, char **arguments) {
  float *out;
  OK(cudaMalloc(&out, 128));
  fill<<<1, std::atoi(arguments[1]), 128>>>(out);
  // OVER: result: an illegal memory access was encountered
  // WITHIN-NOT: error
  // WITHIN: result: no error
  std::printf("result: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
