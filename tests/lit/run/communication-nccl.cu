// Calls of NCCL count as communication, also where the program opens the library for itself alone and asks for names there
// after libgpuprof-communication was preloaded. Kernels that a call launches belong to its region.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -fplugin=%plugin %minicuda -DLIBRARY -O1 -fPIC -shared %s -o %t.d/libnccl.so.2 %link
// RUN: %clangxx -x c++ -O1 %s -o %t -Wl,-rpath,%t.d
// RUN: env GPUPROF_OUTPUT=%t.json LD_PRELOAD=%libdir/libgpuprof-communication.so %t | %FileCheck %s
// RUN: %py %S/Inputs/communication_has.py %t.json ncclAllReduce=2,112 ncclSend=1,5 ncclGroupEnd=1
// RUN: %py %S/Inputs/kernel_has.py %t.json region:communication executions=4 launches=2 flops.fp32.add=64
// CHECK: all right
#ifdef LIBRARY
#include <cstddef>

__global__ void reduce(float *p) { p[threadIdx.x] += 1; }

extern "C" {
int ncclAllReduce(const void *, void *, size_t, int, int, void *, void *) {
  static float *memory;
  if (!memory)
    cudaMalloc(&memory, 32 * sizeof(float));
  reduce<<<1, 32>>>(memory);
  return cudaDeviceSynchronize();
}
int ncclSend(const void *, size_t, int, int, void *, void *) { return 0; }
int ncclGroupEnd() { return 0; }
}
#else
#include <cstdio>
#include <dlfcn.h>

int main() {
  if (!dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL))
    return puts(dlerror());
  auto all_reduce = (int (*)(const void *, void *, size_t, int, int, void *, void *))dlsym(RTLD_DEFAULT, "ncclAllReduce");
  auto send = (int (*)(const void *, size_t, int, int, void *, void *))dlsym(RTLD_DEFAULT, "ncclSend");
  auto end = (int (*)())dlsym(RTLD_DEFAULT, "ncclGroupEnd");
  const int float16 = 6, float64 = 8, int8 = 0;
  int failures = all_reduce(nullptr, nullptr, 12, float64, 0, nullptr, nullptr);
  failures += all_reduce(nullptr, nullptr, 8, float16, 0, nullptr, nullptr);
  failures += send(nullptr, 5, int8, 0, nullptr, nullptr) + end();
  puts(failures ? "wrong" : "all right");
}
#endif
