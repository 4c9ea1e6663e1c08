// Any number of steps, negative and huge ones, too, have rows of their own in a kernel: in one launch up to the
// room for steps, over several launches without a limit. Other steps are exact in the totals, and stand together.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t.out
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t.out one
// RUN: %py %S/Inputs/many_steps.py %t.json 1 0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.grown.json GPUPROF_STEPS=64 %t.out many
// RUN: %py %S/Inputs/many_steps.py %t.grown.json 0 0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.full.json GPUPROF_STEPS=64 %t.out one
// RUN: %py %S/Inputs/many_steps.py %t.full.json 1 1
// RUN: %document %t.full.json | %FileCheck %s
// CHECK: steps for whose numbers there was no room stand together in per_step, as that without a number: GPUPROF_STEPS=N makes room for more in one launch
#include <string.h>

__global__ void kernel(float *p, long long first, int count) {
  int n = threadIdx.x;
  float v = p[n];
#pragma gpuprof region("steps")
  for (int i = 0; i < count; ++i) {
#pragma gpuprof step(first + i)
    if ((first + i) % (n + 1) == 0) {
      v *= 0.5f;
#pragma gpuprof count("steps", 1)
    }
  }
  p[n] = v;
}

int main(int, char **arguments) {
  float *p;
  cudaMalloc((void **)&p, 3 * sizeof(float));
  cudaMemset(p, 0, 3 * sizeof(float));
#pragma gpuprof region("host")
  {
    if (!strcmp(arguments[1], "many")) {
      for (int first = 0; first < 9000; first += 25)
        kernel<<<1, 3>>>(p, first, 25);
    } else {
      kernel<<<1, 3>>>(p, 0, 9000);
      const long long far[] = {-5, 1ll << 34, -(1ll << 34), 1ll << 60};
      for (long long first : far)
        kernel<<<1, 3>>>(p, first, 1);
    }
  }
}
