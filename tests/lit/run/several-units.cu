// Two translation units with static kernels and device variables of equal names, and one kernel from a header's template
// in both: each unit runs its own, counts are kept apart.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -DUNIT=1 -c %s -o %t.1.o
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -DUNIT=2 -c %s -o %t.2.o
// RUN: %clangxx %t.1.o %t.2.o -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

static __device__ int offset = 10 * UNIT;
static __global__ void add(int *p) { p[threadIdx.x] += UNIT + offset; }
template <class T> __global__ void twice(T *p) { p[threadIdx.x] *= 2; }

#if UNIT == 2
void other(int *p) {
  add<<<1, 8>>>(p);
  twice<<<1, 8>>>(p);
}
#else
void other(int *p);

int main() {
  Values<int, 8> p;
  add<<<1, 8>>>(p.device);
  twice<<<1, 8>>>(p.device);
  other(p.device);
  p.read();
  for (int i = 0; i < 8; i++)
    EXPECT(p.host[i] == (2 * 11 + 22) * 2);
  return finish();
}
#endif
