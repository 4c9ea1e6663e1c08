// A region with steps that is entered again by recursion, in a kernel: a count belongs to the step of the innermost
// execution that is in one, and after the call the thread is again in the step that it was in.
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0
// RUN: %py %S/Inputs/directives.py %t.0.json | %FileCheck --match-full-lines %s
// RUN: %clangxx -fplugin=%plugin %minicuda -O3 %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3
// RUN: %py %S/Inputs/directives.py %t.3.json | %FileCheck --match-full-lines %s

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

int main() {
  float *p;
  cudaMalloc((void **)&p, 32 * sizeof(float));
  cudaMemset(p, 0, 32 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<1, 32>>>(p);
}

// 32 threads: four products a level. Of the innermost two levels the first is before their step, in that of the level
// around.
// CHECK: host/level: 1 launches, 384 FLOPs
// CHECK-NEXT:   step 0: 128 FLOPs
// CHECK-NEXT:   step 1: 128 FLOPs
// CHECK-NEXT:   step 2: 96 FLOPs
