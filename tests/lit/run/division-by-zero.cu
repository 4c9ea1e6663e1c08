// Integer division by zero and its remainder give ones, as on an H200, and the least number divided by -1 is itself; the
// kernel goes on.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

template <class T> __global__ void divide(const T *x, const T *y, T *out) {
  const int i = threadIdx.x;
  out[2 * i] = x[i] / y[i];
  out[2 * i + 1] = x[i] % y[i];
}

template <class T> void try_all(T least) {
  Values<T, 4> x, y;
  Values<T, 8> out;
  x.host[0] = 7, x.host[1] = (T)-7, x.host[2] = 0, x.host[3] = least;
  y.host[3] = (T)-1;
  x.write(), y.write();
  divide<<<1, 4>>>(x.device, y.device, out.device);
  out.read();
  // A GPU divides numbers that fit into 32 bits in 32 bits.
  const T ones = (T)-1, small_ones = (T)0xffffffffu;
  for (int i = 0; i < 6; i++)
    EXPECT(out.host[i] == (i / 2 == 1 ? ones : small_ones));
  EXPECT(out.host[6] == (least < 0 ? least : (T)(least / ones)) && out.host[7] == (least < 0 ? 0 : (T)(least % ones)));
}

int main() {
  try_all<int>(-2147483647 - 1);
  try_all<unsigned>(5);
  try_all<long long>(-9223372036854775807ll - 1);
  try_all<unsigned long long>(5);
  return finish();
}
