// The clause `synapse` derives operations from a region's executed work: sums and accumulates add, fused and unfused products with
// sums multiply and add; products without a sum, special functions and integers are none. An inner region without the clause follows
// it. A directive has precedence over an enclosing region's clause, and an inner clause over a directive. Steps have theirs.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 -ffp-contract=off %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/synapses.py %t.json | %FileCheck --match-full-lines %s
#include <math.h>

#pragma gpuprof region("add") synapse
__global__ void add(const float *w, float *v, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += w[i];
  v[threadIdx.x] = sum;
}

#pragma gpuprof region("atomics") synapse
__global__ void atomics(float *v, double *d, int *spikes, float w) {
  atomicAdd(&v[threadIdx.x], w);
  atomicAdd(&d[threadIdx.x], 2.0 * v[threadIdx.x + 32]);
  atomicAdd(spikes, 1);
}

#pragma gpuprof region("multiply") synapse
__global__ void multiply(float *v, const float *w, float s) {
  v[threadIdx.x] = v[threadIdx.x] + s * w[threadIdx.x];
  v[threadIdx.x + 32] = fmaf(s, w[threadIdx.x], v[threadIdx.x]);
}

#pragma gpuprof region("others") synapse
__global__ void others(float *v, int *n) {
  float scaled = v[threadIdx.x] * 3.0f / 7.0f;
  v[threadIdx.x] = sqrtf(scaled) * 0.5f;
  n[threadIdx.x] = n[threadIdx.x] * 3 + 1;
}

__global__ void layers(float *v, const float *w, int steps) {
#pragma gpuprof region("derived") synapse
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
    for (int i = 0; i <= t; ++i)
      v[threadIdx.x] += w[i];
#pragma gpuprof region("within")
    v[threadIdx.x] -= 1.0f;
#pragma gpuprof region("stated")
    {
      v[threadIdx.x + 32] += 1.0f;
#pragma gpuprof synapse(5, 1) multiply
#pragma gpuprof region("again") synapse
      v[threadIdx.x + 32] -= 3.0f;
    }
  }
#pragma gpuprof region("neither")
  v[threadIdx.x] += 2.0f;
}

__global__ void plain(float *v) { v[threadIdx.x] += 4.0f; }

int main() {
  float *v, *w;
  double *d;
  int *n;
  cudaMalloc((void **)&v, 64 * sizeof(float));
  cudaMalloc((void **)&w, 64 * sizeof(float));
  cudaMalloc((void **)&d, 64 * sizeof(double));
  cudaMalloc((void **)&n, 64 * sizeof(int));
#pragma gpuprof region("kernels")
  {
    add<<<1, 32>>>(w, v, 5);
    atomics<<<1, 32>>>(v, d, n, 0.5f);
    multiply<<<1, 32>>>(v, w, 2.0f);
    others<<<1, 32>>>(v, n);
    layers<<<1, 32>>>(v, w, 2);
  }
#pragma gpuprof region("host") synapse
  plain<<<1, 32>>>(v);
  plain<<<1, 32>>>(v);
  cudaDeviceSynchronize();
}
// CHECK: kernels: accumulates 416, multiply-accumulates 416
// CHECK-NEXT: kernels/add: accumulates 160, multiply-accumulates 0
// CHECK-NEXT: kernels/atomics: accumulates 32, multiply-accumulates 32
// CHECK-NEXT: kernels/multiply: accumulates 0, multiply-accumulates 64
// CHECK-NEXT: kernels/others: accumulates 0, multiply-accumulates 0
// CHECK-NEXT: kernels/derived: accumulates 224, multiply-accumulates 320
// CHECK-NEXT: kernels/derived step 0: accumulates 96, multiply-accumulates 160
// CHECK-NEXT: kernels/derived step 1: accumulates 128, multiply-accumulates 160
// CHECK-NEXT: kernels/derived/within: accumulates 64, multiply-accumulates 0
// CHECK-NEXT: kernels/derived/stated: accumulates 64, multiply-accumulates 320
// CHECK-NEXT: kernels/derived/stated/again: accumulates 64, multiply-accumulates 0
// CHECK-NEXT: host: accumulates 32, multiply-accumulates 0
// CHECK-NEXT: plain(): accumulates 32, multiply-accumulates 0
// CHECK-NEXT: add(): accumulates 160, multiply-accumulates 0
// CHECK-NEXT: atomics(): accumulates 32, multiply-accumulates 32
// CHECK-NEXT: multiply(): accumulates 0, multiply-accumulates 64
// CHECK-NEXT: others(): accumulates 0, multiply-accumulates 0
// CHECK-NEXT: layers(): accumulates 224, multiply-accumulates 320
// CHECK-NEXT: layers() step 0: accumulates 96, multiply-accumulates 160
// CHECK-NEXT: layers() step 1: accumulates 128, multiply-accumulates 160
// CHECK-NOT: {{.}}
