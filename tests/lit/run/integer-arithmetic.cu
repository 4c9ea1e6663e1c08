// Division, remainder and shifts of all widths, and of 128-bit integers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void run(const long long *a, const long long *b, long long *out) {
  long long x = a[threadIdx.x], y = b[threadIdx.x], *o = out + 6 * threadIdx.x;
  o[0] = x / y, o[1] = x % y, o[2] = (int)x / (int)y, o[3] = (long long)((unsigned long long)x / 10);
  o[4] = (short)x >> 3;
  o[5] = (long long)((unsigned __int128)x * (unsigned __int128)y >> 70);
}

int main() {
  Values<long long, 3> a, b;
  Values<long long, 18> out;
  const long long x[3] = {-1234567890123ll, 99, 1ll << 61}, y[3] = {1000, -7, 12345};
  memcpy(a.host, x, sizeof x), memcpy(b.host, y, sizeof y);
  a.write(), b.write();
  run<<<1, 3>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 3; i++) {
    const long long *o = out.host + 6 * i;
    EXPECT(o[0] == x[i] / y[i] && o[1] == x[i] % y[i] && o[2] == (int)x[i] / (int)y[i]);
    EXPECT(o[3] == (long long)((unsigned long long)x[i] / 10) && o[4] == (short)x[i] >> 3);
    EXPECT(o[5] == (long long)((unsigned __int128)x[i] * (unsigned __int128)y[i] >> 70));
  }
  return finish();
}
