// A barrier not reached by every thread: the launch fails with a sentence
// and the places of the waiting threads. The program goes on and ends.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 20 %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=ERROR %s <%t.err
#include "run.h"

__global__ void stuck(int *out) {
  if (threadIdx.x < 40)
    __syncthreads();
  else
    __shfl_sync(1u << threadIdx.x % 32 | 1u, 1, 0);
  out[threadIdx.x] = 1;
}
// ERROR: gpuprof: error: {{.*}}stuck{{.*}}: block (0,0,0): deadlock: no thread can run: 40 wait at a barrier, 24 at a warp operation
// ERROR-NEXT: {{^}}  {{.*}}deadlock.cu:[[#@LINE-6]]: barrier, 40 threads, (0,0,0) to (39,0,0){{$}}
// ERROR-NEXT: {{^}}  {{.*}}deadlock.cu:[[#@LINE-5]]: warp operation, 24 threads, (40,0,0) to (63,0,0); lanes 0x00000001 of its mask have not come{{$}}

int main() {
  int *out;
  OK(cudaMalloc(&out, 64 * sizeof(int)));
  stuck<<<1, 64>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaFree(out)));
  // CHECK: cudaErrorLaunchFailure
  // CHECK: cudaErrorLaunchFailure
  return 0;
}
