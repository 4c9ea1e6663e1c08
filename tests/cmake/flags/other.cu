#include "checked.h"

#include <cstring>

__global__ void linear_other(float *x) {
#ifdef __CUDA_ARCH__
  x[threadIdx.x] += PROJECT + TARGET + OF_SOURCE + FIRST + SECOND + __CUDA_ARCH__; // that of the newest architecture
#endif
}

void run_other() {
  float *x = ones(32);
  linear_other<<<1, 32>>>(x);
  expect_all(x, 32, 832);
  if (std::strcmp(TEXT, "of two words"))
    std::exit(1);
}
