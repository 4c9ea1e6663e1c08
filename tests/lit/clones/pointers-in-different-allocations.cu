// Pointers into different allocations: the clone counts the launch, and the kernel is the plain one.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=1 threads=32 bytes.global.load=512 bytes.global.store=384
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "clone_light"
#include "drain.h"

int main() {
  drain<<<1, 32>>>(new_threes(), new_threes());
  OK(cudaDeviceSynchronize());
  return finish();
}
