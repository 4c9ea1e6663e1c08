// Regions with steps may be inside one another in a kernel, also by calls: each is divided by its own steps, and the
// kernel as the outermost is.
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 -Werror %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0
// RUN: %py %S/Inputs/directives.py %t.0.json --kernels | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -O3 -Werror %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3
// RUN: %py %S/Inputs/directives.py %t.3.json --kernels | %FileCheck --match-full-lines %s

__device__ void inside(float *v, int t) {
#pragma gpuprof region("inner")
  for (int k = t; k < 3; ++k) {
#pragma gpuprof step(k)
    *v *= 1.5f;
#pragma gpuprof count("turns", 1)
  }
}

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, int steps) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float v = p[n];
#pragma gpuprof region("outer")
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(10 + t)
    v *= 0.5f;
    inside(&v, t);
    v *= 3.0f;
  }
  p[n] = v;
}

int main() {
  float *p;
  cudaMalloc((void **)&p, 96 * sizeof(float));
  cudaMemset(p, 0, 96 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<2, 48>>>(p, 3);
}

// 96 threads: in each of three steps two products and, in the inner region, 3, 2 and 1.
// CHECK: host/kernel/outer: 1 launches, 1152 FLOPs, turns=576
// CHECK-NEXT:   step 10: 480 FLOPs, turns=288
// CHECK-NEXT:   step 11: 384 FLOPs, turns=192
// CHECK-NEXT:   step 12: 288 FLOPs, turns=96
// CHECK-NEXT: host/kernel/outer/inner: 1 launches, 576 FLOPs, turns=576
// CHECK-NEXT:   step 0: 96 FLOPs, turns=96
// CHECK-NEXT:   step 1: 192 FLOPs, turns=192
// CHECK-NEXT:   step 2: 288 FLOPs, turns=288
// CHECK-NEXT: kernel(float*, int): 1 executions, 1 launches, 1152 FLOPs, turns=576
// CHECK-NEXT:   step 10: 480 FLOPs, turns=288
// CHECK-NEXT:   step 11: 384 FLOPs, turns=192
// CHECK-NEXT:   step 12: 288 FLOPs, turns=96
