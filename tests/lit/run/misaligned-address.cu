// An address too little aligned for a vector access: the error says so, and speaks of no null address.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=ERROR %s <%t.err
#include "run.h"

typedef int four __attribute__((ext_vector_type(4)));
__global__ void crooked(char *p) { *(four *)(p + 4) = four{1, 2, 3, 4}; }
// ERROR: gpuprof: error: {{.*}}crooked{{.*}}: block (0,0,0){{.*}}: illegal access: the address is not a multiple of the vector's size

int main() {
  char *p;
  OK(cudaMalloc((void **)&p, 64));
  crooked<<<1, 1>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // CHECK: cudaErrorIllegalAddress
  return 0;
}
