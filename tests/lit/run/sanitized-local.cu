// -fsanitize=address: AddressSanitizer finds an index beyond a thread's own array, names the kernel
// and its line and ends the program. Threads waiting at barriers in between do not disturb it.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 8 2>&1 | %FileCheck --check-prefix=WITHIN %s
// RUN: env GPUPROF_OUTPUT=%t.json ASAN_OPTIONS=symbolize=0 not_zero=1 sh -c '%t 9 2>%t.err; test $? -ne 0'
// RUN: %FileCheck --check-prefix=OVER %s <%t.err
// OVER: AddressSanitizer: stack-buffer-overflow
// OVER-NEXT: READ of size 4
// WITHIN-NOT: AddressSanitizer
// WITHIN: result: no error
#include "run.h"

__global__ void pick(int *out, int n) {
  int own[8];
  for (int i = 0; i < 8; i++)
    own[i] = i * (int)threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += own[i * 7 % n];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main(int, char **arguments) {
  int *out;
  OK(cudaMalloc(&out, 64 * sizeof(int)));
  for (int i = 0; i < 20; i++)
    pick<<<1, 64>>>(out, std::atoi(arguments[1]));
  std::printf("result: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
