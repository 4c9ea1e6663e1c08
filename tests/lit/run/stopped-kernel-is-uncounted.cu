// A launch whose kernel stops with an error is not counted, with counters in the kernel and by clones: its region has
// null, that of others, too, has their counts and tells that one is missing.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>/dev/null | %FileCheck --check-prefix=RIGHT %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json add launches=3 uncounted_launches=1 flops.total=64
// RUN: %document %t.json | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=inkernel -I%S/Inputs -O1 %s -o %t.inkernel %link
// RUN: env GPUPROF_OUTPUT=%t.json %t.inkernel 2>/dev/null
// RUN: %document %t.json | %FileCheck %s
// RUN: env GPUPROF_UNIQUE=1 GPUPROF_OUTPUT=%t.json %t.inkernel 2>/dev/null
// RUN: %document %t.json | %FileCheck %s
// RIGHT: all right
// CHECK: "path": "good"
// CHECK: "uncounted_launches": 0
// CHECK: "total": 64
// CHECK: "path": "stopped"
// CHECK: "uncounted_launches": 1
// CHECK: "total": null
// CHECK: "unique": null
// CHECK: "uncounted": [
// CHECK-NEXT: {
// CHECK-NEXT: "what": "launches of add(float*)"
// CHECK-NEXT: "where": "stopped"
// CHECK-NEXT: "why": "the kernel stopped with 'an illegal memory access was encountered' before its end"
// CHECK-NEXT: "launches": 1
// CHECK-NOT: "what"
#include "lanes.h"

__global__ void add(float *x) { x[threadIdx.x] += 1; }

int main() {
  Values<float, 32> x;
#pragma gpuprof region("good")
  for (int i = 0; i < 2; i++)
    add<<<1, 32>>>(x.device);
#pragma gpuprof region("stopped")
  add<<<1, 32>>>((float *)16);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  return finish();
}
