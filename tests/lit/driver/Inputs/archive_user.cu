#include "run.h"
extern __device__ float square(float x);

#pragma gpuprof region("kernel")
__global__ void kernel(float *p) { p[threadIdx.x] = square(p[threadIdx.x]); }

int main() {
  float x[32], *p;
  for (int i = 0; i < 32; ++i)
    x[i] = float(i);
  p = to_device(x, 32);
  kernel<<<1, 32>>>(p);
  int error = cudaDeviceSynchronize();
  to_host(x, p, 32);
  std::printf("error %d, 3 becomes %g\n", error, x[3]);
  return error != 0;
}
