// A goto into a loop makes a cycle with two entries, no loop for LLVM. Its blocks count each time
// they run. A value leaving it in different iterations is each thread's own behind a barrier.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json sums counts flops.fp32.add=284 bytes.global.store=160
// CHECK: all right
#include "lanes.h"

__global__ void sums(float *out) {
  float v = threadIdx.x % 5 ? 10 : 1000;
  if (threadIdx.x % 2)
    goto middle;
top:
  v += 3;
middle:
  v += 5;
  if (v < 40)
    goto top;
  out[threadIdx.x] = v;
}

__global__ void turns(int *out, bool skip) {
  int n = 0;
  if (skip)
    goto middle;
top:
  n += 2;
middle:
  n += 1;
  if (n < (int)threadIdx.x)
    goto top;
  __syncthreads();
  out[threadIdx.x] = n;
}

static int executed; /* additions of all threads */

static float sum_of(int t) {
  float v = t % 5 ? 10 : 1000;
  for (bool skip = t % 2;; skip = false) {
    v += skip ? 5 : 8;
    executed += skip ? 1 : 2;
    if (v >= 40)
      return v;
  }
}

static int turns_of(int t, bool skip) {
  for (int n = skip ? 1 : 3;; n += 3)
    if (n >= t)
      return n;
}

int main() {
  Values<float, 40> v;
  sums<<<1, 40>>>(v.device);
  v.read();
  for (int t = 0; t < 40; t++)
    EXPECT(v.host[t] == sum_of(t));
  EXPECT(executed == 284);
  for (int skip = 0; skip < 2; skip++) {
    Values<int, 40> n;
    turns<<<1, 40>>>(n.device, skip);
    n.read();
    for (int t = 0; t < 40; t++)
      EXPECT(n.host[t] == turns_of(t, skip));
  }
  return finish();
}
