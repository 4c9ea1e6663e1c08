// __mulhi, __umulhi, __mul64hi and __umul64hi: the upper halves of products.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void multiply(const long long *a, const long long *b, long long *out) {
  int t = threadIdx.x;
  out[4 * t] = __mulhi((int)a[t], (int)b[t]);
  out[4 * t + 1] = __umulhi((unsigned)a[t], (unsigned)b[t]);
  out[4 * t + 2] = __mul64hi(a[t], b[t]);
  out[4 * t + 3] = (long long)__umul64hi((unsigned long long)a[t], (unsigned long long)b[t]);
}

int main() {
  Values<long long, 4> a, b;
  Values<long long, 16> out;
  const long long x[4] = {-1, 1ll << 62, 0x123456789abcdefll, -7},
                  y[4] = {-1, -(1ll << 62), 0xfedcba987654321ll, 3};
  memcpy(a.host, x, sizeof x), memcpy(b.host, y, sizeof y);
  a.write(), b.write();
  multiply<<<1, 4>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 4; i++) {
    EXPECT(out.host[4 * i] == (int)((long long)(int)x[i] * (int)y[i] >> 32));
    EXPECT(out.host[4 * i + 1] == (long long)((unsigned long long)(unsigned)x[i] * (unsigned)y[i] >> 32));
    EXPECT(out.host[4 * i + 2] == (long long)((__int128)x[i] * y[i] >> 64));
    EXPECT(out.host[4 * i + 3] ==
           (long long)((unsigned __int128)(unsigned long long)x[i] * (unsigned long long)y[i] >> 64));
  }
  return finish();
}
