// Sectors touched by each request of a warp, exactly: coalesced, strided, uniform, vectors, in loops
// left by lanes at different times, in functions, beside accesses of shared memory, and on fibers.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-requests=on -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json coalesced coalescing.requests=8 coalescing.sectors=32 coalescing.sectors_per_request=4
// RUN: %py %S/Inputs/kernel_has.py %t.json strided coalescing.requests=2 coalescing.sectors=36
// RUN: %py %S/Inputs/kernel_has.py %t.json uniform coalescing.requests=2 coalescing.sectors=5
// RUN: %py %S/Inputs/kernel_has.py %t.json vectors coalescing.requests=2 coalescing.sectors=32
// RUN: %py %S/Inputs/kernel_has.py %t.json copied coalescing.requests=4 coalescing.sectors=64
// RUN: %py %S/Inputs/kernel_has.py %t.json joined coalescing.requests=2 coalescing.sectors=20
// RUN: %py %S/Inputs/kernel_has.py %t.json unaligned coalescing.requests=5 coalescing.sectors=68
// RUN: %py %S/Inputs/kernel_has.py %t.json shifted coalescing.requests=2 coalescing.sectors=9
// RUN: %py %S/Inputs/kernel_has.py %t.json triangle coalescing.requests=33 coalescing.sectors=84
// RUN: %py %S/Inputs/kernel_has.py %t.json odd coalescing.requests=6 coalescing.sectors=16
// RUN: %py %S/Inputs/kernel_has.py %t.json twice coalescing.requests=4 coalescing.sectors=16
// RUN: %py %S/Inputs/kernel_has.py %t.json fibers coalescing.requests=4 coalescing.sectors=16
// RUN: %gpuprof report --kernels %t.json | %FileCheck --check-prefix=TABLE %s
// TABLE: sectors
// TABLE: /request
// TABLE: {{^ strided .* 18\.0 }}
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t.plain %link
// RUN: env GPUPROF_OUTPUT=%t.plain.json %t.plain
// RUN: %document %t.plain.json | %FileCheck %s
// CHECK: "coalescing": {
// CHECK-SAME: "requests": null,
// CHECK-SAME: "sectors": null,
// CHECK-SAME: "sectors_per_request": null
#include "run.h"

__global__ void coalesced(const float *a, float *b) { // 128 threads: 4 warps, a load and a store of 4 sectors each
  b[threadIdx.x] = a[threadIdx.x];
}

__global__ void strided(const float *a, float *b) { // the load: a sector a lane; the store: 4
  b[threadIdx.x] = a[8 * threadIdx.x];
}

__global__ void uniform(const float *a, float *b) { // the load: one sector for all lanes
  b[threadIdx.x] = a[blockIdx.x];
}

typedef float four __attribute__((ext_vector_type(4)));

__global__ void vectors(const four *a, four *b) { // 16 sectors each
  b[threadIdx.x] = a[threadIdx.x];
}

__global__ void copied(const float4 *a, float4 *b) { // a copy of a structure: two halves, each touches 16 sectors
  b[threadIdx.x] = a[threadIdx.x];
}

__global__ void joined(const float4 *a, float *b) { // code generation makes one load of the four: 16 sectors
  const float4 v = a[threadIdx.x];
  b[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void unaligned(const float *a, float *b) { // alignment is not known: four loads of 16 sectors
  b[threadIdx.x] = a[4 * threadIdx.x] + a[4 * threadIdx.x + 1] + a[4 * threadIdx.x + 2] + a[4 * threadIdx.x + 3];
}

__global__ void shifted(const float *a, float *b) { // the load begins within a sector: 5
  b[threadIdx.x] = a[threadIdx.x + 1];
}

// Lane i runs the loop i + 1 times: in iteration j lanes j to 31 load words 9·j to 8·j + 31, 4 - j/8 sectors.
// The sum over j is 80; the store touches 4 more.
__global__ void triangle(const float *a, float *b) {
  float sum = 0;
  const int last = threadIdx.x;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int j = 0; j <= last; ++j)
    sum += a[8 * j + threadIdx.x];
  b[threadIdx.x] = sum;
}

// Odd lanes load in odd iterations, even lanes in even ones: four requests of 16 words, 2 sectors each.
__global__ void odd(const float *a, float *b) {
  float sum = 0;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int j = 0; j < 4; ++j)
    if (j % 2 == threadIdx.x % 2)
      sum += *(volatile const float *)&a[threadIdx.x / 2];
  b[threadIdx.x] = sum;
  b[threadIdx.x + 32] = sum;
}

__device__ __attribute__((noinline)) float get(const float *a) { return a[threadIdx.x]; }

__global__ void twice(const float *a, float *b) { // one load, executed for two calls
  b[threadIdx.x] = get(a) + 1;
  b[threadIdx.x + 32] = get(a + 32);
}

__global__ void fibers(const float *a, float *b) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  coalesced<<<1, 128>>>(a, b);
  strided<<<1, 32>>>(a, b);
  uniform<<<1, 32>>>(a, b);
  vectors<<<1, 32>>>((four *)a, (four *)b);
  copied<<<1, 32>>>((float4 *)a, (float4 *)b);
  joined<<<1, 32>>>((float4 *)a, b);
  unaligned<<<1, 32>>>(a, b);
  shifted<<<1, 32>>>(a, b);
  triangle<<<1, 32>>>(a, b);
  odd<<<1, 32>>>(a, b);
  twice<<<1, 32>>>(a, b);
  fibers<<<1, 64>>>(a, b);
  return cudaDeviceSynchronize();
}
