// Kernels with many registers, and with much shared memory: gpuprof's occupancy against CUDA's own. Prints a line a launch:
// the kernel, threads and dynamic bytes of a block, and what cudaOccupancyMaxActiveBlocksPerMultiprocessor says.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <int VALUES, int SHARED> __global__ void kernel(float *x, int n, int steps) {
  __shared__ float tile[SHARED / 4 + 1];
  float value[VALUES];
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int i = 0; i < VALUES; ++i)
    value[i] = x[(at + 32 * i) % n];
  tile[threadIdx.x % (SHARED / 4 + 1)] = value[0];
  __syncthreads();
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int i = 0; i < VALUES; ++i)
      value[i] = value[i] * value[(i + 1) % VALUES] + tile[step % (SHARED / 4 + 1)];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < VALUES; ++i)
    sum += value[i];
  x[at % n] = sum;
}

static float *data;
static int threads, dynamic;

template <int VALUES, int SHARED> void launch() {
  const auto function = (const void *)kernel<VALUES, SHARED>;
  int blocks = 0;
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, function);
  cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic);
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamic) || !blocks)
    return;
  kernel<VALUES, SHARED><<<2, threads, dynamic>>>(data, 1024, 2);
  if (cudaDeviceSynchronize())
    return;
  printf("kernel<%d, %d> %d %d %d %d %zu %zu\n", VALUES, SHARED, threads, dynamic, blocks, attributes.numRegs,
         attributes.sharedSizeBytes, attributes.localSizeBytes);
}

template <int VALUES> void launch_all() {
  launch<VALUES, 0>();
  launch<VALUES, 1024>();
  launch<VALUES, 5000>();
  launch<VALUES, 20000>();
  launch<VALUES, 40960>();
}

int main(int count, char **arguments) {
  if (count < 3)
    return 2;
  threads = atoi(arguments[1]);
  dynamic = atoi(arguments[2]);
  cudaMalloc(&data, 1024 * sizeof *data);
  cudaMemset(data, 0, 1024 * sizeof *data);
  launch_all<1>();
  launch_all<8>();
  launch_all<24>();
  launch_all<48>();
  launch_all<96>();
  launch_all<180>();
  launch_all<300>();
}
