// Several threads of the host launch at once, each under a region of its own: nothing is lost or mixed.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add_one counts launches=400 threads=409600 flops.fp32.add=409600 bytes.global.load=1638400 bytes.global.store=1638400 bytes.unique=1638400
// RUN: %py %S/Inputs/kernel_has.py %t.json region:even launches=200 threads=204800 flops.fp32.add=204800 executions=100
// RUN: %py %S/Inputs/kernel_has.py %t.json region:odd launches=200 threads=204800 flops.fp32.add=204800 executions=100
// CHECK: all right
#include "host_threads.h"
#include "run.h"

__global__ void add_one(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

static void work(int number) {
  static const float zero[1024] = {};
  float result[1024];
  float *a = to_device(zero, 1024);
  for (int i = 0; i < 50; i++) {
    if (number % 2) {
#pragma gpuprof region("odd")
      for (int j = 0; j < 2; j++)
        add_one<<<8, 128>>>(a);
    } else {
#pragma gpuprof region("even")
      for (int j = 0; j < 2; j++)
        add_one<<<8, 128>>>(a);
    }
  }
  OK(cudaDeviceSynchronize());
  to_host(result, a, 1024);
  for (float x : result)
    EXPECT(x == 100);
  OK(cudaFree(a));
}

int main() {
  in_host_threads(4, work);
  return finish();
}
