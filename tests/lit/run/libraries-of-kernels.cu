// cudaLibrary…: for an image loaded at run time the CPU device takes the kernels and variables
// compiled into the program, by their names; they are launched by their handles, and counted.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: grep -F 'cudaLibraryLoadData: what is loaded at run time has no version for the CPU device' %t.err
// RUN: %py %S/Inputs/kernel_has.py %t.json scale launches=1 flops.fp32.mul=64
// CHECK: all right
#include "image.h"
#include "run.h"

extern "C" __global__ void scale(float *p, float a) { p[threadIdx.x] *= a; }
extern "C" __device__ int answer = 42;

int main() {
  cudaLibrary_t library;
  cudaKernel_t kernel = nullptr, absent = nullptr, all[1] = {};
  unsigned count = 0;
  void *variable = nullptr;
  size_t bytes = 0;
  float ones[64], a = 3;
  for (float &one : ones)
    one = 1;
  float *p = to_device(ones, 64);
  EXPECT(cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0) ==
         cudaErrorFileNotFound);
  OK(cudaLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cudaLibraryGetKernel(&kernel, library, "scale"));
  EXPECT(cudaLibraryGetKernel(&absent, library, "absent") == cudaErrorSymbolNotFound);
  OK(cudaLibraryGetKernelCount(&count, library));
  OK(cudaLibraryEnumerateKernels(all, 1, library));
  EXPECT(count == 1 && all[0] == kernel);
  void *arguments[] = {&p, &a};
  OK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(64), arguments, 0, 0));
  to_host(ones, p, 64);
  EXPECT(ones[0] == 3 && ones[63] == 3);
  OK(cudaLibraryGetGlobal(&variable, &bytes, library, "answer"));
  int value = 0;
  OK(cudaMemcpy(&value, variable, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value == 42 && bytes == sizeof value);
  EXPECT(cudaLibraryGetManaged(&variable, &bytes, library, "answer") == cudaErrorSymbolNotFound);
  EXPECT(cudaLibraryGetKernel(&absent, nullptr, "scale") == cudaErrorInvalidResourceHandle);
  OK(cudaLibraryUnload(library));
  return finish();
}
