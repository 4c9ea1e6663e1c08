#include "units.h"

static __global__ void step(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma gpuprof region("second.multiply")
  x[i] = x[i] * 3.0f * 5.0f;
}

extern "C" int run_second_unit() {
  check_launch([](float *x) { step<<<GRID, BLOCK>>>(x, N); }, 15.0f);
  check_launch([](float *x) { scale<<<GRID, BLOCK>>>(x, N, 7.0f); }, 7.0f);
  return failures;
}
