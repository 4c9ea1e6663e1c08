// The kernel writes the memory deciding its control flow: an instrumented kernel runs in its place, and the counts are exact.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=1 threads=32 bytes.global.load=256 bytes.global.store=128
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "in_kernel"
// CHECK: "about": "drain(int const*, int*)"
// CHECK-NEXT: "text": "some of its launches ran a copy with counters: it may write what its control flow depends on
#include "drain.h"

int main() {
  int *both = new_threes(), after = 7;
  drain<<<1, 32>>>(both, both);
  OK(cudaMemcpy(&after, both, sizeof after, cudaMemcpyDeviceToHost));
  EXPECT(after == 0);
  return finish();
}
