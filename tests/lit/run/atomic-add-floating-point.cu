// atomicAdd of float and double loses no addend.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add bytes.global.atomic=6144
// CHECK: all right
#include "lanes.h"

__global__ void add(float *f, double *d) {
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.125);
}

int main() {
  Values<float, 1> f;
  Values<double, 1> d;
  add<<<4, 128>>>(f.device, d.device);
  f.read(), d.read();
  EXPECT(f.host[0] == 256 && d.host[0] == 64);
  return finish();
}
