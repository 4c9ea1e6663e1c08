#include "run.h"
extern __device__ float square(float x);

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, float least) {
  if (p[threadIdx.x] >= least)
    p[threadIdx.x] = square(p[threadIdx.x]);
}

int main(int argc, char **) {
  float x[32], *p;
  for (int i = 0; i < 32; ++i)
    x[i] = float(i);
  p = to_device(x, 32);
  kernel<<<1, 32>>>(p, argc == 1 ? 0.0f : 100.0f); // with an argument no thread calls it
  int error = cudaDeviceSynchronize();
  to_host(x, p, 32);
  std::printf("error %d, 3 becomes %g\n", error, x[3]);
  return error != 0;
}
