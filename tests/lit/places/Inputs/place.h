/* The program around a place: see lit.local.cfg. A place's region adds once a thread, or launches work() once a call;
 * multiplications, loads, stores and the launch in main() are outside. */
#ifndef PLACE_H
#define PLACE_H

#include <cuda_runtime.h>

__device__ float on_device(float x);
void on_host();

static float *memory;
__global__ void work(float *p) { p[threadIdx.x] = 1.0f; }
#define LAUNCH() work<<<1, 64>>>(memory)

__global__ void device_side(float *p) { p[threadIdx.x] = 3.0f * on_device(p[threadIdx.x]); }

int main() {
  if (cudaMalloc(&memory, 64 * sizeof(float)) || cudaMemset(memory, 0, 64 * sizeof(float)))
    return 1;
  device_side<<<1, 64>>>(memory);
  for (int i = 0; i < 2; ++i) {
    on_host();
    LAUNCH();
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}

#endif
