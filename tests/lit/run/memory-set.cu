// cudaMemset sets bytes, of a part too, and leaves the rest.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

int main() {
  Values<unsigned, 8> p;
  for (unsigned &v : p.host)
    v = 7;
  p.write();
  OK(cudaMemset(p.device + 2, 0xab, 3 * sizeof(unsigned)));
  p.read();
  for (int i = 0; i < 8; i++)
    EXPECT(p.host[i] == (i >= 2 && i < 5 ? 0xababababu : 7));
  return finish();
}
