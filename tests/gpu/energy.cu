// Three seconds of nothing, of FMAs and of copies, each a region: joules by NVML. Prints what each did.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void fma_loop(float *x, int steps) {
  float a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = threadIdx.x + i;
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      a[i] = a[i] * 0.999f + 1.0f;
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += a[i];
  if (sum == 1.5f)
    *x = sum;
}

__global__ void copy_loop(const float4 *in, float4 *out, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    out[i] = in[i];
}

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int main(int count, char **arguments) {
  const double seconds = count > 1 ? atof(arguments[1]) : 3;
  const size_t bytes = size_t(1) << (count > 2 ? atoi(arguments[2]) : 30);
  const int blocks = count > 2 ? 1 : 2112, steps = count > 2 ? 10 : 20000;
  char *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  fma_loop<<<1, 32>>>((float *)out, 1);
  cudaDeviceSynchronize();
#pragma gpuprof region("nothing")
  usleep(useconds_t(seconds * 1e6));
  long launches = 0;
#pragma gpuprof region("fma")
  for (const double end = now() + seconds; now() < end; ++launches) {
    fma_loop<<<blocks, 256>>>((float *)out, steps);
    cudaDeviceSynchronize();
  }
  printf("fma %ld\n", launches);
  launches = 0;
#pragma gpuprof region("copy")
  for (const double end = now() + seconds; now() < end; ++launches) {
    copy_loop<<<blocks, 256>>>((float4 *)in, (float4 *)out, bytes / 16);
    cudaDeviceSynchronize();
  }
  printf("copy %ld\n", launches);
#pragma gpuprof region("short")
  fma_loop<<<blocks, 256>>>((float *)out, steps);
  return cudaDeviceSynchronize();
}
