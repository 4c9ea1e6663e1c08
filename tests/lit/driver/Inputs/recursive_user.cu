#include <cstdio>

__device__ float power(int n, float x);
__device__ float odd_levels(int n, float x);

__global__ void kernel(const float *x, float *y) {
  y[threadIdx.x] = power(threadIdx.x & 3, x[threadIdx.x]);
}
__global__ void mutual(const float *x, float *y) { y[threadIdx.x] = odd_levels(4, x[threadIdx.x]); }

int main() {
  float *x, *y;
  cudaMallocManaged(&x, 32 * sizeof *x);
  cudaMallocManaged(&y, 32 * sizeof *y);
  for (int i = 0; i < 32; ++i)
    x[i] = 2;
  kernel<<<1, 32>>>(x, y);
  int error = cudaDeviceSynchronize();
  printf("error %d, %g %g %g %g\n", error, y[0], y[1], y[2], y[3]);
  mutual<<<1, 32>>>(x, y);
  error = cudaDeviceSynchronize();
  printf("error %d, %g\n", error, y[0]);
}
