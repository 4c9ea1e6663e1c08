/* Two translation units with static kernels of one name and instantiations of one template kernel. */
#ifndef UNITS_H
#define UNITS_H

#include "run.h"

enum { N = 1000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK };

template <class T> __global__ void scale(T *x, int n, T by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}

template <class Launch> static void check_launch(Launch launch, float expected) {
  static float values[N];
  for (float &value : values)
    value = 1.0f;
  float *x = to_device(values, N);
  launch(x);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  to_host(values, x, N);
  for (float value : values)
    EXPECT(value == expected);
  OK(cudaFree(x));
}

/* 0 if all was right */
extern "C" int run_second_unit();

#endif
