// __funnelshift_l and _r take the shift modulo 32, _lc and _rc stop at 32.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void shift(unsigned *out) {
  unsigned s = threadIdx.x, low = 0x89abcdefu, high = 0x01234567u;
  out[4 * s] = __funnelshift_l(low, high, s), out[4 * s + 1] = __funnelshift_r(low, high, s);
  out[4 * s + 2] = __funnelshift_lc(low, high, s), out[4 * s + 3] = __funnelshift_rc(low, high, s);
}

int main() {
  Values<unsigned, 160> out;
  shift<<<1, 40>>>(out.device);
  out.read();
  const unsigned long long both = 0x0123456789abcdefull;
  for (int s = 0; s < 40; s++) {
    int wrapped = s % 32, clamped = s < 32 ? s : 32;
    EXPECT(out.host[4 * s] == (unsigned)(both << wrapped >> 32));
    EXPECT(out.host[4 * s + 1] == (unsigned)(both >> wrapped));
    EXPECT(out.host[4 * s + 2] == (unsigned)(both << clamped >> 32));
    EXPECT(out.host[4 * s + 3] == (unsigned)(both >> clamped));
  }
  return finish();
}
