#include "checked.h"

__global__ void late(float *x) { x[threadIdx.x] += BY_LANGUAGE + RELEASE + EXISTS + LINKED + OF_SOURCE; }

void run_late() {
  float *x = ones(32);
  late<<<1, 32>>>(x);
  expect_all(x, 32, 32);
}
