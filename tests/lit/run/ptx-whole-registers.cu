// Inline PTX in the spellings that ptxas takes too: whole special registers, two halves compared into one word, .satfinite
// behind the types, blanks before them.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: thread 5 2 1 0, block 1 2 0
// CHECK-NEXT: greater or unordered ffff0000, equal 0000ffff
// CHECK-NEXT: bytes 387e, sum 7
#include <cstdio>
#include <cuda_runtime.h>

__global__ void spell(unsigned *out, unsigned a, unsigned b) {
  unsigned x, y, z, w, cx, cy, cz, greater, equal, sum;
  unsigned short bytes;
  asm("mov.v4.u32 {%0, %1, %2, %3}, %%tid;" : "=r"(x), "=r"(y), "=r"(z), "=r"(w));
  asm("mov.v4.u32 {%0, %1, %2, _}, %%clusterid;" : "=r"(cx), "=r"(cy), "=r"(cz));
  asm("set.gtu.u32.f16x2 %0, %1, %2;" : "=r"(greater) : "r"(a), "r"(b));
  asm("set.eq.u32.f16x2 %0, %1, %2;" : "=r"(equal) : "r"(a), "r"(b));
  asm("cvt.rn.e4m3x2.f32.satfinite %0, %1, %2;" : "=h"(bytes) : "f"(1.0f), "f"(1000.0f));
  asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; add .u32 %0, %1, 2; @ !p add .u32 %0, %0, 9; }" : "=r"(sum) : "r"(x));
  if (x == 5 && y == 2 && z == 1 && cx == 1 && cy == 2) {
    const unsigned all[] = {x, y, z, w, cx, cy, cz, greater, equal, bytes, sum};
    for (int i = 0; i < 11; i++)
      out[i] = all[i];
  }
}

int main() {
  unsigned *out, h[11] = {0};
  cudaMalloc(&out, sizeof h);
  // halves: 1 and not a number, 2 and 2
  spell<<<dim3(2, 3), dim3(6, 3, 2)>>>(out, 0x7e004000, 0x3c004000);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("thread %u %u %u %u, block %u %u %u\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
  printf("greater or unordered %08x, equal %08x\n", h[7], h[8]);
  printf("bytes %04x, sum %u\n", h[9], h[10]);
}
