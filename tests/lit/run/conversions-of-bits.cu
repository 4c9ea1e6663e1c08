// __float_as_int and relatives, and the two halves of a double.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void convert(unsigned *out, unsigned long long *wide) {
  out[0] = __float_as_uint(1.0f), out[1] = (unsigned)__float_as_int(-2.0f),
  out[2] = __float_as_uint(__int_as_float(0x7f800000));
  out[3] = (unsigned)__double2hiint(-1.5), out[4] = (unsigned)__double2loint(1.0 / 3);
  wide[0] = (unsigned long long)__double_as_longlong(2.0),
  wide[1] = (unsigned long long)__double_as_longlong(__hiloint2double(0x3ff80000, 1));
}

int main() {
  Values<unsigned, 5> out;
  Values<unsigned long long, 2> wide;
  convert<<<1, 1>>>(out.device, wide.device);
  out.read(), wide.read();
  EXPECT(out.host[0] == 0x3f800000u && out.host[1] == 0xc0000000u && out.host[2] == 0x7f800000u);
  EXPECT(out.host[3] == 0xbff80000u && out.host[4] == 0x55555555u);
  EXPECT(wide.host[0] == 0x4000000000000000ull && wide.host[1] == 0x3ff8000000000001ull);
  return finish();
}
