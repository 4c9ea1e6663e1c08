// GPUPROF_CPU_FILL=zero: fresh memory of each kind holds zeroes, reused
// and shared memory, too. By default, or with pattern, it holds none.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_CPU_FILL=zero %t | %FileCheck --check-prefix=ZERO %s
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_CPU_FILL=pattern %t | %FileCheck --check-prefix=PATTERN %s
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck --check-prefix=PATTERN %s
// ZERO: zeroes: 256 allocated, 256 allocated again, 256 of a stream, 256 pinned, 64 shared, 256 of malloc in a kernel
// PATTERN: zeroes: 0 allocated, 0 allocated again, 0 of a stream, 0 pinned, 0 shared, 0 of malloc in a kernel
#include "run.h"

enum { N = 256, SHARED = 64 };

static __device__ int zeroes;

__global__ void look(const int *in) {
  if (in[threadIdx.x] == 0)
    atomicAdd(&zeroes, 1);
}

__global__ void look_shared() {
  __shared__ int words[SHARED];
  volatile int *word = &words[threadIdx.x];
  if (*word == 0)
    atomicAdd(&zeroes, 1);
  *word = 1;
}

// Memory of an earlier malloc() is given out again.
__global__ void look_in_heap() {
  volatile int *memory = static_cast<int *>(malloc(N * sizeof(int)));
  for (int i = 0; i < N; i++) {
    zeroes += memory[i] == 0;
    memory[i] = zeroes == 0;
  }
  free(const_cast<int *>(memory));
}

static int found() {
  int n, none = 0;
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpyFromSymbol(&n, zeroes, sizeof n));
  OK(cudaMemcpyToSymbol(zeroes, &none, sizeof none));
  return n;
}

static int zeroes_in(const int *memory) {
  look<<<1, N>>>(memory);
  return found();
}

int main() {
  int *memory, *pinned;
  OK(cudaMalloc(&memory, N * sizeof(int)));
  std::printf("zeroes: %d allocated, ", zeroes_in(memory));
  OK(cudaMemset(memory, 1, N * sizeof(int)));
  OK(cudaFree(memory));
  OK(cudaMalloc(&memory, N * sizeof(int)));
  std::printf("%d allocated again, ", zeroes_in(memory));
  OK(cudaMemset(memory, 1, N * sizeof(int)));
  OK(cudaFree(memory));
  OK(cudaMallocAsync(&memory, N * sizeof(int), 0));
  std::printf("%d of a stream, ", zeroes_in(memory));
  OK(cudaMallocHost(&pinned, N * sizeof(int)));
  std::printf("%d pinned, ", zeroes_in(pinned));
  look_shared<<<1, SHARED>>>();
  std::printf("%d shared, ", found());
  look_in_heap<<<1, 1>>>();
  found();
  look_in_heap<<<1, 1>>>();
  std::printf("%d of malloc in a kernel\n", found());
}
