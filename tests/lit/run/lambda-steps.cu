// A step in a lambda that has no region of its own belongs to the region that the lambda is called in, whether the lambda
// is inlined or not; when that region ends, so does its step.
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0
// RUN: %py %S/Inputs/directives.py %t.0.json | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -O3 %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3
// RUN: %py %S/Inputs/directives.py %t.3.json | %FileCheck --match-full-lines %s

template <class Enter> __device__ __noinline__ void begin(Enter enter, int t) { enter(t); }

__global__ void kernel(float *p) {
  float v = p[threadIdx.x];
  for (int round = 0; round < 2; ++round) {
#pragma gpuprof region("stepped")
    {
      v *= 0.25f;
      auto enter = [&](int t) {
        v *= 1.5f;
#pragma gpuprof step(t)
        v *= 2.0f;
      };
      for (int t = 0; t < 3; ++t) {
        begin(enter, t);
        for (int i = 0; i < t; ++i)
          v *= 0.5f;
      }
    }
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

// 32 threads, two rounds: two products are before the first step. A step has one, then t, and then one of the next call.
// CHECK: host/stepped: 1 launches, 640 FLOPs
// CHECK-NEXT:   step 0: 128 FLOPs
// CHECK-NEXT:   step 1: 192 FLOPs
// CHECK-NEXT:   step 2: 192 FLOPs
