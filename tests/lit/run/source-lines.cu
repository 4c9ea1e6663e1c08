// The work of each source line, in the report beside the source; and without the source.
// RUN: rm -rf %t && mkdir %t && cp %s %t/app.cu && cd %t
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 app.cu -o app %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=app.json ./app
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json app.json
// RUN: %gpuprof report --lines app.json > lines && %FileCheck --strict-whitespace --match-full-lines %s < lines
// RUN: mv app.cu gone.cu && %gpuprof report --lines app.json > lines && %FileCheck --check-prefix=GONE %s < lines
#include <stdio.h>

__device__ float square(float x) {
  return x * x; // line 11
}

__global__ void rows(const float *a, float *b, int n) {
  __shared__ float row[32];
  row[threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < n; ++i)
    sum = __fadd_rn(sum, __fmul_rn(row[i], 3));
	b[blockIdx.x * 32 + threadIdx.x] = square(sum);
}

__global__ void again(float *b) {
  b[threadIdx.x] = square(b[threadIdx.x]);
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4 * 64 * sizeof *a);
  cudaMalloc(&b, 4 * 64 * sizeof *b);
  cudaMemset(a, 0, 4 * 64 * sizeof *a);
  rows<<<2, 32>>>(a, b, 10);
  again<<<1, 32>>>(b);
  return cudaDeviceSynchronize();
}
// CHECK:{{.*}}/app.cu
// CHECK-NEXT:  line    FLOPs   share    bytes   share  shared bytes  executions  source
// CHECK-NEXT:     9{{ *}}
// CHECK-NEXT:    10{{ *}}  __device__ float square(float x) {
// CHECK-NEXT:    11       96   7.0 %        –       –             –          96    return x * x; // line 11
// CHECK-NEXT:    12{{ *}}  }
// CHECK-NEXT:    13
// CHECK-NEXT:    14{{ *}}  __global__ void rows(const float *a, float *b, int n) {
// CHECK-NEXT:    15{{ *}}    __shared__ float row[32];
// CHECK-NEXT:    16        –       –      256    33 %           256          64    row[threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
// CHECK-NEXT:    17{{ *}}    __syncthreads();
// CHECK-NEXT:    18{{ *}}    float sum = 0;
// CHECK-NEXT:    19{{ *}}  #pragma clang loop unroll(disable) vectorize(disable)
// CHECK-NEXT:    20        –       –        –       –             –         640    for (int i = 0; i < n; ++i)
// CHECK-NEXT:    21     1280    93 %        –       –          2560         640      sum = __fadd_rn(sum, __fmul_rn(row[i], 3));
// CHECK-NEXT:    22        –       –      256    33 %             –          64          b[blockIdx.x * 32 + threadIdx.x] = square(sum);
// CHECK-NEXT:    23{{ *}}  }
// CHECK-NEXT:    24
// CHECK-NEXT:    25{{ *}}  __global__ void again(float *b) {
// CHECK-NEXT:    26        –       –      256    33 %             –          32    b[threadIdx.x] = square(b[threadIdx.x]);
// CHECK-NEXT:    27{{ *}}  }
// CHECK-NEXT:    28
// CHECK-EMPTY:
// CHECK-NEXT:not attributed to a line (moved or merged by the compiler, or compiled without -gline-tables-only)
// CHECK-NEXT:              –       –        –       –             –           –
// GONE: {{/app.cu \(the source is not here: lines without text\)$}}
// GONE-NEXT: line
// GONE-NEXT: {{^ +11 +96 +7.0 % +– +– +– +96$}}
