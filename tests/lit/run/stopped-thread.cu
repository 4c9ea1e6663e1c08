// An assertion, a trap or an unsupported instruction names the thread stopping the launch, also in
// kernels run as loops over threads: with and without barriers, in blocks of several dimensions.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -w %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F 'asserts(int*, int): block (1,0,0), thread (5,0,0): ' %t.err
// RUN: grep -F 'traps(int*, int): block (0,0,0), thread (3,1,2): trap' %t.err
// RUN: grep -F 'lacks(int*, int): block (0,0,0), thread (7,0,0): ' %t.err
// CHECK: all right
#include "lanes.h"
#include <cassert>

__global__ void asserts(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != n);
  out[i] = i;
}

__global__ void traps(int *out, int n) {
  __shared__ int sum[64];
  int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  sum[i] = i;
  __syncthreads();
  if (sum[63 - i] == n)
    __trap();
  out[i] = sum[i];
}

__global__ void lacks(int *out, int n) {
  if (threadIdx.x == n)
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(0ull));
  out[threadIdx.x] = n;
}

int main() {
  Values<int, 64> out;
  asserts<<<2, 32>>>(out.device, 37);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  OK(cudaDeviceReset());
  traps<<<1, dim3(4, 4, 4)>>>(out.device, 63 - (3 + 4 * (1 + 4 * 2)));
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  OK(cudaDeviceReset());
  lacks<<<1, 32>>>(out.device, 7);
  EXPECT(cudaDeviceSynchronize() == cudaErrorNotSupported);
  return finish();
}
