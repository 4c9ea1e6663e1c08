// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unique bytes of accesses behind comparisons of a thread's index with a number: recorded once for a row of threads, they equal
// those recorded thread by thread (schedule strict). Bounds lie before, in and behind the row, and where the index wraps around.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O3 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_SCHEDULE=strict GPUPROF_OUTPUT=%t.strict.json %t | %FileCheck %s
// RUN: %py %S/Inputs/same_counts.py %t.json %t.strict.json 24
// CHECK: all right
#include "lanes.h"

#include <limits.h>

enum { Threads = 40, Elements = 1024 };

template <int Which, class Index> __device__ bool meets(Index i, Index bound) {
  switch (Which) {
  case 0:
    return i < bound;
  case 1:
    return i <= bound;
  case 2:
    return i > bound;
  case 3:
    return i >= bound;
  case 4:
    return i == bound;
  case 5:
    return i != bound;
  case 6:
    return i > 3 && i < bound && i != 20;
  default:
    return !(i == bound || i == 0);
  }
}

template <int Which, class Index> __global__ void store(float *out, Index first, Index bound) {
  const Index i = (Index)((unsigned long)first + threadIdx.x);
  if (meets<Which>(i, bound))
    out[8 * threadIdx.x] = 1;
}

static float *out;

template <int Which, class Index> void launches(Index most) {
  const Index ways[][2] = {{0, 0}, {0, 7}, {2, Threads + 1}, {5, (Index)-1}, {(Index)(most - 10), (Index)(most - 3)}};
  for (const Index *way : ways)
    store<Which, Index><<<1, Threads>>>(out, way[0], way[1]);
}

template <int Which> void all() {
  launches<Which, int>(INT_MAX);
  launches<Which, unsigned>(UINT_MAX);
  launches<Which, long>(LONG_MAX);
}

int main() {
  static const float start[Elements] = {};
  out = to_device(start, Elements);
  all<0>(), all<1>(), all<2>(), all<3>(), all<4>(), all<5>(), all<6>(), all<7>();
  OK(cudaDeviceSynchronize());
  return finish();
}
