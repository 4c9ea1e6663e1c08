// Float to half rounds to nearest even, overflows to infinity and keeps small numbers; half to integers.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_fp16.h>
__global__ void convert(const float *in, unsigned short *bits, int *integers) {
  __half h = __float2half_rn(in[threadIdx.x]);
  bits[threadIdx.x] = __half_as_ushort(h);
  integers[threadIdx.x] = __half2int_rz(h);
}

int main() {
  Values<float, 7> in;
  Values<unsigned short, 7> bits;
  Values<int, 7> integers;
  const float v[7] = {1, 1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65504, 1e6f, 0x1p-24f, -2.75f};
  const unsigned short e[7] = {0x3c00, 0x3c00, 0x3c02, 0x7bff, 0x7c00, 1, 0xc180};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 7>>>(in.device, bits.device, integers.device);
  bits.read(), integers.read();
  for (int i = 0; i < 7; i++)
    EXPECT(bits.host[i] == e[i]);
  EXPECT(integers.host[0] == 1 && integers.host[3] == 65504 && integers.host[6] == -2);
  return finish();
}
