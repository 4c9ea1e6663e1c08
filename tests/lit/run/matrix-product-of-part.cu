// In a kernel run as loops over threads, a matrix instruction reached by a part of a
// warp stops the launch with their number. Other warps may leave it out as a whole.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep 'warp 1 has 32 threads, of which 0 have returned and 12 take another way' %t.err
// CHECK: all right
#include "lanes.h"

__global__ void multiply(unsigned *out, int from, int to) {
  unsigned d[2] = {1, 2};
  if (threadIdx.x >= from && threadIdx.x < to)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%2}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(0x3c003c00));
  __syncthreads();
  out[threadIdx.x] = d[0];
}

int main() {
  Values<unsigned, 96> out;
  multiply<<<1, 96>>>(out.device, 32, 64);
  out.read();
  for (int i = 0; i < 96; i++)
    EXPECT(out.host[i] == (i / 32 == 1 ? 0x48004800 : 1));
  multiply<<<1, 96>>>(out.device, 32, 52);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return finish();
}
