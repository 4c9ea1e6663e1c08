// The fast functions of single precision come within their documented errors.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void run(const float *in, float *out) {
  float x = in[threadIdx.x], *o = out + 8 * threadIdx.x;
  o[0] = __sinf(x), o[1] = __cosf(x), o[2] = __expf(x), o[3] = __logf(x), o[4] = __log2f(x),
  o[5] = __powf(x, 1.5f);
  o[6] = __fdividef(x, 0.3f), o[7] = __frsqrt_rn(x);
}

int main() {
  Values<float, 16> in;
  Values<float, 128> out;
  for (int i = 0; i < 16; i++)
    in.host[i] = 0.1f + 0.15f * i;
  in.write();
  run<<<1, 16>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++) {
    double x = in.host[i];
    const double e[8] = {std::sin(x),  std::cos(x),      std::exp(x), std::log(x),
                         std::log2(x), std::pow(x, 1.5), x / 0.3f,    1 / std::sqrt(x)};
    for (int k = 0; k < 8; k++)
      EXPECT(std::fabs(out.host[8 * i + k] - e[k]) <= 2e-6 * (1 + std::fabs(e[k])));
  }
  return finish();
}
