// isnan, isinf, isfinite and signbit in device code.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void classify(const float *in, int *out) {
  float x = in[threadIdx.x];
  double d = x;
  out[threadIdx.x] = (isnan(x) != 0) + 2 * (isinf(x) != 0) + 4 * (isfinite(x) != 0) + 8 * (signbit(x) != 0) +
                     16 * (isnan(d) != 0) + 32 * (isinf(d) != 0);
}

int main() {
  Values<float, 5> in;
  Values<int, 5> out;
  const float v[5] = {NAN, INFINITY, -INFINITY, -0.0f, 1.0f};
  const int expected[5] = {17, 34, 42, 12, 4};
  memcpy(in.host, v, sizeof v);
  in.write();
  classify<<<1, 5>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 5; i++)
    EXPECT((out.host[i] & (i == 0 ? ~8 : ~0)) == expected[i]);
  return finish();
}
