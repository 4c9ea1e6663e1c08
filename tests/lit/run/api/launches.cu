// Launches refused by CUDA.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/launches.txt %t.out
#include "table.h"

__global__ void fine(int *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void meets() { __syncthreads(); }
__global__ void dynamic(int *p) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}
static void host_function() {}

int main() {
  int *p, sms = 0, blocks = 0;
  cudaMalloc(&p, 8192);
  void *arguments[] = {&p};
  TITLE("grids and blocks");
  LAUNCH((fine<<<1, 1025>>>(p)));
  LAUNCH((fine<<<1, 2048>>>(p)));
  LAUNCH((fine<<<0, 32>>>(p)));
  LAUNCH((fine<<<1, 0>>>(p)));
  LAUNCH((fine<<<dim3(1, 65536), 1>>>(p)));
  LAUNCH((fine<<<dim3(1, 1, 65536), 1>>>(p)));
  LAUNCH((fine<<<dim3(0x80000000u), 1>>>(p)));
  LAUNCH((fine<<<1, dim3(1, 1, 65)>>>(p)));
  LAUNCH((fine<<<1, dim3(1, 1025, 1)>>>(p)));
  LAUNCH((fine<<<1, dim3(32, 32, 2)>>>(p)));
  LAUNCH((bounded<<<1, 129>>>(p)));
  LAUNCH((bounded<<<1, 128>>>(p)));
  TITLE("shared memory");
  LAUNCH((dynamic<<<1, 32, 48 * 1024 + 1>>>(p)));
  LAUNCH((dynamic<<<1, 32, 48 * 1024>>>(p)));
  LAUNCH((dynamic<<<1, 32, 1 << 20>>>(p)));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  LAUNCH((dynamic<<<1, 32, 227 * 1024>>>(p)));
  LAUNCH((dynamic<<<1, 32, 227 * 1024 + 1>>>(p)));
  TITLE("functions that are no kernels");
  CALL(cudaLaunchKernel((const void *)host_function, dim3(1), dim3(1), arguments, 0, 0));
  CALL(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, 0));
  CALL(cudaLaunchCooperativeKernel((const void *)host_function, dim3(1), dim3(1), arguments, 0, 0));
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, (const void *)host_function));
  CALL(cudaFuncGetAttributes(&attributes, (const void *)nullptr));
  CALL(cudaFuncGetAttributes(nullptr, (const void *)fine));
  CALL(cudaFuncSetAttribute((const void *)host_function, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  CALL(cudaFuncSetAttribute((const void *)fine, (cudaFuncAttribute)0, 1));
  CALL(cudaFuncSetAttribute((const void *)fine, (cudaFuncAttribute)99, 1));
  CALL(cudaFuncSetAttribute((const void *)fine, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CALL(cudaFuncSetAttribute((const void *)fine, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  CALL(cudaFuncSetCacheConfig((const void *)host_function, cudaFuncCachePreferL1));
  CALL(cudaFuncSetCacheConfig((const void *)fine, (cudaFuncCache)9));
  const char *name = "";
  CALL(cudaFuncGetName(&name, (const void *)fine));
  std::printf("%s\n", name);
  CALL(cudaFuncGetName(nullptr, (const void *)fine));
  CALL(cudaFuncGetName(&name, (const void *)host_function));
  size_t offset = 9, size = 9;
  CALL(cudaFuncGetParamInfo((const void *)fine, 0, &offset, &size));
  VALUE(offset);
  VALUE(size);
  CALL(cudaFuncGetParamInfo((const void *)fine, 1, &offset, &size));
  cudaFunction_t function;
  CALL(cudaGetFuncBySymbol(&function, (const void *)fine));
  CALL(cudaGetFuncBySymbol(&function, (const void *)host_function));
  CALL(cudaGetFuncBySymbol(nullptr, (const void *)fine));
  cudaKernel_t kernel;
  CALL(cudaGetKernel(&kernel, (const void *)fine));
  CALL(cudaGetKernel(&kernel, (const void *)host_function));
  TITLE("cooperative launches");
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meets, 1024, 0));
  CALL(cudaLaunchCooperativeKernel((const void *)meets, dim3(blocks * sms), dim3(1024), nullptr, 0, 0));
  CALL(cudaDeviceSynchronize());
  CALL(cudaLaunchCooperativeKernel((const void *)meets, dim3(0), dim3(32), nullptr, 0, 0));
  CALL(cudaLaunchCooperativeKernel((const void *)meets, dim3(1), dim3(2048), nullptr, 0, 0));
  TITLE("occupancy");
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 0, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, -1, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 2048, 0));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 1, 0));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 256, 0));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 96, 0));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 32, 40 * 1024));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fine, 32, 100 * 1024));
  VALUE(blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, fine, 32, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)host_function, 32, 0));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&size, dynamic, 4, 64));
  VALUE(size);
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&size, dynamic, 1, 64));
  VALUE(size);
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&size, fine, 8, 256));
  VALUE(size);
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&size, fine, 0, 256));
  int grid = 0, block = 0;
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fine, 0, 0));
  VALUE(block);
  VALUE(grid == 2 * sms);
  TITLE("launches with attributes");
  cudaLaunchAttribute attribute[2] = {};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(2);
  configuration.blockDim = dim3(32);
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  CALL(cudaLaunchKernelExC(&configuration, nullptr, arguments));
  configuration.attrs = attribute;
  configuration.numAttrs = 1;
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)meets, nullptr));
  attribute[0].id = cudaLaunchAttributePriority;
  attribute[0].val.priority = -1;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[0].id = (cudaLaunchAttributeID)999;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  attribute[0].id = cudaLaunchAttributeIgnore;
  CALL(cudaLaunchKernelExC(&configuration, (const void *)fine, arguments));
  CALL(cudaDeviceSynchronize());
  TITLE("an error waits until it is asked for, and calls that succeed leave it");
  fine<<<1, 2048>>>(p);
  int *q;
  CALL(cudaMalloc(&q, 4));
  fine<<<1, 2048>>>(p);
  fine<<<1, 32>>>(p);
  CALL(cudaPeekAtLastError());
  CALL(cudaGetLastError());
  return 0;
}
