// A warp operation naming all lanes, not reached by some of them, stops the launch with a sentence naming the
// missing lanes and their places, in a kernel run as loops over its threads. Whole warps may go another way.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=ERROR %s <%t.err
#include "run.h"

__global__ void some(int *out, int count) {
  int t = threadIdx.x, v = t;
  if (t < count)
    v = __shfl_down_sync(~0u, v, 1);
  __syncthreads();
  out[t] = v;
}

__global__ void odd(int *out, int count) {
  int t = threadIdx.x, v = t;
  if (t % 2 < count)
    v = __shfl_xor_sync(~0u, v, 2);
  __syncthreads();
  out[t] = v;
}

// ERROR: gpuprof: error: {{.*}}some{{.*}}: block (0,0,0): {{.*}}warp-operation-of-part.cu:[[#@LINE-13]]: a warp operation names all lanes of warp 1, but only lanes 0x000000ff come to it, and 0xffffff00 take another way
// ERROR: gpuprof: error: {{.*}}odd{{.*}}: block (0,0,0): {{.*}}warp-operation-of-part.cu:[[#@LINE-6]]: a warp operation names all lanes of warp 0, but only lanes 0x55555555 come to it, and 0xaaaaaaaa take another way

int main() {
  void (*kernels[])(int *, int) = {some, odd};
  for (auto *kernel : kernels) {
    int *out, sum = 0;
    OK(cudaMalloc(&out, 64 * sizeof(int)));
    kernel<<<1, 64>>>(out, 32);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
      int v;
      OK(cudaMemcpy(&v, out + i, sizeof v, cudaMemcpyDeviceToHost));
      sum += v;
    }
    std::printf("%d\n", sum);
    kernel<<<1, 64>>>(out, kernel == some ? 40 : 1);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    OK(cudaDeviceReset());
  }
  // CHECK: 2047
  // CHECK: cudaErrorLaunchFailure
  // CHECK: 2016
  // CHECK: cudaErrorLaunchFailure
  return 0;
}
