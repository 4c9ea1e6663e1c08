// Floating point to integer: NaN becomes 0, what is too large the greatest, what is too small the least value.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void convert(const float *in, int *i, unsigned *u, long long *l) {
  int t = threadIdx.x;
  i[t] = __float2int_rz(in[t]), u[t] = __float2uint_rz(in[t]), l[t] = __float2ll_rz(in[t]);
}

int main() {
  Values<float, 6> in;
  Values<int, 6> i;
  Values<unsigned, 6> u;
  Values<long long, 6> l;
  const float v[6] = {NAN, 1e30f, -1e30f, -1.75f, 3.99f, 3e9f};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 6>>>(in.device, i.device, u.device, l.device);
  i.read(), u.read(), l.read();
  const int ei[6] = {0, INT_MAX, INT_MIN, -1, 3, INT_MAX};
  const unsigned eu[6] = {0, UINT_MAX, 0, 0, 3, 3000000000u};
  for (int k = 0; k < 6; k++)
    EXPECT(i.host[k] == ei[k] && u.host[k] == eu[k]);
  EXPECT(l.host[1] == LLONG_MAX && l.host[2] == LLONG_MIN && l.host[3] == -1 && l.host[5] == 3000000000ll);
  return finish();
}
