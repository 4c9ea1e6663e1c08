// floorf, ceilf, truncf, rintf, roundf and their double forms at halves and at negative numbers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void run(const double *in, double *out) {
  double d = in[threadIdx.x], *o = out + 8 * threadIdx.x;
  float f = (float)d;
  o[0] = floorf(f), o[1] = ceilf(f), o[2] = truncf(f), o[3] = rintf(f), o[4] = roundf(f);
  o[5] = floor(d), o[6] = rint(d), o[7] = round(d);
}

int main() {
  Values<double, 4> in;
  Values<double, 32> out;
  const double v[4] = {2.5, -2.5, 3.5, -0.25};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 4>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++) {
    const double *o = out.host + 8 * i, d = v[i];
    EXPECT(o[0] == std::floor(d) && o[1] == std::ceil(d) && o[2] == std::trunc(d) && o[3] == std::rint(d) &&
           o[4] == std::round(d));
    EXPECT(o[5] == std::floor(d) && o[6] == std::rint(d) && o[7] == std::round(d));
  }
  return finish();
}
