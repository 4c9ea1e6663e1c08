// nan("") and nanf("") in device code, which clang's headers only declare, beside the host's.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cmath>

__global__ void nans(double *doubles, float *floats) {
  *doubles = nan("");
  *floats = std::nanf("1");
}

int main() {
  Values<double, 1> doubles;
  Values<float, 1> floats;
  nans<<<1, 1>>>(doubles.device, floats.device);
  doubles.read(), floats.read();
  if (!std::isnan(doubles.host[0]) || !std::isnan(floats.host[0]) || !std::isnan(nan("")))
    return printf("%g %g\n", doubles.host[0], floats.host[0]), 1;
  puts("all right");
}
