// Of two regions with steps, one inside the other in a kernel, the inner one alone is divided into steps; the outer one's
// per_step is left out, and the report says why.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O0 %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0
// RUN: %py %S/Inputs/directives.py %t.0.json | %FileCheck --match-full-lines %s
// RUN: %FileCheck --check-prefix=WHY %s < %t.0.json
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=cpu --cuda-host-only %minicuda -O3 %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3
// RUN: %py %S/Inputs/directives.py %t.3.json | %FileCheck --match-full-lines %s
// RUN: %FileCheck --check-prefix=WHY %s < %t.3.json

__device__ void inside(float *v) {
#pragma gpuprof region("inner")
  for (int k = 0; k < 2; ++k) {
#pragma gpuprof step(k)
    *v *= 1.5f;
  }
}

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, int steps) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float v = p[n];
#pragma gpuprof region("outer")
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
    v *= 0.5f;
    inside(&v);
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

// 96 threads, three times one product, two in the inner region, and one.
// CHECK: host/kernel/outer: 1 launches, 1152 FLOPs
// CHECK-NEXT: host/kernel/outer/inner: 1 launches, 576 FLOPs
// CHECK-NEXT:   step 0: 288 FLOPs
// CHECK-NEXT:   step 1: 288 FLOPs
// WHY: the steps of region 'outer'
// WHY: in a kernel a region that has steps, here 'inner', cannot be inside another that has them: remove the steps of one
