#include "checked.h"

__global__ void linked(float *x) { x[threadIdx.x] *= 2; }

void run_linked() {
  float *x = ones(32);
  linked<<<1, 32>>>(x);
  expect_all(x, 32, 2);
}
