// Copies in all directions, that of cudaMemcpyDefault found by the pointers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

int main() {
  Values<int, 4> a, b;
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  OK(cudaMemcpy(a.device, host, sizeof host, cudaMemcpyDefault));
  OK(cudaMemcpy(b.device, a.device, sizeof host, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, b.device, sizeof host, cudaMemcpyDefault));
  EXPECT(!memcmp(host, back, sizeof host));
  OK(cudaMemcpy(back, host + 2, 2 * sizeof(int), cudaMemcpyHostToHost));
  EXPECT(back[0] == 3 && back[1] == 4);
  OK(cudaMemcpy(back, host, 0, cudaMemcpyHostToHost));
  EXPECT(cudaMemcpy(back, host, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
  return finish();
}
