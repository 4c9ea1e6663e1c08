// More blocks than can run at once are cudaErrorCooperativeLaunchTooLarge; the next launch works.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: grep -F 'runs up to' %t.err
// CHECK: all right
#include "lanes.h"

__global__ void set(int *p) { *p = 3; }

int main() {
  Values<int, 1> p;
  void *arguments[] = {&p.device};
  EXPECT(cudaLaunchCooperativeKernel(set, dim3(5000), dim3(32), arguments, 0, 0) ==
         cudaErrorCooperativeLaunchTooLarge);
  OK(cudaLaunchCooperativeKernel(set, dim3(2), dim3(32), arguments, 0, 0));
  p.read();
  EXPECT(p.host[0] == 3);
  return finish();
}
