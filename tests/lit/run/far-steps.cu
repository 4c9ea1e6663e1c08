// Steps whose numbers are too far for rows of their own stand together, for each region with steps apart.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/directives.py %t.json | %FileCheck --match-full-lines %s

__global__ void kernel(float *p, long long far) {
  float v = p[threadIdx.x];
#pragma gpuprof region("outer")
  for (int t = 0; t < 3; ++t) {
#pragma gpuprof step(t * far)
    v *= 0.5f;
#pragma gpuprof region("inner")
    for (int k = 0; k < 2; ++k) {
#pragma gpuprof step(-k * far)
      v *= 1.5f;
    }
  }
  p[threadIdx.x] = v;
}

int main() {
  float *p;
  cudaMalloc((void **)&p, 32 * sizeof(float));
  cudaMemset(p, 0, 32 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<1, 32>>>(p, 1ll << 40);
}

// CHECK: host/outer: 1 launches, 288 FLOPs
// CHECK-NEXT:   step None: 192 FLOPs
// CHECK-NEXT:   step 0: 96 FLOPs
// CHECK-NEXT: host/outer/inner: 1 launches, 192 FLOPs
// CHECK-NEXT:   step None: 96 FLOPs
// CHECK-NEXT:   step 0: 96 FLOPs
