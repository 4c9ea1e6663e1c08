// Predicates in inline PTX: comparisons combined with another, both results of one comparison, and the flag of lop3.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { N = 32, Kinds = 8 };

__global__ void run(const int *in, int *out) {
  const int v = in[threadIdx.x], other = 31 - v;
  int *o = out + threadIdx.x * Kinds;
#define BOTH(text)                                                                                           \
  asm("{ .reg .pred p, q, c; setp.gt.s32 c, %2, 20; " text " selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"    \
      : "=r"(o[0]), "=r"(o[1])                                                                               \
      : "r"(v), "r"(other));                                                                                 \
  o += 2
  BOTH("setp.lt.and.s32 p|q, %2, %3, c;");
  BOTH("setp.le.or.u32 p|q, %2, %3, !c;");
  BOTH("setp.ne.xor.s32 p|q, %2, 7, c;");
  BOTH("{ .reg .b32 d; lop3.and.b32 d|p, %2, %3, 1, 0x80, !c; lop3.or.b32 d|q, %2, %3, 1, 0x80, c; }");
}

int main() {
  Values<int, N> in;
  Values<int, N * Kinds> out;
  for (int i = 0; i < N; i++)
    in.host[i] = i;
  in.write();
  run<<<1, N>>>(in.device, out.device);
  out.read();
  for (int v = 0; v < N; v++) {
    const int other = 31 - v, *o = out.host + v * Kinds;
    const bool c = v > 20, all = v & other & 1;
    EXPECT(o[0] == (v < other && c) && o[1] == (v >= other && c));
    EXPECT(o[2] == (v <= other || !c) && o[3] == (v > other || !c));
    EXPECT(o[4] == ((v != 7) != c) && o[5] == ((v == 7) != c));
    EXPECT(o[6] == (all && !c) && o[7] == (all || c));
  }
  return finish();
}
