// __popc, __clz, __ffs and their forms of 64 bits, at 0 and at the ends too.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void count(const unsigned long long *in, int *out) {
  unsigned long long v = in[threadIdx.x];
  int *o = out + 6 * threadIdx.x;
  o[0] = __popc((unsigned)v), o[1] = __clz((int)v), o[2] = __ffs((int)v);
  o[3] = __popcll(v), o[4] = __clzll((long long)v), o[5] = __ffsll((long long)v);
}

int main() {
  Values<unsigned long long, 5> in;
  Values<int, 30> out;
  const unsigned long long v[5] = {0, 1, ~0ull, 1ull << 63, 0xf0f00000ull};
  const int expected[30] = {0,  32, 0, 0, 64, 0, 1, 31, 1,  1, 63, 1,  32, 0,  1,
                            64, 0,  1, 0, 32, 0, 1, 0,  64, 8, 0,  21, 8,  32, 21};
  memcpy(in.host, v, sizeof v);
  in.write();
  count<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 30; i++)
    EXPECT(out.host[i] == expected[i]);
  return finish();
}
