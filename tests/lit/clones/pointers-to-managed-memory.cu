// Managed memory is allocations like others: apart in one launch, the same in the other.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=2 threads=64 bytes.global.load=768 bytes.global.store=512
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "several"
#include "drain.h"

int main() {
  int *managed;
  OK(cudaMallocManaged(&managed, 32 * sizeof(int)));
  drain<<<1, 32>>>(threes(managed), new_threes());
  drain<<<1, 32>>>(managed, managed);
  OK(cudaDeviceSynchronize());
  return finish();
}
