// GPUPROF_UNIQUE=0 marks no memory: unique bytes are unknown, and notes say why. Counts stay. Accesses recorded by
// calls, and those that compiled code marks itself, are both switched off.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_UNIQUE=0 GPUPROF_OUTPUT=%t.off.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json rows launches=2 bytes.unique=8192 bytes.global.load=8192
// RUN: %py %S/Inputs/kernel_has.py %t.json chosen launches=1 bytes.unique=4128 bytes.global.load=8192
// RUN: %py %S/Inputs/kernel_has.py %t.off.json rows launches=2 bytes.global.load=8192
// RUN: %py %S/Inputs/kernel_has.py %t.off.json chosen launches=1 bytes.global.load=8192
// RUN: ! grep -E '"unique": [0-9]' %t.off.json
// RUN: grep -F "not looked for: GPUPROF_UNIQUE is 0" %t.off.json
// RUN: ! grep -F "GPUPROF_UNIQUE is 0" %t.json
// CHECK: all right
#include "run.h"

__global__ void rows(const float *a, float *out) {
  float x = a[threadIdx.x];
  if (x < 0)
    out[0] = x;
}

__global__ void chosen(const int *places, const float *a, float *out) {
  float x = a[places[threadIdx.x]];
  if (x < 0)
    out[0] = x;
}

int main() {
  static float a[1024];
  static int places[1024];
  float *x = to_device(a, 1024), *y = to_device(a, 8);
  int *p = to_device(places, 1024);
  for (int i = 0; i < 2; i++)
    rows<<<1, 1024>>>(x, y);
  chosen<<<1, 1024>>>(p, x, y);
  OK(cudaDeviceSynchronize());
  return finish();
}
