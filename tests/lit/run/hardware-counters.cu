// The CPU device has no hardware counters: they are null, and the report gives the reason and a remedy.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_HARDWARE=check GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck %s --check-prefix=PROGRAM --implicit-check-not=gpuprof:
// RUN: %document %t.json | %FileCheck %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// A setting without a meaning is named.
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_HARDWARE=everything GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck %s --check-prefix=WRONG
// Without the setting the report says how to ask.
// RUN: env -u GPUPROF_HARDWARE GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %document %t.json | %FileCheck %s --check-prefix=OFF
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void halve(float *p) { p[threadIdx.x] /= 2.5f; }

int main() {
  float *p;
  cudaMalloc(&p, 64 * sizeof *p);
  halve<<<1, 64>>>(p);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// PROGRAM: no error
// CHECK: "l2": null,
// CHECK-SAME: "dram": null
// CHECK: "hardware": {
// CHECK-SAME: "launches": 0,
// CHECK-SAME: "counters": {},
// CHECK-SAME: "counted": {},
// CHECK-SAME: "expected": {},
// CHECK-SAME: "expected_least": {},
// CHECK-SAME: "distinct": {},
// CHECK-SAME: "difference_percent": {},
// CHECK-SAME: "unexplained_percent": {}
// CHECK: "text": "null: the CPU device has no hardware counters; run the program on a GPU to read them"
// WRONG: GPUPROF_HARDWARE: the value 'everything' is ignored: it must be off, bytes, check, or names of metrics
// OFF: "text": "null: hardware counters were not asked for; set GPUPROF_HARDWARE=bytes to read them on a GPU"
