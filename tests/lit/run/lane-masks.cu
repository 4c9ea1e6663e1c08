// The special registers of PTX: lane, warp, and the masks of lanes below and above.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ unsigned special_lane() {
  unsigned v;
  asm("mov.u32 %0, %%laneid;" : "=r"(v));
  return v;
}
static __device__ unsigned below() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
  return v;
}
static __device__ unsigned above() {
  unsigned v;
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v));
  return v;
}
__global__ void masks(unsigned *out) {
  out[3 * threadIdx.x] = special_lane();
  out[3 * threadIdx.x + 1] = below();
  out[3 * threadIdx.x + 2] = above();
}

int main() {
  Values<unsigned, 3 * 48> out;
  masks<<<1, 48>>>(out.device);
  out.read();
  for (unsigned i = 0; i < 48; i++)
    EXPECT(out.host[3 * i] == i % 32 && out.host[3 * i + 1] == (1u << i % 32) - 1 &&
           out.host[3 * i + 2] == ~0u << i % 32);
  return finish();
}
