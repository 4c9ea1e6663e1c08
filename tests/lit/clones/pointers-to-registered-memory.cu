// The program's own registered memory lies in no allocation
// known to the device: the instrumented kernel runs.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=2 threads=64 bytes.global.load=768 bytes.global.store=512
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "in_kernel"
// CHECK: "text": "some of its launches ran a copy with counters: a pointer among its arguments lies in no allocation that the device knows
#include "drain.h"

static int own[1024];

int main() {
  int *there;
  OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer((void **)&there, own, 0));
  drain<<<1, 32>>>(threes(there), new_threes());
  drain<<<1, 32>>>(there, there);
  OK(cudaDeviceSynchronize());
  return finish();
}
