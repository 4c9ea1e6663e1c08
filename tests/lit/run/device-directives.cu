// Directives in kernels are exact in divergent flow, loops and functions that are not
// inlined, at every level of optimisation. Steps divide spikes, counters and FLOPs.
// The evaluation of directives is not the kernel's work; side effects happen once.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O0 %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0 | %FileCheck --check-prefix=EFFECT %s
// RUN: %py %S/Inputs/directives.py %t.0.json | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O3 %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3 | %FileCheck --check-prefix=EFFECT %s
// RUN: %py %S/Inputs/directives.py %t.3.json | %FileCheck --match-full-lines %s
#include <stdio.h>

__device__ int effects;

__device__ __noinline__ float deep(float v, int n) {
#pragma gpuprof region("deep")
  {
#pragma gpuprof count("deep", 1)
    return v * 1.5f + n;
  }
}

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, int steps) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float v = p[n];
#pragma gpuprof count("before", n == 0 ? 5000000000ll : 0)
#pragma gpuprof count("effects", atomicAdd(&effects, 1) >= 0)
#pragma gpuprof region("loop")
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
    v = v * 0.5f + 1.0f;
    if (n % 3 == 0) {
#pragma gpuprof count("third", -t)
      p[n] = v;
    }
    if (t % 2)
      v = deep(v, n);
    float s = n % 4 == 0 ? 0.25f : n % 4 == 1 ? -1.0f : 0.0f;
#pragma gpuprof spike(s * 2.0f)
  }
  p[n] = v + 7.0f;
}

int main() {
  float *p;
  cudaMalloc((void **)&p, 96 * sizeof(float));
  cudaMemset(p, 0, 96 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<2, 48>>>(p, 3);
  int done = 0;
  cudaMemcpyFromSymbol(&done, effects, sizeof done);
  printf("effects %d\n", done);
}

// EFFECT: effects 96
// 96 threads, 32 of them multiples of 3: a step is 2·96 FLOPs, and 2·96 more in deep().
// CHECK: host: 1 executions, 1 launches, 864 FLOPs, before=5000000000, effects=96, third=-96, deep=96, spikes +72 -72 0:144
// CHECK-NEXT: host/kernel: 1 executions, 1 launches, 864 FLOPs, before=5000000000, effects=96, third=-96, deep=96, spikes +72 -72 0:144
// CHECK-NEXT: host/kernel/loop: 1 launches, 768 FLOPs, third=-96, deep=96, spikes +72 -72 0:144
// CHECK-NEXT:   step 0: 192 FLOPs, third=0, deep=0, spikes +24 -24 0:48
// CHECK-NEXT:   step 1: 384 FLOPs, third=-32, deep=96, spikes +24 -24 0:48
// CHECK-NEXT:   step 2: 192 FLOPs, third=-64, deep=0, spikes +24 -24 0:48
// CHECK-NEXT: host/kernel/loop/deep: 1 launches, 192 FLOPs, deep=96
