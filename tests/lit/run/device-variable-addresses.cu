// A device variable that holds the address of another, and one reached by cudaGetSymbolAddress.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__device__ int values[4] = {5, 6, 7, 8};
__device__ int *cursor = values + 1;
__global__ void read(int *out, const int *direct) {
  out[0] = *cursor, out[1] = cursor[2], out[2] = direct[3], out[3] = direct == values;
}

int main() {
  Values<int, 4> out;
  void *address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(&address, values));
  OK(cudaGetSymbolSize(&bytes, values));
  read<<<1, 1>>>(out.device, (const int *)address);
  out.read();
  EXPECT(out.host[0] == 6 && out.host[1] == 8 && out.host[2] == 8 && out.host[3] == 1 && bytes == 16);
  return finish();
}
