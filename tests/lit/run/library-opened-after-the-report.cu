// A handler of atexit() running after libgpuprof's report opens an instrumented library and
// launches: the program ends well, and the document has the launches of before and after.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY=early -fPIC -shared %s -o %t.early.so %link
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY=late -fPIC -shared %s -o %t.late.so %link
// RUN: %clangxx -x c++ -O1 %s -o %t
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 %t %t.early.so %t.late.so | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json early launches=5 flops.fp32.add=160
// RUN: %py %S/Inputs/kernel_has.py %t.json late launches=5 flops.fp32.add=160
// CHECK: early
// CHECK-NEXT: late
#ifdef LIBRARY
__global__ void LIBRARY(float *p) { p[threadIdx.x] += 1; }

extern "C" int run() {
  float *memory;
  cudaMalloc(&memory, 32 * sizeof(float));
  for (int i = 0; i < 5; i++)
    LIBRARY<<<1, 32>>>(memory);
  return cudaDeviceSynchronize();
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char *latePath;

static void use(const char *path, const char *name) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    puts(dlerror());
  else if (((int (*)())dlsym(library, "run"))())
    puts("the launch failed");
  else
    puts(name);
}

static void atTheEnd() { use(latePath, "late"); }

int main(int, char **arguments) {
  latePath = arguments[2];
  atexit(atTheEnd); /* before libgpuprof's own: it runs behind it */
  use(arguments[1], "early");
}
#endif
