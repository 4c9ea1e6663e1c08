// A program calling exit() from a stream's host function, or from another
// thread while kernels run, ends with its status and a report of its launches.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 sh -c '%t host; test $? -eq 7'
// RUN: %py %S/Inputs/kernel_has.py %t.json add launches=2 flops.fp32.add=64
// RUN: env GPUPROF_OUTPUT=%t.2.json timeout 60 sh -c '%t thread 2>%t.err; test $? -eq 8'
// RUN: test ! -s %t.err
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.2.json
#include "run.h"
#include <cstdlib>
#include <thread>

__global__ void add(float *p) { p[threadIdx.x] += 1; }
static void leave(void *) { std::exit(7); }

int main(int, char **arguments) {
  float zero[32] = {};
  float *p = to_device(zero, 32);
  add<<<1, 32>>>(p);
  add<<<1, 32>>>(p);
  if (!std::strcmp(arguments[1], "host")) {
    OK(cudaLaunchHostFunc(0, leave, nullptr));
    OK(cudaDeviceSynchronize());
    return 1;
  }
  std::thread([] { std::exit(8); }).detach();
  for (;;)
    add<<<1, 32>>>(p);
}
