// A cooperative launch whose clone may not count it: the instrumented kernel is launched cooperatively,
// too. With too many blocks to run at once it fails like the kernel, and is not counted.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain counts launches=1 threads=32 bytes.global.load=256 bytes.global.store=128
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z5drainPKiPi"
// CHECK: "counted_by": "in_kernel"
#include "drain.h"

int main() {
  int *both = new_threes();
  void *arguments[] = {&both, &both};
  OK(cudaLaunchCooperativeKernel((const void *)drain, dim3(1), dim3(32), arguments, 0, nullptr));
  EXPECT(cudaLaunchCooperativeKernel((const void *)drain, dim3(100000), dim3(32), arguments, 0, nullptr) ==
         cudaErrorCooperativeLaunchTooLarge);
  return finish();
}
