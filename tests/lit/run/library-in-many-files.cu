// One library in twenty files, and two others with a different kernel of the same name, are
// open at once, then closed and opened again: every launch is counted by the executed code.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY=0 -fPIC -shared %s -o %t.0.so %link
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY=1 -fPIC -shared %s -o %t.1.so %link
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -DLIBRARY=2 -fPIC -shared %s -o %t.2.so %link
// RUN: %clangxx -x c++ -O1 %s -o %t
// RUN: env GPUPROF_OUTPUT=%t.json timeout 120 %t %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json work launches=66 flops.fp32.add=1920 flops.fp32.mul=96 flops.fp32.div=96
// CHECK: all right
#ifdef LIBRARY
__global__ void work(float *p) {
  float &value = p[threadIdx.x];
  LIBRARY == 0 ? value += 3 : LIBRARY == 1 ? value *= 3 : value /= 3;
}
extern "C" void run() {
  float *memory;
  cudaMalloc(&memory, 32 * sizeof(float));
  work<<<1, 32>>>(memory);
  cudaFree(memory);
}
#else
#include <dlfcn.h>
#include <fstream>
#include <stdio.h>
#include <string>

int main(int, char **arguments) {
  enum { FILES = 22 };
  const std::string base = arguments[1];
  std::string files[FILES];
  for (int i = 0; i < FILES; i++) {
    files[i] = base + "." + std::to_string(i) + ".so";
    if (i >= 3)
      std::ofstream(files[i], std::ios::binary) << std::ifstream(base + ".0.so", std::ios::binary).rdbuf();
  }
  bool good = true;
  for (int round = 0; round < 3; round++) {
    void *libraries[FILES];
    for (int i = 0; i < FILES; i++) {
      libraries[i] = dlopen(files[i].c_str(), RTLD_NOW | RTLD_LOCAL);
      good &= libraries[i] != nullptr;
      if (libraries[i])
        ((void (*)())dlsym(libraries[i], "run"))();
    }
    for (void *library : libraries)
      if (library)
        dlclose(library);
  }
  puts(good ? "all right" : dlerror());
}
#endif
