// GPUPROF_WARMUP=N leaves out the first N executions of the outermost repetition: of a region, or else of a
// kernel's launches. Regions run no more than N times are whole, and the report names the executions left out.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.all.json %t
// RUN: %py %S/Inputs/left_out.py %t.all.json | %FileCheck --check-prefix=ALL --match-full-lines %s
// RUN: %gpuprof run --thorough -o %t.json -- %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/left_out.py %t.json | %FileCheck --match-full-lines %s
// RUN: %gpuprof report %t.json | %FileCheck --check-prefix=REPORT %s
// RUN: env GPUPROF_WARMUP=100 GPUPROF_OUTPUT=%t.100.json %t
// RUN: %py %S/Inputs/left_out.py %t.100.json | %FileCheck --check-prefix=NOTHING --match-full-lines %s
#include "run.h"

__global__ void add(float *a) { a[threadIdx.x] += 1; } // 32 FLOPs

// ALL: train 1 29 928 left out 0 0 median
// ALL-NEXT: train/step 5 11 352 left out 0 0 median
// ALL-NEXT: train/step/inner 10 10 320 left out 0 0 median
// ALL-NEXT: train/few 3 3 96 left out 0 0 median
// ALL-NEXT: train/loop 1 10 320 left out 0 0 median
// ALL-NEXT: train/loop/step_0 1 4 128 left out 0 0 median
// ALL-NEXT: train/loop/step_1 1 6 192 left out 0 0 median
// ALL-NEXT: add 36 36 1152 left out 0 0 median

// train runs once; step repeats, so inner goes with it; few runs 3 times; launches in
// loop, in train itself and outside of all regions repeat, and steps do not begin anew.
// CHECK: train 1 16 512 left out 0 13 no median
// CHECK-NEXT: train/step 2 4 128 left out 3 7 median
// CHECK-NEXT: train/step/inner 4 4 128 left out 6 6 median
// CHECK-NEXT: train/few 3 3 96 left out 0 0 median
// CHECK-NEXT: train/loop 1 7 224 left out 0 3 no median
// CHECK-NEXT: train/loop/step_0 1 1 32 left out 0 3 no median
// CHECK-NEXT: train/loop/step_1 1 6 192 left out 0 0 median
// CHECK-NEXT: add 20 20 640 left out 0 16 median
// CHECK-NEXT: note: GPUPROF_WARMUP=3: 16 launches are left out, the first 3 executions of each region that ran more often, or else the first 3 launches of a kernel; {{.*}}

// REPORT: launches left time
// REPORT: train 1 16 13
// REPORT: few 3 3 –
// REPORT: GPUPROF_WARMUP=3: 16 launches are left

// NOTHING: train 1 29 928 left out 0 0 median
// NOTHING: add 36 36 1152 left out 0 0 median
// NOTHING-NEXT: note: GPUPROF_WARMUP=100: nothing is left out, since nothing ran more than 100 times

static void step(float *a, int number) {
#pragma gpuprof region("step")
  {
    for (int i = 0; i < 2; ++i) {
#pragma gpuprof region("inner")
      add<<<1, 32>>>(a);
    }
    if (!number)
      add<<<1, 32>>>(a);
  }
}

int main() {
  float *a;
  cudaMalloc(&a, 32 * sizeof *a);
#pragma gpuprof region("train")
  {
    for (int i = 0; i < 5; ++i)
      step(a, i);
    for (int i = 0; i < 3; ++i) {
#pragma gpuprof region("few")
      add<<<1, 32>>>(a);
    }
#pragma gpuprof region("loop")
    for (int t = 0; t < 2; ++t) {
#pragma gpuprof step(t)
      for (int i = 0; i < 4 + 2 * t; ++i)
        add<<<1, 32>>>(a);
    }
    for (int i = 0; i < 5; ++i)
      add<<<1, 32>>>(a);
  }
  for (int i = 0; i < 7; ++i)
    add<<<1, 32>>>(a);
  return cudaDeviceSynchronize();
}
