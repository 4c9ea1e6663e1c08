// __nv_bfloat16 and __nv_bfloat162: conversions round to nearest even, arithmetic is rounded once.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_90 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_bf16.h>
__global__ void run(const float *in, float *out, unsigned short *bits) {
  __nv_bfloat16 a = __float2bfloat16(in[threadIdx.x]), b = __float2bfloat16(2.0f);
  bits[threadIdx.x] = __bfloat16_as_ushort(a);
  out[threadIdx.x] = __bfloat162float(__hadd(a, b));
  __nv_bfloat162 p = __halves2bfloat162(a, b), q = __hmul2(p, p);
  out[threadIdx.x] += 1000 * __high2float(q);
}

int main() {
  Values<float, 4> in, out;
  Values<unsigned short, 4> bits;
  const float v[4] = {1, 1 + 0x1p-8f, 1 + 3 * 0x1p-8f, -3};
  const unsigned short e[4] = {0x3f80, 0x3f80, 0x3f82, 0xc040};
  const float sums[4] = {3, 3, 3.015625f, -1};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 4>>>(in.device, out.device, bits.device);
  out.read(), bits.read();
  for (int i = 0; i < 4; i++)
    EXPECT(bits.host[i] == e[i] && std::fabs(out.host[i] - (sums[i] + 4000)) < 0.02);
  return finish();
}
