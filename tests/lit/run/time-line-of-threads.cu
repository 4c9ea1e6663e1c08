// The time line has each kernel of each thread: more than wait for it at once.
// RUN: %clangxx -fplugin=%plugin %minicuda -pthread -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/time_line_is.py %t.json kernels=12000 copies=0 streams=1
// CHECK: all right
#include "run.h"
#include <thread>

__global__ void nothing() {}

static void work() {
  for (int i = 0; i < 3000; i++)
    nothing<<<1, 1>>>();
}

int main() {
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread(work);
  for (std::thread &thread : threads)
    thread.join();
  return finish();
}
