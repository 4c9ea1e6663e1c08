// Steps inside kernels, with and without optimization: far numbers, lambdas, regions inside one another, recursion.
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 -Werror %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0
// RUN: %py %S/Inputs/directives.py %t.0.json --kernels | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -O3 -Werror %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3
// RUN: %py %S/Inputs/directives.py %t.3.json --kernels | %FileCheck --match-full-lines %s

// Steps whose numbers are too far for rows of their own stand together, for each region with steps apart.
namespace far {
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
} // namespace far
// CHECK: far/outer: 1 launches, 288 FLOPs
// CHECK-NEXT:   step None: 192 FLOPs
// CHECK-NEXT:   step 0: 96 FLOPs
// CHECK-NEXT: far/outer/inner: 1 launches, 192 FLOPs
// CHECK-NEXT:   step None: 96 FLOPs
// CHECK-NEXT:   step 0: 96 FLOPs

// A step in a lambda without a region of its own belongs to the region
// of the lambda's call, inlined or not; it ends with this region.
namespace lambdas {
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
} // namespace lambdas
// 32 threads, two rounds: two products are before the first step. A step has one, then t, and then one of the next call.
// CHECK: lambdas/stepped: 1 launches, 640 FLOPs
// CHECK-NEXT:   step 0: 128 FLOPs
// CHECK-NEXT:   step 1: 192 FLOPs
// CHECK-NEXT:   step 2: 192 FLOPs

// Regions with steps may be inside one another in a kernel, also by calls: each is divided by its own steps, and the
// kernel as the outermost is.
namespace nested {
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
} // namespace nested
// 96 threads: in each of three steps two products and, in the inner region, 3, 2 and 1.
// CHECK: nested/kernel/outer: 1 launches, 1152 FLOPs, turns=576
// CHECK-NEXT:   step 10: 480 FLOPs, turns=288
// CHECK-NEXT:   step 11: 384 FLOPs, turns=192
// CHECK-NEXT:   step 12: 288 FLOPs, turns=96
// CHECK-NEXT: nested/kernel/outer/inner: 1 launches, 576 FLOPs, turns=576
// CHECK-NEXT:   step 0: 96 FLOPs, turns=96
// CHECK-NEXT:   step 1: 192 FLOPs, turns=192
// CHECK-NEXT:   step 2: 288 FLOPs, turns=288

// A region with steps, entered again by recursion in a kernel: a count belongs to the step of
// the innermost execution with one, and after the call the thread is again in its former step.
namespace recursive {
__device__ __noinline__ float deeper(float v, int depth) {
#pragma gpuprof region("level")
  {
    v *= 0.25f;
#pragma gpuprof step(depth)
    v *= 0.5f;
    if (depth < 2)
      v = deeper(v, depth + 1);
    v *= 1.5f;
    v *= 1.25f;
  }
  return v;
}

__global__ void kernel(float *p) { p[threadIdx.x] = deeper(p[threadIdx.x], 0); }
} // namespace recursive
// 32 threads: four products a level. In the innermost two levels the first
// product is before their step, in the step of the enclosing level.
// CHECK: recursive/level: 1 launches, 384 FLOPs
// CHECK-NEXT:   step 0: 128 FLOPs
// CHECK-NEXT:   step 1: 128 FLOPs
// CHECK-NEXT:   step 2: 96 FLOPs

int main() {
  float *p;
  cudaMalloc((void **)&p, 96 * sizeof(float));
  cudaMemset(p, 0, 96 * sizeof(float));
#pragma gpuprof region("far")
  far::kernel<<<1, 32>>>(p, 1ll << 40);
#pragma gpuprof region("lambdas")
  lambdas::kernel<<<1, 32>>>(p);
#pragma gpuprof region("nested")
  nested::kernel<<<2, 48>>>(p, 3);
#pragma gpuprof region("recursive")
  recursive::kernel<<<1, 32>>>(p);
}

// The kernel is divided as its outermost region with steps is.
// CHECK: nested::kernel(float*, int): 1 executions, 1 launches, 1152 FLOPs, turns=576
// CHECK-NEXT:   step 10: 480 FLOPs, turns=288
// CHECK-NEXT:   step 11: 384 FLOPs, turns=192
// CHECK-NEXT:   step 12: 288 FLOPs, turns=96
