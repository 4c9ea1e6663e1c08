// Shuffles of every type that CUDA has them for, those of 64 bits included.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shuffle(unsigned *u, long long *l, unsigned long long *v, float *f, double *d) {
  int lane = lane_id(), from = 31 - lane;
  u[lane] = __shfl_sync(~0u, 0x80000000u + lane, from);
  l[lane] = __shfl_sync(~0u, -(1ll << 40) - lane, from);
  v[lane] = __shfl_sync(~0u, (1ull << 63) + lane, from);
  f[lane] = __shfl_sync(~0u, 0.5f * lane, from);
  d[lane] = __shfl_sync(~0u, 1e200 * lane, from);
}

int main() {
  Values<unsigned, 32> u;
  Values<long long, 32> l;
  Values<unsigned long long, 32> v;
  Values<float, 32> f;
  Values<double, 32> d;
  shuffle<<<1, 32>>>(u.device, l.device, v.device, f.device, d.device);
  u.read(), l.read(), v.read(), f.read(), d.read();
  for (int i = 0; i < 32; i++) {
    int from = 31 - i;
    EXPECT(u.host[i] == 0x80000000u + from);
    EXPECT(l.host[i] == -(1ll << 40) - from);
    EXPECT(v.host[i] == (1ull << 63) + from);
    EXPECT(f.host[i] == 0.5f * from);
    EXPECT(d.host[i] == 1e200 * from);
  }
  return finish();
}
