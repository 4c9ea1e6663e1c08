// fp8 of both kinds: rounding, and saturation at the greatest value.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_fp8.h>
__global__ void convert(const float *in, unsigned char *e4m3, unsigned char *e5m2, float *back) {
  int t = threadIdx.x;
  __nv_fp8_e4m3 a(in[t]);
  __nv_fp8_e5m2 b(in[t]);
  e4m3[t] = a.__x, e5m2[t] = b.__x, back[t] = (float)a;
}

int main() {
  Values<float, 4> in, back;
  Values<unsigned char, 4> a, b;
  const float v[4] = {1, 1000, -0.5f, 1.2f};
  const unsigned char ea[4] = {0x38, 0x7e, 0xb0, 0x3a}, eb[4] = {0x3c, 0x64, 0xb8, 0x3d};
  const float numbers[4] = {1, 448, -0.5f, 1.25f};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 4>>>(in.device, a.device, b.device, back.device);
  a.read(), b.read(), back.read();
  for (int i = 0; i < 4; i++)
    EXPECT(a.host[i] == ea[i] && b.host[i] == eb[i] && back.host[i] == numbers[i]);
  return finish();
}
