// Lanes of a warp that have returned read as 0 in the shuffles of the others. Threads of other warps, which take no part,
// keep their values and go on with them.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -I%S/Inputs -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split 2>&1 | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers 2>&1 | %FileCheck %s
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 2
// CHECK: all right
#include "run.h"

enum { Threads = 64, Left = 48 };

template <class T> __global__ void second_warp(const T *in, T *out) {
  int t = threadIdx.x;
  T mine = in[t];
  if (t >= Left)
    return;
  __syncthreads();
  mine += 1;
  T other = 0;
  __syncwarp();
  if (t >= 32)
    other = __shfl_down_sync(~0u, mine, 4);
  __syncthreads();
  out[t] = mine + 100 * other;
}

template <class T> static void check() {
  T in[Threads], out[Threads] = {};
  for (int i = 0; i < Threads; i++)
    in[i] = T(i + 1);
  T *x = to_device(in, Threads), *y = to_device(out, Threads);
  second_warp<<<1, Threads>>>(x, y);
  OK(cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < Left; i++)
    EXPECT(out[i] == T(i + 2 + (i < 32 ? 0 : i + 4 < Left ? 100 * (i + 6) : 0)));
}

int main() {
  check<int>();
  check<float>();
  return finish();
}
