// A structure with pointers to device memory, passed by value and kept in device memory.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Matrix {
  int rows, columns;
  float *data;
  __host__ __device__ float &at(int r, int c) const { return data[r * columns + c]; }
};
__global__ void transpose(Matrix from, const Matrix *to) {
  to->at(threadIdx.x, threadIdx.y) = from.at(threadIdx.y, threadIdx.x);
}

int main() {
  Values<float, 12> a, b;
  Values<Matrix, 1> to;
  for (int i = 0; i < 12; i++)
    a.host[i] = i;
  a.write();
  to.host[0] = {4, 3, b.device};
  to.write();
  transpose<<<1, dim3(4, 3)>>>({3, 4, a.device}, to.device);
  b.read();
  for (int i = 0; i < 12; i++)
    EXPECT(b.host[i % 4 * 3 + i / 4] == i);
  return finish();
}
