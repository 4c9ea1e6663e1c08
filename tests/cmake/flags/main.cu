#include "checked.h"

#ifdef OF_SOURCE
#error "an option of other.cu is here too"
#endif
static_assert(__cplusplus == STANDARD, "CUDA_STANDARD");

void run_other();

// One fma, or a product and a sum with --fmad=false.
__global__ void linear(float *x, float a, float b) { x[threadIdx.x] = a * x[threadIdx.x] + b; }

__global__ void left_out(float *x) { x[threadIdx.x] += 1; }

int main() {
  float *x = ones(32);
  linear<<<1, 32>>>(x, 2, 3);
  expect_all(x, 32, 5);
  x = ones(32);
  left_out<<<1, 32>>>(x);
  expect_all(x, 32, 2);
  run_other();
}
