// Objects made in a kernel call their classes' functions.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
static __device__ __noinline__ float measure(const Shape &s) { return s.area() + 1000 * s.corners(); }
__global__ void run(float *out) {
  Square square(threadIdx.x);
  Circle circle(threadIdx.x);
  out[threadIdx.x] = threadIdx.x % 2 ? measure(square) : measure(circle);
}

int main() {
  Values<float, 16> out;
  run<<<1, 16>>>(out.device);
  out.read();
  for (int i = 0; i < 16; i++)
    EXPECT(out.host[i] == (i % 2 ? i * i + 4000 : 3 * i * i));
  return finish();
}
