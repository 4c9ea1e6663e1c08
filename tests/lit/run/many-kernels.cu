// In a file with many large kernels the last ones are compiled quickly: those with waits run on
// stacks, others as unoptimised loops. Their results are right, and -Rpass-missed=gpuprof names them.
// RUN: %clangxx -fplugin=%plugin %minicuda -Rpass-missed=gpuprof -O1 %s -o %t %link 2> %t.remarks
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck --match-full-lines %s
// RUN: %FileCheck --check-prefix=REMARKS --implicit-check-not="mix<0>" --implicit-check-not="mix<1>" --input-file=%t.remarks %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-budget=off %minicuda -Rpass-missed=gpuprof -O1 -c %s -o %t.o 2> %t.none
// RUN: ! grep remark %t.none
// CHECK: right: 14 of 14
// REMARKS-DAG: threads of kernel void mix<12>(unsigned int*) run on a stack each: the file's kernels are many or large; -fplugin-arg-gpuprof-budget=off
// REMARKS-DAG: kernel void mix<13>(unsigned int*) is compiled quickly{{.*}}-fplugin-arg-gpuprof-budget=off
#include <cstdio>

constexpr int Threads = 64, Kernels = 14, Steps = 600;

__host__ __device__ inline unsigned step(unsigned v, unsigned kernel, unsigned i) {
  return (v ^ (v >> 7)) * (2654435761u + 2 * (kernel * Steps + i));
}

template <int N> __global__ void mix(unsigned *data) {
  __shared__ unsigned part[Threads];
  unsigned v = data[threadIdx.x];
#pragma unroll
  for (int i = 0; i < Steps; ++i)
    v = step(v, N, i);
  if (N % 2 == 0) {
    part[threadIdx.x] = v;
    __syncthreads();
    v = part[Threads - 1 - threadIdx.x];
  }
  data[threadIdx.x] = v;
}

static bool isRight(int kernel, const unsigned *data) {
  for (int t = 0; t < Threads; ++t) {
    unsigned v = kernel % 2 ? t : Threads - 1 - t;
    for (int i = 0; i < Steps; ++i)
      v = step(v, kernel, i);
    if (data[t] != v)
      return false;
  }
  return true;
}

template <int N> static int rightFrom(unsigned *data) {
  if constexpr (N < Kernels) {
    for (int t = 0; t < Threads; ++t)
      data[t] = t;
    mix<N><<<1, Threads>>>(data);
    cudaDeviceSynchronize();
    const bool right = isRight(N, data);
    return right + rightFrom<N + 1>(data);
  }
  return 0;
}

int main() {
  unsigned *data = nullptr;
  cudaMallocManaged(&data, Threads * sizeof *data);
  printf("right: %d of %d\n", rightFrom<0>(data), Kernels);
  cudaFree(data);
}
