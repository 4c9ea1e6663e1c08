// Floating point to integer in the four directions of rounding.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void convert(const float *in, int *out) {
  float x = in[threadIdx.x];
  int *o = out + 8 * threadIdx.x;
  o[0] = __float2int_rn(x), o[1] = __float2int_rz(x), o[2] = __float2int_rd(x), o[3] = __float2int_ru(x);
  double d = x;
  o[4] = __double2int_rn(d), o[5] = __double2int_rz(d), o[6] = __double2int_rd(d), o[7] = __double2int_ru(d);
}

int main() {
  Values<float, 4> in;
  Values<int, 32> out;
  const float v[4] = {2.5f, 3.5f, -2.5f, -0.75f};
  const int expected[4][4] = {{2, 2, 2, 3}, {4, 3, 3, 4}, {-2, -2, -3, -2}, {-1, 0, -1, 0}};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 4>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 8; k++)
      EXPECT(out.host[8 * i + k] == expected[i][k % 4]);
  return finish();
}
