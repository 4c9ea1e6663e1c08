// A union read as another type, and one inside a structure passed by value.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Value {
  int kind;
  union {
    float f;
    unsigned bits;
    unsigned char bytes[4];
  };
};
__global__ void read(Value v, unsigned *out) {
  v.f += 1.0f;
  out[0] = v.bits;
  out[1] = v.bytes[3];
  out[2] = v.kind;
}

int main() {
  Values<unsigned, 3> out;
  Value v;
  v.kind = 9, v.f = 1.0f;
  read<<<1, 1>>>(v, out.device);
  out.read();
  EXPECT(out.host[0] == 0x40000000u && out.host[1] == 0x40 && out.host[2] == 9);
  return finish();
}
