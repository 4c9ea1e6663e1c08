// -fsanitize=address: a warning names the line of a kernel's read of unwritten global or shared memory,
// once a line. Memory written by the host or a kernel, managed memory and single bytes give none.
// REQUIRES: asan
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -g -fsanitize=address %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=WARNING --implicit-check-not=uninitialised %s <%t.err
// With fresh memory of zeroes there is no pattern to be found, and no negative number for the program.
// RUN: env GPUPROF_CPU_FILL=zero GPUPROF_OUTPUT=%t.json %t >%t.zero.out 2>%t.zero.err; test $? = 1
// RUN: ! grep uninitialised %t.zero.err
// CHECK: all right
#include "run.h"

__global__ void first(const int *in, int *out) {
  int i = threadIdx.x, x = in[i];
// WARNING: gpuprof: warning: first(int const*, int*): uninitialised: {{.*}}sanitized-uninitialised.cu:[[#@LINE-1]]: thread (40,0,0) reads 4 bytes at 0x{{[0-9a-f]+}} of global memory that nobody has written
  out[i] = x < 0;
}

__global__ void second(int *out) {
  __shared__ int s[65];
  s[threadIdx.x] = 0;
  __syncthreads();
  int x = s[threadIdx.x + 1];
// WARNING: gpuprof: warning: second(int*): uninitialised: {{.*}}sanitized-uninitialised.cu:[[#@LINE-1]]: thread (63,0,0) reads 4 bytes at 0x{{[0-9a-f]+}} of shared memory that nobody has written
  out[threadIdx.x] += x < 0;
}

__global__ void bytes(const unsigned char *in, int *out) { out[threadIdx.x] += in[threadIdx.x] == 3; }

int main() {
  int *in, *out, *managed, host[64];
  unsigned char *small;
  OK(cudaMalloc(&in, 256));
  OK(cudaMalloc(&out, 256));
  OK(cudaMallocManaged(&managed, 256));
  OK(cudaMalloc(&small, 64));
  OK(cudaMemset(in, 0, 160)); // the first 40
  for (int i = 0; i < 3; i++)
    first<<<1, 64>>>(in, out);
  first<<<1, 64>>>(managed, out);
  second<<<1, 64>>>(out);
  bytes<<<1, 64>>>(small, out);
  OK(cudaDeviceSynchronize());
  to_host(host, out, 64);
  EXPECT(host[0] == 0 && host[63] == 1);
  return finish();
}
