// Several host threads launch at once: their kernels do not disturb each other.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json add bytes.global.load=8192 bytes.global.store=8192
// CHECK: all right
#include "lanes.h"
#include <thread>
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

int main() {
  Values<int, 64> values[4];
  std::thread threads[4];
  for (int i = 0; i < 4; i++)
    threads[i] = std::thread([&, i] {
      for (int n = 0; n < 8; n++)
        add<<<1, 64>>>(values[i].device, i + n);
      OK(cudaStreamSynchronize(0));
    });
  for (std::thread &t : threads)
    t.join();
  for (int i = 0; i < 4; i++) {
    values[i].read();
    EXPECT(values[i].host[0] == 8 * i + 28 && values[i].host[63] == 8 * i + 28);
  }
  return finish();
}
