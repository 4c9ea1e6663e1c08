// Device and constant variables of class type, with constant initialisation, and parameters that kernels read in place.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

class Box {
public:
  constexpr __host__ __device__ Box(int side) : side(side) {}
  __device__ int volume() const { return side * side * side; }
  __device__ void grow(int by) { side += by; }

private:
  int side;
};
struct Point {
  float x, y;
};
struct Path {
  Point points[2];
  Box box;
};

__device__ Box box(6);
__constant__ Box unit(1);
__device__ Path path = {{{1, 2}, {3, 4}}, Box(2)};
__device__ Box boxes[3] = {Box(1), Box(2), Box(3)};

// The address of a __grid_constant__ parameter is that of the parameter itself.
static __device__ __attribute__((noinline)) float second(const Path *p) { return p->points[1].y; }

__global__ void use(const __grid_constant__ Path given, float *out) {
  out[0] = box.volume() + unit.volume();
  out[1] = path.points[1].x + path.box.volume();
  out[2] = boxes[threadIdx.x + 2].volume();
  out[3] = second(&given);
  box.grow(1);
}

int main() {
  Values<float, 4> out;
  const Path given = {{{5, 6}, {7, 8}}, Box(9)};
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 217 && out.host[1] == 11 && out.host[2] == 27 && out.host[3] == 8);
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 344); // what a kernel wrote stays
  Box other(3);
  OK(cudaMemcpyToSymbol(box, &other, sizeof other));
  use<<<1, 1>>>(given, out.device);
  out.read();
  EXPECT(out.host[0] == 28);
  return finish();
}
