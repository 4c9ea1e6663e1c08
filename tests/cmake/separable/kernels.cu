#include "checked.h"

extern __device__ float square(float x);

__global__ void squares(float *x) { x[threadIdx.x] = square(x[threadIdx.x] + 1); }

void run() {
  float *x = ones(32);
  squares<<<1, 32>>>(x);
  expect_all(x, 32, 4);
}
