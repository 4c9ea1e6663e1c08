// __saturatef keeps to [0, 1]; NaN becomes 0.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void run(const float *in, float *out) { out[threadIdx.x] = __saturatef(in[threadIdx.x]); }

int main() {
  Values<float, 5> in, out;
  const float v[5] = {-3, 0.25f, 1, 7, NAN}, expected[5] = {0, 0.25f, 1, 1, 0};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 5; i++)
    EXPECT(out.host[i] == expected[i]);
  return finish();
}
