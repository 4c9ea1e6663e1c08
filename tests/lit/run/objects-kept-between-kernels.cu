// Objects with virtual functions that one kernel makes by new and another uses and deletes.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Base {
  __device__ virtual ~Base() {}
  __device__ virtual int value() = 0;
};
template <int N> struct Derived : Base {
  int *deleted;
  __device__ explicit Derived(int *deleted) : deleted(deleted) {}
  __device__ ~Derived() override { atomicAdd(deleted, N); }
  __device__ int value() override { return N; }
};
__global__ void make(Base **objects, int *deleted) {
  objects[0] = new Derived<3>(deleted);
  objects[1] = new Derived<40>(deleted);
}
__global__ void use(Base **objects, int *out) {
  out[threadIdx.x] = objects[threadIdx.x]->value();
  delete objects[threadIdx.x];
}

int main() {
  Values<Base *, 2> objects;
  Values<int, 2> out;
  Values<int, 1> deleted;
  make<<<1, 1>>>(objects.device, deleted.device);
  use<<<1, 2>>>(objects.device, out.device);
  out.read(), deleted.read();
  EXPECT(out.host[0] == 3 && out.host[1] == 40 && deleted.host[0] == 43);
  return finish();
}
