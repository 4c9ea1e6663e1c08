// Functions that give back two results, or take a number apart.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void apart(const float *in, float *out) {
  float x = in[threadIdx.x], *o = out + 6 * threadIdx.x, whole, s, c;
  int exponent;
  o[0] = frexpf(x, &exponent), o[1] = (float)exponent;
  o[2] = modff(x, &whole) + 100 * whole;
  sincosf(x, &s, &c);
  o[3] = s * s + c * c;
  o[4] = ldexpf(x, 3), o[5] = copysignf(x, -1.0f);
}

int main() {
  Values<float, 8> in;
  Values<float, 48> out;
  for (int i = 0; i < 8; i++)
    in.host[i] = 0.3f + 1.5f * i;
  in.write();
  apart<<<1, 8>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 8; i++) {
    int exponent;
    float x = in.host[i], whole, mantissa = std::frexp(x, &exponent), part = std::modf(x, &whole);
    const float *o = out.host + 6 * i;
    EXPECT(o[0] == mantissa && o[1] == exponent && std::fabs(o[2] - (part + 100 * whole)) < 1e-4);
    EXPECT(std::fabs(o[3] - 1) < 1e-6 && o[4] == 8 * x && o[5] == -x);
  }
  return finish();
}
