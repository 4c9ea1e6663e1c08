// fminf, fmaxf, fmin and fmax give the other operand where one is NaN.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void extremes(float x, float nan, float *out, double *wide) {
  out[0] = fminf(x, nan), out[1] = fmaxf(nan, x), out[2] = fminf(nan, nan), out[3] = fminf(-0.0f, x),
  out[4] = fmaxf(x, INFINITY);
  wide[0] = fmin((double)nan, (double)x), wide[1] = fmax((double)x, (double)nan);
}

int main() {
  Values<float, 5> out;
  Values<double, 2> wide;
  extremes<<<1, 1>>>(3.0f, NAN, out.device, wide.device);
  out.read(), wide.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 3 && out.host[2] != out.host[2] && out.host[3] == 0 &&
         out.host[4] == INFINITY);
  EXPECT(wide.host[0] == 3 && wide.host[1] == 3);
  return finish();
}
