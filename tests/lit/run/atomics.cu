// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json update bytes.global.atomic=40000
// CHECK: all right
#include "run.h"

__global__ void update(int *i, unsigned *u, float *f, double *d, unsigned long long *l) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], 1);
  atomicMax(&i[1], t);
  atomicSub(&i[2], 2);
  atomicInc(&u[0], 99);
  atomicOr(&u[1], 1u << t % 32);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd(l, 1ull << 33);
}

/* Multiplies by 3, two to the 10 times, whatever the order. */
__global__ void compare_and_swap(unsigned *product) {
  unsigned seen = *product, expected;
  do {
    expected = seen;
    seen = atomicCAS(product, expected, expected * 3);
  } while (seen != expected);
}

int main() {
  int i[3] = {0, -1, 0};
  unsigned u[2] = {0, 0}, product = 1;
  float f = 0;
  double d = 0;
  unsigned long long l = 0;
  int *a = to_device(i, 3);
  unsigned *b = to_device(u, 2), *p = to_device(&product, 1);
  float *c = to_device(&f, 1);
  double *e = to_device(&d, 1);
  unsigned long long *g = to_device(&l, 1);
  update<<<10, 100>>>(a, b, c, e, g);
  compare_and_swap<<<8, 128>>>(p);
  OK(cudaDeviceSynchronize());
  to_host(i, a, 3);
  to_host(u, b, 2);
  to_host(&f, c, 1);
  to_host(&d, e, 1);
  to_host(&l, g, 1);
  to_host(&product, p, 1);
  EXPECT(i[0] == 1000 && i[1] == 999 && i[2] == -2000);
  EXPECT(u[0] == 0 && u[1] == ~0u);
  EXPECT(f == 500 && d == 250 && l == 1000ull << 33);
  unsigned power = 1;
  for (int n = 0; n < 1024; n++)
    power *= 3;
  EXPECT(product == power);
  return finish();
}
