// A shared library with kernels is opened, used and closed repeatedly, while another thread launches the
// program's kernels without a pause: all results and counts are right, with those of the closed kernels.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -DLIBRARY -fPIC -shared %s -o %t.so %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 %t %t.so | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json from_library launches=40 flops.fp32.add=40960
// CHECK: all right
#include "lanes.h"
#include <atomic>
#include <dlfcn.h>
#include <thread>

#ifdef LIBRARY
static __device__ float offset = 2;
__global__ void from_library(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += offset; }
extern "C" void run(float *p) { from_library<<<16, 64>>>(p); }
#else
__global__ void from_program(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main(int, char **arguments) {
  static Values<float, 1024> mine, theirs;
  std::atomic<bool> stop{false};
  long launches = 0;
  std::thread other([&] {
    for (; !stop || launches < 10; launches++)
      from_program<<<16, 64>>>(mine.device);
  });
  for (int i = 0; i < 40; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    auto run = library ? (void (*)(float *))dlsym(library, "run") : nullptr;
    EXPECT(run);
    if (run)
      run(theirs.device);
    if (library)
      dlclose(library);
  }
  stop = true;
  other.join();
  mine.read(), theirs.read();
  for (int i = 0; i < 1024; i++)
    EXPECT(mine.host[i] == launches && theirs.host[i] == 80);
  return finish();
}
#endif
