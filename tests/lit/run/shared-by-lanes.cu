// Instrumented kernels count the bytes requested by the lanes of each warp together, each byte once: whole and
// partial warps, common addresses by pattern and by data, in loops left by lanes at different times, in
// functions, and elements loaded one by one by the code generator. Counts and results equal the kernels' own.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-check=on -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_HARDWARE=check GPUPROF_OUTPUT=%t.json %t > %t.checked
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json own hardware.distinct.global_load=400 hardware.distinct.global_store=400
// RUN: %py %S/Inputs/kernel_has.py %t.json uniform bytes.global.load=400 hardware.distinct.global_load=16
// RUN: %py %S/Inputs/kernel_has.py %t.json pairs hardware.distinct.global_load=200
// RUN: %py %S/Inputs/kernel_has.py %t.json five_lanes bytes.global.load=80 hardware.distinct.global_load=16
// RUN: %py %S/Inputs/kernel_has.py %t.json gathered hardware.distinct.global_load=336
// RUN: %py %S/Inputs/kernel_has.py %t.json broadcast bytes.shared.load=512 hardware.distinct.shared_load=16 hardware.distinct.shared_store=512
// RUN: %py %S/Inputs/kernel_has.py %t.json counter hardware.distinct.global_atomic=16 hardware.distinct.shared_atomic=128
// RUN: %py %S/Inputs/kernel_has.py %t.json lengths bytes.global.load=1984 hardware.distinct.global_load=124
// RUN: %py %S/Inputs/kernel_has.py %t.json called hardware.distinct.global_load=32
// RUN: %py %S/Inputs/kernel_has.py %t.json unaligned hardware.distinct.global_load=136
// RUN: env GPUPROF_OUTPUT=%t.plain.json %t > %t.plain
// RUN: cmp %t.checked %t.plain
// RUN: %py %source/tests/gpu/compare_counts.py %t.json %t.plain.json
// RUN: %document %t.plain.json | %FileCheck %s
// CHECK: "distinct": {}
#include "run.h"

__global__ void own(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }

__global__ void uniform(const float *a, float *b) { b[threadIdx.x] = a[blockIdx.x]; }

__global__ void pairs(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x / 2]; }

__global__ void five_lanes(const float *a, float *b) {
  if (threadIdx.x % 32 < 5)
    b[threadIdx.x] = a[blockIdx.x];
}

// The indices: 32 different ones in each warp. Their values: 0 to 9.
__global__ void gathered(const float *a, float *b) {
  b[threadIdx.x] = a[static_cast<int>(a[threadIdx.x % 32]) % 10];
}

__global__ void broadcast(const float *a, float *b) {
  __shared__ float s[128];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[7];
}

__global__ void counter(const float *a, float *b) {
  __shared__ int s[8];
  if (threadIdx.x < 8)
    s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 8], 1);
  atomicAdd(reinterpret_cast<int *>(b), 1);
}

// Lane i runs i iterations; all remaining lanes read one address: 31 times in each warp of one.
__global__ void lengths(const float *a, float *b) {
  float sum = 0;
  for (unsigned k = 0; k < threadIdx.x % 32; ++k)
    sum += a[k];
  b[threadIdx.x] = sum;
}

__device__ __attribute__((noinline)) float load(const float *a) { return *a; }
__global__ void called(const float *a, float *b) {
  if (threadIdx.x % 2)
    b[threadIdx.x] = load(a + threadIdx.x / 16 % 2);
}

struct __attribute__((packed)) Packed {
  char head;
  int tail;
};
__global__ void unaligned(const Packed *a, float *b) { b[threadIdx.x] = a[threadIdx.x % 34].tail; }

int main() {
  float numbers[512];
  for (int i = 0; i < 512; ++i)
    numbers[i] = static_cast<float>(i);
  float *a = to_device(numbers, 512), *b = to_device(numbers, 512);
  own<<<1, 100>>>(a, b);
  uniform<<<1, 100>>>(a, b);
  pairs<<<1, 100>>>(a, b);
  five_lanes<<<1, 128>>>(a, b);
  gathered<<<1, 64>>>(a, b);
  broadcast<<<1, 128>>>(a, b);
  counter<<<1, 128>>>(a, b);
  lengths<<<1, 32>>>(a, b);
  called<<<1, 128>>>(a, b);
  unaligned<<<1, 34>>>(reinterpret_cast<const Packed *>(a), b);
  OK(cudaDeviceSynchronize());
  to_host(numbers, b, 512);
  for (int i = 0; i < 512; ++i)
    printf("%g\n", numbers[i]);
  return failures != 0;
}
