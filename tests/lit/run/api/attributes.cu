// Attributes of the device that programs go by: limits of launches, memory, textures and surfaces, and what the API offers. Left
// out is what the CPU device has of its own (clock, cores, caches, buses, host memory) and what it lacks (docs/user/cpu-device.md).
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/attributes.txt %t.out
#include "table.h"

static bool is_own(int attribute) {
  static const int own[] = {13, 16, 32, 33, 34, 36, 37, 38, 40, 44, 50, 86, 88, 130, 134, 139, 140};
  static const int lacks[] = {96, 107, 110, 112, 114, 116, 117, 118, 119, 121, 127, 128, 129, 141, 142, 144, 145};
  for (int n : own)
    if (n == attribute)
      return true;
  for (int n : lacks)
    if (n == attribute)
      return true;
  return false;
}

int main() {
  for (int attribute = 0; attribute <= 150; attribute++) {
    int value = 0;
    if (is_own(attribute))
      continue;
    cudaError_t error = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)attribute, 0);
    std::printf("attribute %d: %s %d\n", attribute, cudaGetErrorName(error), value);
    cudaGetLastError();
  }
  return 0;
}
