// A shared library with kernels, opened, used, closed and opened again by the program.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -DLIBRARY -fPIC -shared %s -o %t.so %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t %t.so | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <dlfcn.h>

static __global__ void add(int *p) {
#ifdef LIBRARY
  p[threadIdx.x] += 100;
#else
  p[threadIdx.x] += 1;
#endif
}

#ifdef LIBRARY
extern "C" void run(int *p) { add<<<1, 4>>>(p); }
#else
int main(int, char **arguments) {
  Values<int, 4> p;
  for (int i = 0; i < 2; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    auto run = library ? (void (*)(int *))dlsym(library, "run") : nullptr;
    EXPECT(run);
    if (run)
      run(p.device);
    add<<<1, 4>>>(p.device);
    OK(cudaDeviceSynchronize());
    if (library)
      dlclose(library);
  }
  p.read();
  for (int i = 0; i < 4; i++)
    EXPECT(p.host[i] == 202);
  return finish();
}
#endif
