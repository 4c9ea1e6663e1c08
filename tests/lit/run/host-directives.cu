// Directives of host code: amounts add up over executions, counters and spikes are exact, each step
// is a region of its own. Expressions are evaluated once, or not at all while profiling is off.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t | %FileCheck --check-prefix=ON %s
// RUN: env GPUPROF_ENABLE=0 GPUPROF_OUTPUT=%t.off.json %t | %FileCheck --check-prefix=OFF %s
// RUN: %py %S/Inputs/directives.py %t.json | %FileCheck --match-full-lines %s
#include <stdio.h>

static int evaluated;
static int once(int value) {
  ++evaluated;
  return value;
}

__global__ void work(float *p) { p[threadIdx.x] += 1.0f; }

static void run(float *p, int steps) {
#pragma gpuprof region("network")
  {
#pragma gpuprof expect flops(once(steps) * 32.0) items(steps)
    for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(once(t))
#pragma gpuprof count("launches", once(1))
#pragma gpuprof spike(once(t) - 1)
      work<<<1, 32>>>(p);
      if (t == 2) {
#pragma gpuprof count("negative", -5)
        work<<<1, 32>>>(p);
      }
    }
  }
  work<<<1, 32>>>(p);
}

int main() {
  float *p;
  cudaMalloc((void **)&p, 32 * sizeof(float));
  run(p, 2);
  run(p, 4);
  printf("evaluated %d\n", evaluated);
}

// ON: evaluated 20
// OFF: evaluated 0
// CHECK: network: 2 executions, 7 launches, 224 FLOPs, launches=6, negative=-5, spikes +2 -2 0:2
// CHECK-NEXT:   expected flops 192, items 6, over 1.167
// CHECK-NEXT:   step 0: 64 FLOPs, launches=2, spikes +0 -2 0:0
// CHECK-NEXT:   step 1: 64 FLOPs, launches=2, spikes +0 -0 0:2
// CHECK-NEXT:   step 2: 64 FLOPs, launches=1, negative=-5, spikes +1 -0 0:0
// CHECK-NEXT:   step 3: 32 FLOPs, launches=1, spikes +1 -0 0:0
// CHECK-NEXT: network/step_0: 2 executions, 2 launches, 64 FLOPs, launches=2, spikes +0 -2 0:0
// CHECK-NEXT: network/step_1: 2 executions, 2 launches, 64 FLOPs, launches=2, spikes +0 -0 0:2
// CHECK-NEXT: network/step_2: 1 executions, 2 launches, 64 FLOPs, launches=1, negative=-5, spikes +1 -0 0:0
// CHECK-NEXT: network/step_3: 1 executions, 1 launches, 32 FLOPs, launches=1, spikes +1 -0 0:0
