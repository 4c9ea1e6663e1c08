// -fsanitize=address: an access outside of an allocation of global memory stops the launch,
// with the source line, the thread and the distance to the allocation; the program goes on.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t behind 2>&1 | %FileCheck --check-prefix=BEHIND %s
// RUN: env GPUPROF_OUTPUT=%t.json %t before 2>&1 | %FileCheck --check-prefix=BEFORE %s
// RUN: env GPUPROF_OUTPUT=%t.json %t across 2>&1 | %FileCheck --check-prefix=ACROSS %s
// RUN: env GPUPROF_OUTPUT=%t.json %t freed 2>&1 | %FileCheck --check-prefix=FREED %s
// RUN: env GPUPROF_OUTPUT=%t.json %t atomic 2>&1 | %FileCheck --check-prefix=ATOMIC %s
// RUN: env GPUPROF_OUTPUT=%t.json %t within 2>&1 | %FileCheck --check-prefix=WITHIN %s
#include "run.h"

__global__ void add(const int *in, int *out, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += in[i + offset];
// BEHIND: gpuprof: error: add(int const*, int*, int): block (1,0,0): out of bounds: {{.*}}sanitized-global.cu:[[#@LINE-1]]: thread (31,0,0) reads 4 bytes at 0x{{[0-9a-f]+}}, 0 bytes behind the end of an allocation of 256 bytes
// BEFORE: error: {{.*}}sanitized-global.cu:[[#@LINE-2]]: thread (0,0,0) reads 4 bytes at 0x{{[0-9a-f]+}}, 8 bytes before the start of an allocation of 256 bytes
// FREED: error: {{.*}}sanitized-global.cu:[[#@LINE-3]]: thread (0,0,0) reads 4 bytes at 0x{{[0-9a-f]+}}, {{.*}} an allocation of
}

__global__ void pair(char *bytes) {
  *(long long *)(bytes + 96) = 1;
// ACROSS: error: {{.*}}sanitized-global.cu:[[#@LINE-1]]: thread (0,0,0) writes 8 bytes at 0x{{[0-9a-f]+}}, of which only 4 are in its allocation of 100 bytes
}

__global__ void count(int *sums, int i) {
  atomicAdd(&sums[i], 1);
// ATOMIC: error: {{.*}}sanitized-global.cu:[[#@LINE-1]]: thread (0,0,0) updates 4 bytes at 0x{{[0-9a-f]+}}, 0 bytes behind the end of an allocation of 256 bytes
}

int main(int, char **arguments) {
  const char *way = arguments[1];
  int *in, *out;
  char *small;
  OK(cudaMalloc(&in, 256));
  OK(cudaMalloc(&out, 256));
  OK(cudaMalloc(&small, 100));
  OK(cudaMemset(in, 0, 256));
  OK(cudaMemset(out, 0, 256));
  if (!std::strcmp(way, "behind"))
    add<<<2, 32>>>(in, out, 1);
  if (!std::strcmp(way, "before"))
    add<<<2, 32>>>(in, out, -2);
  if (!std::strcmp(way, "across"))
    pair<<<1, 1>>>(small);
  if (!std::strcmp(way, "freed")) {
    OK(cudaFree(in));
    add<<<2, 32>>>(in, out, 0);
  }
  if (!std::strcmp(way, "atomic"))
    count<<<1, 1>>>(out, 64);
  if (!std::strcmp(way, "within"))
    add<<<2, 32>>>(in, out, 0);
  // BEHIND: result: an illegal memory access was encountered
  // WITHIN-NOT: error
  // WITHIN: result: no error
  std::printf("result: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
