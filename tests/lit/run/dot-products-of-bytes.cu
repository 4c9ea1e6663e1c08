// dp4a, signed, unsigned and mixed, as inline PTX.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void dot(const int *a, const int *b, int *out) {
  int t = threadIdx.x, s, m;
  unsigned u;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a[t]), "r"(b[t]), "r"(100));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(a[t]), "r"(b[t]), "r"(100));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(m) : "r"(a[t]), "r"(b[t]), "r"(100));
  out[3 * t] = s, out[3 * t + 1] = (int)u, out[3 * t + 2] = m;
}

int main() {
  Values<int, 16> a, b;
  Values<int, 48> out;
  for (int i = 0; i < 16; i++)
    a.host[i] = i * 0x1234567 ^ 0x80ff7f01, b.host[i] = i * 0x7654321 ^ 0xff8001fe;
  a.write(), b.write();
  dot<<<1, 16>>>(a.device, b.device, out.device);
  out.read();
  for (int i = 0; i < 16; i++) {
    int s = 100, u = 100, m = 100;
    for (int k = 0; k < 32; k += 8) {
      s += (signed char)(a.host[i] >> k) * (signed char)(b.host[i] >> k);
      u += (unsigned char)(a.host[i] >> k) * (unsigned char)(b.host[i] >> k);
      m += (unsigned char)(a.host[i] >> k) * (signed char)(b.host[i] >> k);
    }
    EXPECT(out.host[3 * i] == s && out.host[3 * i + 1] == u && out.host[3 * i + 2] == m);
  }
  return finish();
}
