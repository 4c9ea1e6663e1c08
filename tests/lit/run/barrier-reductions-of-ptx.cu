// bar.red in inline PTX: how many, whether all, whether any thread of the block says yes.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void ask(int *out) {
  int count, all, any;
  asm volatile("{ .reg .pred p, q, r, s;\n"
               "  setp.lt.u32 p, %3, 40;\n"
               "  bar.red.popc.u32 %0, 0, p;\n"
               "  bar.red.and.pred q, 0, p;\n"
               "  barrier.cta.red.or.aligned.pred r, 0, !p;\n"
               "  selp.s32 %1, 1, 0, q;\n"
               "  selp.s32 %2, 1, 0, r; }"
               : "=r"(count), "=r"(all), "=r"(any)
               : "r"(threadIdx.x));
  out[threadIdx.x] = count * 100 + all * 10 + any;
}

int main() {
  Values<int, 64> out;
  ask<<<1, 64>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == 4001);
  ask<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(out.host[i] == 3210);
  return finish();
}
