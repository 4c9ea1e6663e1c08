// Inline PTX with predicates, several instructions and registers of its own.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void clamp(const int *in, int *out) {
  int v;
  asm("{ .reg .pred p;\n"
      "  .reg .s32 t;\n"
      "  setp.gt.s32 p, %1, 10;\n"
      "  mov.s32 t, %1;\n"
      "  @p mov.s32 t, 10;\n"
      "  @!p add.s32 t, t, 1;\n"
      "  selp.s32 %0, t, 0, p;\n"
      "  @!p mov.s32 %0, t; }"
      : "=r"(v)
      : "r"(in[threadIdx.x]));
  out[threadIdx.x] = v;
}

int main() {
  Values<int, 20> in, out;
  for (int i = 0; i < 20; i++)
    in.host[i] = i;
  in.write();
  clamp<<<1, 20>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 20; i++)
    EXPECT(out.host[i] == (i > 10 ? 10 : i + 1));
  return finish();
}
