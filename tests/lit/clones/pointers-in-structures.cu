// Pointers in members of an argument are compared, too: one of two launches has both in one allocation.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=clone -O2 -I%S/Inputs -I%S/../run/Inputs %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json drain_pair counts launches=2 threads=64 bytes.global.load=768 bytes.global.store=512 bytes.constant.load=1024
// RUN: %document %t.json | %FileCheck %s
// CHECK: "mangled": "_Z10drain_pair4Pair"
// CHECK: "counted_by": "several"
#include "drain.h"

int main() {
  int *both = new_threes();
  drain_pair<<<1, 32>>>(Pair{new_threes(), new_threes()});
  drain_pair<<<1, 32>>>(Pair{both, both});
  OK(cudaDeviceSynchronize());
  return finish();
}
