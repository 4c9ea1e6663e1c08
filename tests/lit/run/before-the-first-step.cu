// Work of a region before its first step, in a kernel, is part of its totals and of no step.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O0 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/directives.py %t.json | %FileCheck --match-full-lines %s

#pragma gpuprof region("kernel")
__global__ void kernel(float *p) {
  float v = p[threadIdx.x] * 2.0f;
  for (int t = 0; t < 2; ++t) {
#pragma gpuprof step(t)
    v *= 0.5f;
  }
  p[threadIdx.x] = v;
}

int main() {
  float *p;
  cudaMalloc((void **)&p, 32 * sizeof(float));
  cudaMemset(p, 0, 32 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<1, 32>>>(p);
}

// CHECK: host/kernel: 1 executions, 1 launches, 96 FLOPs
// CHECK-NEXT:   step 0: 32 FLOPs
// CHECK-NEXT:   step 1: 32 FLOPs
