// Kernels of equal names in different namespaces, one without a name.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

namespace a {
__global__ void run(int *p) { *p = 1; }
} // namespace a
namespace b {
__global__ void run(int *p) { *p = 2; }
} // namespace b
namespace {
__global__ void run(int *p) { *p = 3; }
} // namespace

int main() {
  Values<int, 3> out;
  a::run<<<1, 1>>>(out.device);
  b::run<<<1, 1>>>(out.device + 1);
  ::run<<<1, 1>>>(out.device + 2);
  out.read();
  EXPECT(out.host[0] == 1 && out.host[1] == 2 && out.host[2] == 3);
  return finish();
}
