// libgpuprof is preloaded into a C program, which opens an instrumented library in a scope of its own
// and ends by _exit, as Python's workers do. The document is whole, and kernels have demangled names.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY -fPIC -shared %s -o %t.so %link
// RUN: %clangxx -x c -O1 %s -o %t -nodefaultlibs -lc
// RUN: env GPUPROF_OUTPUT=%t.json LD_PRELOAD=%libdir/libgpuprof.so %t %t.so
// RUN: %py %S/Inputs/kernel_has.py %t.json work launches=5 flops.fp32.add=160
// RUN: %FileCheck %s < %t.json
// CHECK: "how": "_exit"
#ifdef LIBRARY
__global__ void work(float *p) { p[threadIdx.x] += 1; }

extern "C" void run() {
  float *memory;
  cudaMalloc(&memory, 32 * sizeof(float));
  for (int i = 0; i < 5; i++)
    work<<<1, 32>>>(memory);
  cudaDeviceSynchronize();
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments) {
  void *library = dlopen(arguments[count - 1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    puts(dlerror());
    return 1;
  }
  void (*run)(void);
  *(void **)&run = dlsym(library, "run");
  run();
  _exit(0);
}
#endif
