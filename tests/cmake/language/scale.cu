#include "checked.h"

#pragma gpuprof region("language.scale")
__global__ void scale(float *x, float factor) { x[threadIdx.x] *= factor; }

void run() {
  float *x = ones(64);
  scale<<<1, 64>>>(x, FACTOR);
  expect_all(x, 64, 3);
}
