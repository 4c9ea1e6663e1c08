#pragma once
extern "C" __global__ void shift_kernel(float *x) { x[threadIdx.x] += 3; }
inline void shift(float *x) {
  void *arguments[] = {&x};
  cudaLaunchKernel((const void *)shift_kernel, dim3(1), dim3(32), arguments, 0, 0);
}
