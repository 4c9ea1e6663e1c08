// Pointers into one allocation, without overlap in the range of the kernel.
// The range is unknown at the launch, so the instrumented kernel runs.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=1 threads=32 bytes.global.load=512 bytes.global.store=384
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "in_kernel"
#include "drain.h"

int main() {
  int *memory;
  OK(cudaMalloc(&memory, 4096));
  drain<<<1, 32>>>(threes(memory), memory + 512);
  OK(cudaDeviceSynchronize());
  return finish();
}
