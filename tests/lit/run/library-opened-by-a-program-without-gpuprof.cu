// A program without libgpuprof opens a library linked with it, and closes it, 300 times. libgpuprof stays: all
// launches stand in one document, with those of the library's static destructor, and memory does not grow.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY -fPIC -shared %s -o %t.so %link
// RUN: %clangxx -x c++ -O1 %s -o %t
// RUN: env GPUPROF_OUTPUT=%t.json timeout 120 %t %t.so | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json work launches=1500 flops.fp32.add=48000
// RUN: %py %S/Inputs/kernel_has.py %t.json last launches=300 flops.fp32.mul=9600
// CHECK: all right
#ifdef LIBRARY
static float *memory;
__global__ void work(float *p) { p[threadIdx.x] += 1; }
__global__ void last(float *p) { p[threadIdx.x] *= 2; }

static struct AtTheEnd {
  ~AtTheEnd() {
    last<<<1, 32>>>(memory);
    cudaFree(memory);
  }
} atTheEnd;

extern "C" void run() {
  cudaMalloc(&memory, 32 * sizeof(float));
#pragma gpuprof region("library")
  for (int i = 0; i < 5; i++)
    work<<<1, 32>>>(memory);
}
#else
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void use(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    puts(dlerror());
    exit(1);
  }
  ((void (*)())dlsym(library, "run"))();
  dlclose(library);
}

int main(int, char **arguments) {
  for (int i = 0; i < 100; i++)
    use(arguments[1]);
  const long before = (long)mallinfo2().uordblks;
  for (int i = 0; i < 200; i++)
    use(arguments[1]);
  const long growth = ((long)mallinfo2().uordblks - before) / 200;
  if (growth > 1024)
    printf("memory grows by %ld bytes each time\n", growth);
  else
    puts("all right");
}
#endif
