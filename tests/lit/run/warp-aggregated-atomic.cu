// One lane of those that are active adds for all: ballot of the active mask, leader, shuffle of the base.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

__global__ void append(int *count, int *list) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 3)
    return;
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, lane = lane_id(), base = 0;
  if (lane == leader)
    base = atomicAdd(count, __popc(active));
  base = __shfl_sync(active, base, leader);
  list[base + __popc(active & ((1u << lane) - 1))] = t;
}

int main() {
  Values<int, 1> count;
  Values<int, 200> list;
  append<<<4, 128>>>(count.device, list.device);
  count.read(), list.read();
  EXPECT(count.host[0] == 171);
  int sum = 0;
  for (int i = 0; i < 171; i++)
    sum += list.host[i];
  EXPECT(sum == 3 * 170 * 171 / 2);
  return finish();
}
