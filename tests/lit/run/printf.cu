// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
#include "run.h"

__device__ const char text[] = "words";

__global__ void say(int i, float f, long long wide) {
  printf("%d %.3f %s %lld %c %u %%|\n", i, f, text, wide, 'z', 7u);
}

int main() {
  say<<<1, 1>>>(-3, 0.125f, 1ll << 40);
  OK(cudaDeviceSynchronize());
  std::printf("behind\n");
  // CHECK: -3 0.125 words 1099511627776 z 7 %|
  // CHECK-NEXT: behind
  return 0;
}
