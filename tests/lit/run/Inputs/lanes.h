/* For kernels whose every thread leaves a result: memory for them on both sides. */
#ifndef LANES_H
#define LANES_H

#include "run.h"

/* N values in device memory. They start as `host` and are `host` again after read(). */
template <class T, int N> struct Values {
  T host[N] = {};
  T *device = nullptr;
  Values() { device = to_device(host, N); }
  void write() { OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice)); }
  void read() {
    OK(cudaDeviceSynchronize());
    to_host(host, device, N);
  }
};

/* The lane's number in a block of one dimension. */
static __device__ inline int lane_id() { return threadIdx.x % 32; }

#endif
