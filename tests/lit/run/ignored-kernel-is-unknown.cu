// Work of an ignored kernel is unknown, and not 0: counts of the kernel, and of a region launching nothing else,
// are null. A region launching other kernels, too, has their counts, and states that launches are missing.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json left_out launches=2 uncounted_launches=2
// RUN: %py %S/Inputs/kernel_has.py %t.json looped launches=1 uncounted_launches=1
// RUN: %py %S/Inputs/kernel_has.py %t.json counted counts launches=1 threads=32 bytes.global.store=128
// RUN: %document %t.json | %FileCheck %s
// RUN: %gpuprof report %t.json | %FileCheck --check-prefix=REPORT %s
// CHECK: "path": "only ignored"
// CHECK: "launches": 1
// CHECK-SAME: "uncounted_launches": 1
// CHECK: "total": null
// CHECK: "path": "both"
// CHECK: "launches": 2
// CHECK-SAME: "uncounted_launches": 1
// CHECK: "store": 128
// CHECK: "bound": null
// CHECK: "uncounted": [
// CHECK: "what": "launches of left_out(float*)"
// CHECK-NEXT: "where": "only ignored"
// CHECK-NEXT: "why": "its file's cost sheet does not have it: '#pragma gpuprof ignore' or an option leaves it out"
// CHECK-NEXT: "launches": 1
// CHECK: "where": "both"
// CHECK: "text": "its counts are null: none of its launches is counted (1);
// CHECK: "about": "both"
// CHECK-NEXT: "text": "1 of its 2 launches are not counted: its counts are those of the others
// REPORT: {{^}} only ignored
// REPORT-SAME: {{ 1 .* – +– +– +– +– +– +– +– +–$}}
// REPORT: {{^}} both {{.*}}≥128 B
// REPORT: ≥: launches are missing
// REPORT: launches of left_out(float*) (1) at only ignored
#include <cstdio>

#pragma gpuprof ignore
__global__ void left_out(float *x) { x[threadIdx.x] = 1.0f; }

// The optimiser makes instructions for its loop, which stand nowhere in the source.
#pragma gpuprof ignore
__global__ void looped(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i / n * n + k] * b[k * n + i % n];
  c[i] = sum;
}

__global__ void counted(float *x) { x[threadIdx.x] = 2.0f; }

int main() {
  float *x;
  cudaMalloc(&x, 32 * sizeof *x);
#pragma gpuprof region("only a loop")
  looped<<<1, 16>>>(x, x, x, 4);
#pragma gpuprof region("only ignored")
  left_out<<<1, 32>>>(x);
#pragma gpuprof region("both")
  {
    left_out<<<1, 32>>>(x);
    counted<<<1, 32>>>(x);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
